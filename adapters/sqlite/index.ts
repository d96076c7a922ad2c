import type { Kysely } from "kysely";
import { assertKnownOptions, type OptionNames } from "latchkey";
import type { Storage } from "latchkey/ports";
import { createSqlStorage } from "../kysely/sql-storage.js";
import { ownerOnly } from "./database-file.js";
import { openDatabase, type SqliteStorageOptions } from "./open-database.js";

export type { SqliteStorageOptions } from "./open-database.js";

const optionNames: OptionNames<SqliteStorageOptions> = {
  fileMode: "number",
  filename: "text",
  maxRebuildBytes: "number",
  readerThreads: "number",
  readerThreadsFrom: "number",
  searchIndexFrom: "number",
  tablePrefix: "text",
};

/**
 * A storage in a SQLite file through `better-sqlite3` (an optional peer): WAL, `synchronous=FULL`, foreign keys. An acknowledged
 * write is on disk. Reads have a separate connection, and waiting writes commit together. Several processes may share the file.
 * `Database` types the Kysely handle that `identity.transaction` provides.
 * @throws Error when `better-sqlite3` is not installed or the file cannot be opened.
 */
export function sqliteStorage<Database = unknown>(options: SqliteStorageOptions): Storage<Kysely<Database>> {
  if (typeof options?.filename !== "string")
    throw new TypeError('sqliteStorage needs { filename }: the path of a file such as "latchkey.db", or ":memory:".');
  assertKnownOptions("", options, optionNames);
  const tablePrefix = options.tablePrefix ?? "latchkey_";
  if (!/^[a-z][a-z0-9_]{0,30}$|^$/.test(tablePrefix))
    throw new TypeError("tablePrefix must be lower-case letters, digits and _.");
  const { fileMode = ownerOnly, maxRebuildBytes = 64 * 2 ** 20, searchIndexFrom = 20_000 } = options;
  const { readerThreads = 2, readerThreadsFrom = 5_000 } = options;
  if (!(searchIndexFrom > 0)) throw new TypeError("searchIndexFrom must be a positive number.");
  if (!Number.isSafeInteger(readerThreads) || readerThreads < 0)
    throw new TypeError("readerThreads must be a whole number, 0 or more.");
  if (!(readerThreadsFrom >= 0)) throw new TypeError("readerThreadsFrom must be a number, 0 or more.");
  const sizes = { fileMode, maxRebuildBytes, readerThreads, readerThreadsFrom, searchIndexFrom };
  const { database, aid } = openDatabase<Database>({ ...options, ...sizes, tablePrefix });
  return createSqlStorage(database, { tablePrefix }, aid);
}
