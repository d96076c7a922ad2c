import { createRequire } from "node:module";
import { type Kysely, SqliteQueryCompiler } from "kysely";
import { type Storage, StorageUnavailable } from "latchkey";
import type { UnitOfWork } from "../kysely/running-unit.js";
import type { CreateSearchAid } from "../kysely/search-aid.js";
import type { SqlConnection, SqlDatabase, SqlProfile, SqlTransaction } from "../kysely/sql-connection.js";
import { createSqlStorage } from "../kysely/sql-storage.js";
import { GroupCommit, type TransactionControl } from "./group-commit.js";
import { createHostHandle } from "./host-handle.js";
import { checkpointPages, LongCommits, maxLogBytes } from "./long-commits.js";
import { SqliteConnection, type SqliteDatabaseLike, sqliteCode, UnitConnection } from "./sqlite-connection.js";
import { SubstringSearch, type SubstringSearchOptions } from "./substring-search.js";

/** Options of {@link sqliteStorage}. */
export interface SqliteStorageOptions {
  /** A file, made when missing, or `:memory:`. */
  readonly filename: string;
  /** Before the name of each of our tables and indexes. Default `latchkey_`. */
  readonly tablePrefix?: string;
  /**
   * From how many records on a table whose texts are searched for what they contain gets an index for that, which is made and filled
   * beside the requests (docs/operations.md). Default 20,000; `Infinity`: never.
   */
  readonly searchIndexFrom?: number;
}

/**
 * A storage in a SQLite file through `better-sqlite3` (an optional peer): WAL, `synchronous=FULL`, foreign keys. An
 * acknowledged write is on disk. Reads have a connection of their own, and writes that wait are committed together.
 * Several processes may share the file. `Database` types the Kysely handle that `identity.transaction` hands out.
 * @throws Error when `better-sqlite3` is not installed or the file cannot be opened.
 */
export function sqliteStorage<Database = unknown>(options: SqliteStorageOptions): Storage<Kysely<Database>> {
  const tablePrefix = options.tablePrefix ?? "latchkey_";
  if (!/^[a-z][a-z0-9_]{0,30}$|^$/.test(tablePrefix))
    throw new TypeError("tablePrefix must be lower-case letters, digits and _.");
  const { searchIndexFrom = 20_000 } = options;
  if (!(searchIndexFrom > 0)) throw new TypeError("searchIndexFrom must be a positive number.");
  const { database, aid } = openDatabase<Database>(options.filename, searchIndexFrom);
  return createSqlStorage(database, { tablePrefix }, aid);
}

interface Opened<Database> {
  readonly database: SqlDatabase<Kysely<Database>>;
  readonly aid: CreateSearchAid;
}

function openDatabase<Database>(filename: string, searchIndexFrom: number): Opened<Database> {
  const driver = loadDriver();
  const open = (name: string): SqliteDatabaseLike => driver.open(name);
  const writer = configure(open(filename));
  writer.pragma("synchronous = FULL");
  // A held write lock is waited for by the queue: SQLite's own waiting would block the event loop.
  writer.pragma("busy_timeout = 0");
  // Another connection cannot see a database that lives in memory only.
  const isFile = filename !== ":memory:" && filename !== "";
  const reader = isFile ? configure(open(filename)) : writer;
  if (isFile) reader.pragma("query_only = ON");
  const connection = new SqliteConnection(writer);
  const longCommits = isFile ? new LongCommits({ filename, driver: driver.path }, writer, () => connection.runs) : undefined;
  const queue = new GroupCommit(transactionControl(connection, longCommits));
  const readerConnection = isFile ? new SqliteConnection(reader) : connection;
  const change = <T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> =>
    queue.run((unit) => work(new UnitConnection(connection, unit)));
  const database: SqlDatabase<Kysely<Database>> = {
    // A database in memory goes with the process, and other processes have no way to it.
    profile: { ...sqliteProfile, isDurable: isFile, isShared: isFile },
    reader: readerConnection,
    transaction: (work) => queue.run((unit) => work(toTransaction<Database>(connection, unit))),
    migration: change,
    async close() {
      await queue.idle();
      await longCommits?.idle();
      if (isFile) reader.close();
      writer.close();
    },
  };
  const options: SubstringSearchOptions = {
    reader: readerConnection,
    write: (work) => change(async (connection) => work(connection)),
    // The one connection of a database in memory is told nothing of what it changes itself.
    dataVersion: () => (isFile ? Number(readerConnection.first("pragma data_version", [])?.data_version) : undefined),
    indexFrom: searchIndexFrom,
  };
  return { database, aid: (context) => new SubstringSearch(context, options) };
}

