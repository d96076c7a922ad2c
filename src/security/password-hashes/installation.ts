import { assertNodeVersion } from "../../shared/packages.js";
import { findArgon2 } from "./load-argon2.js";
import { findHashProgram } from "./run-in-thread.js";

let isComplete = false;

/**
 * Checks once in a process that the first request will find all it needs, so that the start fails, not a login.
 * @throws Error that names the missing part: a release of Node, a package, or a file that a bundler left out.
 */
export function assertInstallation(): void {
  assertNodeVersion();
  if (isComplete) return;
  findArgon2();
  findHashProgram();
  isComplete = true;
}
