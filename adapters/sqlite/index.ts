import { createRequire } from "node:module";
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import type { Storage } from "latchkey";
import type { AnyDatabase, SqlDatabase, SqlProfile, SqlTransaction } from "../kysely/sql-connection.js";
import { createSqlStorage } from "../kysely/sql-storage.js";
import { GroupCommit, type TransactionControl } from "./group-commit.js";
import { createHostHandle, type HandleLife } from "./host-handle.js";
import { SqliteConnection, type SqliteDatabaseLike, sqliteCode } from "./sqlite-connection.js";

/** Options of {@link sqliteStorage}. */
export interface SqliteStorageOptions {
  /** A file, made when missing, or `:memory:`. */
  readonly filename: string;
  /** Before the name of each of our tables and indexes. Default `latchkey_`. */
  readonly tablePrefix?: string;
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
  return createSqlStorage(openDatabase<Database>(options.filename), { tablePrefix });
}

function openDatabase<Database>(filename: string): SqlDatabase<Kysely<Database>> {
  const open = loadDriver();
  const writer = configure(open(filename));
  writer.pragma("synchronous = FULL");
  // A held write lock is waited for by the queue: SQLite's own waiting would block the event loop.
  writer.pragma("busy_timeout = 0");
  // Another connection cannot see a database that lives in memory only.
  const isFile = filename !== ":memory:" && filename !== "";
  const reader = isFile ? configure(open(filename)) : writer;
  if (isFile) reader.pragma("query_only = ON");
  const connection = new SqliteConnection(writer);
  const queue = new GroupCommit(transactionControl(connection));
  return {
    profile: sqliteProfile,
    reader: isFile ? new SqliteConnection(reader) : connection,
    transaction: (work) => queue.run((unit) => withHandle(connection, unit, work)),
    async close() {
      await queue.idle();
      if (isFile) reader.close();
      writer.close();
    },
  };
}

async function withHandle<Database, T>(
  connection: SqliteConnection,
  unit: Pick<SqlTransaction<unknown>, "savepoint" | "afterCommit">,
  work: (tx: SqlTransaction<Kysely<Database>>) => Promise<T>,
): Promise<T> {
  const life: HandleLife = { isOver: false };
  let handle: Kysely<Database> | undefined;
  try {
    return await work({
      connection,
      savepoint: unit.savepoint,
      afterCommit: unit.afterCommit,
      get native() {
        handle ??= createHostHandle<Database>(connection, life);
        return handle;
      },
    });
  } finally {
    life.isOver = true;
  }
}

function loadDriver(): (filename: string) => SqliteDatabaseLike {
  // Older versions of Node load the native module and then crash, so the version is looked at first.
  const major = Number(process.versions.node.split(".")[0]);
  if (major < 22) throw new Error(`latchkey/sqlite needs Node 22 or later; this is Node ${process.versions.node}.`);
  try {
    const Driver = createRequire(import.meta.url)("better-sqlite3");
    return (filename) => new Driver(filename, { timeout: 0 });
  } catch (error) {
    throw new Error("latchkey/sqlite needs the package better-sqlite3: npm install better-sqlite3", { cause: error });
  }
}

function configure(database: SqliteDatabaseLike): SqliteDatabaseLike {
  database.pragma("busy_timeout = 5000");
  database.pragma("journal_mode = WAL");
  database.pragma("foreign_keys = ON");
  return database;
}

function transactionControl(connection: SqliteConnection): TransactionControl {
  const run = (sql: string): void => void connection.statement(sql).run();
  return {
    begin: () => run("begin immediate"),
    commit: () => run("commit"),
    rollback: () => run("rollback"),
    savepoint: (depth) => run(`savepoint s${depth}`),
    release: (depth) => run(`release s${depth}`),
    rollbackTo: (depth) => {
      run(`rollback to s${depth}`);
      run(`release s${depth}`);
    },
    isBusy: (error) => sqliteCode(error).startsWith("SQLITE_BUSY"),
  };
}

const sqliteProfile: SqlProfile = {
  builder: new Kysely<AnyDatabase>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  columnTypes: { text: "text", integer: "integer", boolean: "integer" },
  toParameter: (value) => (typeof value === "boolean" ? Number(value) : value),
  containsFunction: "instr",
  listSource: {
    sql: (parameter) => `select value from json_each(${parameter})`,
    toParameter: (values) => JSON.stringify(values),
  },
  sortsNullsFirst: true,
  isDurable: true,
  isShared: true,
};
