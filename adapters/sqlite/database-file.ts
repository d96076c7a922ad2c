import { closeSync, existsSync, fchmodSync, openSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { sqliteCode } from "./sqlite-connection.js";

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

/** Does work on a database file. @throws Error that says why the file cannot be opened, and what to do. */
export function explainOpenErrors<T>(filename: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new Error(`The SQLite file ${filename} cannot be opened: ${whyNotOpened(filename, cause)}`, { cause });
  }
}

function whyNotOpened(filename: string, cause: unknown): string {
  const folder = dirname(resolve(filename));
  if (!existsSync(folder)) return `the folder ${folder} does not exist. Create it, or pass another filename.`;
  if (statSync(filename, { throwIfNoEntry: false })?.isDirectory()) return "it is a folder. Pass the path of a file in it.";
  if (sqliteCode(cause) === "SQLITE_NOTADB") return "it is no SQLite database. Pass the path of another file.";
  if (/^SQLITE_(CANTOPEN|READONLY|PERM)|^E(ACCES|PERM|ROFS)/.test(sqliteCode(cause)))
    return "this process may not read and write it. Change the permissions of the file and its folder, or pass another filename.";
  return cause instanceof Error ? cause.message : String(cause);
}
