import { closeSync, fchmodSync, openSync } from "node:fs";

/** Who may read and write a file that is made: its owner. */
export const ownerOnly = 0o600;

/**
 * Makes the file of a database with these permissions when there is none: SQLite itself would let everybody read it. Its log and its index
 * get the permissions of the file. A file that is there keeps its own.
 */
export function makeDatabaseFile(filename: string, mode: number): void {
  let file: number;
  try {
    file = openSync(filename, "wx", mode);
  } catch {
    // It is there, or cannot be made, which SQLite says better when it opens it.
    return;
  }
  try {
    fchmodSync(file, mode);
  } finally {
    closeSync(file);
  }
}
