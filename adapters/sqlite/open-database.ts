import { type Kysely, SqliteQueryCompiler } from "kysely";
import type { UnitOfWork } from "../kysely/running-unit.js";
import type { CreateSearchIndex } from "../kysely/search/search-statements.js";
import type { SqlConnection, SqlDatabase, SqlProfile, SqlTransaction } from "../kysely/sql/sql-connection.js";
import { openConnections } from "./connections.js";
import { listSchema } from "./list-schema.js";
import { Readers } from "./readers.js";
import { rebuildTables } from "./rebuild-tables.js";
import { includesSql, memberSql } from "./search/json-members.js";
import { createSearchHelper } from "./search-helper.js";
import { createSqliteHandle, sqliteCode, UnitConnection } from "./sqlite-connection.js";
import { type OpenConnection, Transactions } from "./transactions.js";

/** Options of `sqliteStorage`. */
export interface SqliteStorageOptions {
  /** A file, created when missing, or `:memory:`. */
  readonly filename: string;
  /** The permissions of a new file, and of its log and its index. An existing file keeps its own. Default `0o600`. */
  readonly fileMode?: number;
  /** The name prefix of the service's tables and indexes. Default `latchkey_`. */
  readonly tablePrefix?: string;
  /**
   * The number of records from which a table gets an index for substring searches, created and filled beside the requests
   * (docs/operations.md). Default 20,000; `Infinity`: never.
   */
  readonly searchIndexFrom?: number;
  /**
   * The maximum size of an earlier release's file, in bytes, to rebuild its tables at the start (docs/operations.md). Larger
   * files stay unchanged until `latchkey migrate` runs. Default 64 MiB; 0: never.
   */
  readonly maxRebuildBytes?: number;
  /**
   * The maximum number of threads for long reads, such as searches of large tables, beside the event loop (docs/operations.md).
   * Each ends after 10 idle seconds. Default 2; 0: the event loop reads everything.
   */
  readonly readerThreads?: number;
  /** The number of records of a table from which its searches run in these threads. Default 5,000. */
  readonly readerThreadsFrom?: number;
}

interface OpenedDatabase<Database> {
  readonly database: SqlDatabase<Kysely<Database>>;
  readonly aid: CreateSearchIndex;
}

/** Opens a database. @throws Error when `better-sqlite3` is not installed or the file cannot be opened. */
export function openDatabase<Database>(options: Required<SqliteStorageOptions>): OpenedDatabase<Database> {
  const { fileMode, filename, maxRebuildBytes: maxBytes, searchIndexFrom: indexFrom, tablePrefix } = options;
  const connections = openConnections(filename, fileMode);
  const transactions = new Transactions(connections);
  const readers = new Readers(connections, options);
  const { place, reader, runtime, setWriter } = connections;
  const isFile = place !== undefined;
  const change = <T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> =>
    transactions.run((connection, unit) => work(new UnitConnection(connection, unit)));
  const database: SqlDatabase<Kysely<Database>> = {
    // A database in memory ends with the process, and other processes cannot open it.
    profile: { ...sqliteProfile, isDurable: isFile, isShared: isFile },
    runtime,
    reader,
    longReads: readers.longReads,
    snapshot: (work) => readers.snapshot(work),
    transaction: (work, hints) => transactions.run((connection, unit) => work(toTransaction<Database>(connection, unit)), hints),
    isReferenceError: (error) => sqliteCode(error) === "SQLITE_CONSTRAINT_FOREIGNKEY",
    migration: change,
    rebuildTables: (tables) =>
      rebuildTables({ profile: sqliteProfile, names: { tablePrefix }, reader, setWriter, change, maxBytes }, tables),
    async close() {
      await readers.close();
      await transactions.close();
      connections.close();
    },
  };
  return {
    database,
    aid: createSearchHelper({ reader, transactions, longReads: readers.longReads, isFile, indexFrom }),
  };
}

function toTransaction<Database>(connection: OpenConnection, unit: UnitOfWork): SqlTransaction<Kysely<Database>> {
  let handle: Kysely<Database> | undefined;
  return {
    connection: new UnitConnection(connection, unit),
    savepoint: (work) => unit.savepoint(work),
    afterCommit: (callback) => unit.afterCommit(callback),
    isAwaited: unit.isAwaited,
    get native() {
      handle ??= createSqliteHandle<Database>(connection, unit);
      return handle;
    },
  };
}

/** The differences of SQLite from other databases. */
const sqliteProfile: SqlProfile = {
  compiler: new SqliteQueryCompiler(),
  columnTypes: { text: "text", integer: "integer", boolean: "integer" },
  toParameter: (value) => (typeof value === "boolean" ? Number(value) : value),
  member: memberSql,
  includes: includesSql,
  likeIgnoresCase: true,
  choosesBySize: false,
  makesLargeIndexes: true,
  listTest: { before: "in (select value from json_each(", after: "))", toParameter: (values) => JSON.stringify(values) },
  sortsNullsFirst: true,
  logOrder: "integer primary key autoincrement",
  listSchema,
  indexesHoldIds: true,
  isMissingTable: (error) => error instanceof Error && error.message.startsWith("no such table: "),
  isDurable: true,
  isShared: true,
};
