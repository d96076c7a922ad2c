import { findArgon2 } from "./load-argon2.js";
import { findHashProgram } from "./run-in-thread.js";

let isComplete = false;

/**
 * Looks once in a process whether all is there that the first request may need, so that a start fails and no login does.
 * @throws Error that says what is missing: a release of Node, a package, or a file that a bundler has left behind.
 */
export function assertInstallation(): void {
  if (isComplete) return;
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 22 || (major === 22 && minor < 12))
    throw new Error(`Latchkey needs Node 22.12 or later; this is Node ${process.versions.node}.`);
  findArgon2();
  findHashProgram();
  isComplete = true;
}