function toTransaction<Database>(connection: SqliteConnection, unit: UnitOfWork): SqlTransaction<Kysely<Database>> {
  let handle: Kysely<Database> | undefined;
  return {
    connection: new UnitConnection(connection, unit),
    savepoint: (work) => unit.savepoint(work),
    afterCommit: (callback) => unit.afterCommit(callback),
    get native() {
      handle ??= createHostHandle<Database>(connection, unit);
      return handle;
    },
  };
}

const maxOpenMs = 5_000;

interface LoadedDriver {
  readonly path: string;
  readonly open: (filename: string) => SqliteDatabaseLike;
}

function loadDriver(): LoadedDriver {
  // Older versions of Node load the native module and then crash, so the version is looked at first.
  const major = Number(process.versions.node.split(".")[0]);
  if (major < 22) throw new Error(`latchkey/sqlite needs Node 22 or later; this is Node ${process.versions.node}.`);
  try {
    const require = createRequire(import.meta.url);
    const Driver = require("better-sqlite3");
    return { path: require.resolve("better-sqlite3"), open: (filename) => new Driver(filename, { timeout: 0 }) };
  } catch (error) {
    throw new Error("latchkey/sqlite needs the package better-sqlite3: npm install better-sqlite3", { cause: error });
  }
}

function configure(database: SqliteDatabaseLike): SqliteDatabaseLike {
  database.pragma("busy_timeout = 5000");
  retryWhileBusy(() => database.pragma("journal_mode = WAL"));
  database.pragma("foreign_keys = ON");
  database.pragma(`wal_autocheckpoint = ${checkpointPages}`);
  database.pragma(`journal_size_limit = ${maxLogBytes}`);
  return database;
}

// Processes that open a new file at the same time hinder each other in switching to WAL, and SQLite waits for that by no timeout.
function retryWhileBusy(work: () => void): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const deadline = performance.now() + maxOpenMs;
  for (;;) {
    try {
      work();
      return;
    } catch (error) {
      if (!sqliteCode(error).startsWith("SQLITE_BUSY") || performance.now() > deadline) throw error;
    }
    Atomics.wait(pause, 0, 0, 1 + Math.random() * 10);
  }
}

function transactionControl(connection: SqliteConnection, longCommits: LongCommits | undefined): TransactionControl {
  const run = (sql: string): void => void connection.run(sql, []);
  return {
    begin: () => run("begin immediate"),
    prepareCommit: () => longCommits?.prepare(),
    commit: () => run("commit"),
    rollback: () => run("rollback"),
    savepoint: (depth) => run(`savepoint s${depth}`),
    release: (depth) => run(`release s${depth}`),
    rollbackTo: (depth) => {
      run(`rollback to s${depth}`);
      run(`release s${depth}`);
    },
    isBusy: (error) => error instanceof StorageUnavailable && sqliteCode(error.cause).startsWith("SQLITE_BUSY"),
  };
}

const sqliteProfile: SqlProfile = {
  compiler: new SqliteQueryCompiler(),
  columnTypes: { text: "text", integer: "integer", boolean: "integer" },
  toParameter: (value) => (typeof value === "boolean" ? Number(value) : value),
  likeIgnoresCase: true,
  makesLargeIndexes: true,
  listTest: { before: "in (select value from json_each(", after: "))", toParameter: (values) => JSON.stringify(values) },
  sortsNullsFirst: true,
  logOrder: "integer primary key autoincrement",
  clustersById: true,
  isDurable: true,
  isShared: true,
};
