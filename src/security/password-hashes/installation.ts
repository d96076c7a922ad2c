import { findArgon2 } from "./load-argon2.js";
import { findHashProgram } from "./run-in-thread.js";

let isComplete = false;

/**
 * Checks once in a process that the first request will find all it needs, so that the start fails, not a login.
 * @throws Error that names the missing part: a release of Node, a package, or a file that a bundler left out.
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
