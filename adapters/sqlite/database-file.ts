import { closeSync, existsSync, fchmodSync, openSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { sqliteCode } from "./sqlite-connection.js";

/** The default permissions of a new file: read and write for its owner. */
export const ownerOnly = 0o600;

/**
 * Creates a missing database file with these permissions: SQLite itself would make it readable for all users. Its log and its
 * index get the permissions of the file. An existing file keeps its own.
 */
export function makeDatabaseFile(filename: string, mode: number): void {
  let file: number;
  try {
    file = openSync(filename, "wx", mode);
  } catch {
    // The file exists, or cannot be created, which SQLite reports better when it opens it.
    return;
  }
  try {
    fchmodSync(file, mode);
  } finally {
    closeSync(file);
  }
}

/** Runs work on a database file. @throws Error with the reason why the file cannot be opened, and the fix. */
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
