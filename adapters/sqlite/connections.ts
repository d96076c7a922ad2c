import { resolve } from "node:path";
import { findPackage, loadPackage } from "latchkey/ports";
import { StorageRuntime } from "../internal/storage-runtime.js";
import { explainOpenErrors, makeDatabaseFile } from "./database-file.js";
import { findThreadProgram } from "./database-thread.js";
import type { SqliteDatabaseLike, ThreadOptions } from "./prepared-statements.js";
import { SqliteConnection, sqliteCode } from "./sqlite-connection.js";
import { checkpointPages, maxLogBytes } from "./wal-flusher.js";

/** The connections of the event loop. */
export interface Connections {
  readonly runtime: StorageRuntime;
  /** Options for a writing thread on the same database; undefined for a database in memory. */
  readonly place: ThreadOptions | undefined;
  /** The same for a reading thread. */
  readonly readerPlace: ThreadOptions | undefined;
  readonly writer: SqliteConnection;
  /** The writer itself for a database in memory, which no other connection could see. */
  readonly reader: SqliteConnection;
  readonly setWriter: (pragma: string) => void;
  /** Runs `work` on another connection, which sees the current state for as long as it is open. */
  readonly withCopy: <T>(work: (connection: SqliteConnection) => Promise<T>) => Promise<T>;
  readonly close: () => void;
}

/** Opens a database. @throws Error when `better-sqlite3` is not installed or the file cannot be opened. */
export function openConnections(given: string, fileMode: number): Connections {
  const driver = loadDriver();
  const runtime = new StorageRuntime();
  const isInMemory = given === ":memory:" || given === "";
  // Absolute, because threads and copies open it later, when the process may have changed its folder.
  const filename = isInMemory ? given : resolve(given);
  if (!isInMemory) findThreadProgram();
  if (!isInMemory) explainOpenErrors(filename, () => makeDatabaseFile(filename, fileMode));
  const open = (pragmas: readonly string[]): SqliteDatabaseLike => {
    const database = explainOpenErrors(filename, () => configure(driver.open(filename), runtime));
    for (const pragma of pragmas) database.pragma(pragma);
    return database;
  };
  const writing = open(writerPragmas);
  const writer = new SqliteConnection(writing);
  const setWriter = (pragma: string): void => void writing.pragma(pragma);
  if (isInMemory) {
    const withCopy: Connections["withCopy"] = (work) => useOnce(driver.open(writing.serialize()), work);
    const close = (): void => void writing.close();
    return { runtime, place: undefined, readerPlace: undefined, writer, reader: writer, setWriter, withCopy, close };
  }
  const reading = open(readerPragmas);
  const close = (): void => {
    reading.close();
    writing.close();
  };
  const place = { filename, driver: driver.path, pragmas: threadPragmas, begin: "begin immediate" };
  const readerPlace = { ...place, pragmas: readerPragmas, begin: "begin", niceness: readerNiceness };
  const withCopy: Connections["withCopy"] = (work) => useOnce(open(readerPragmas), work);
  return { runtime, place, readerPlace, writer, reader: new SqliteConnection(reading), setWriter, withCopy, close };
}

async function useOnce<T>(database: SqliteDatabaseLike, work: (connection: SqliteConnection) => Promise<T>): Promise<T> {
  try {
    const connection = new SqliteConnection(database);
    connection.run("begin", []);
    connection.first("pragma data_version", []);
    return await work(connection);
  } finally {
    database.close();
  }
}

// The queue waits for a held write lock: SQLite's own waiting would block the event loop.
const writerPragmas: readonly string[] = ["synchronous = FULL", "foreign_keys = ON", "busy_timeout = 0"];

/** Many rows belong in different places of indexes: pages within 16 MiB of memory are read from the file once. */
const threadPragmas: readonly string[] = [...writerPragmas, "cache_size = -16384"];

/** Searches scan whole indexes: 64 MiB. */
const readerPragmas: readonly string[] = ["query_only = ON", "cache_size = -65536"];

/** Readers block no other thread. Beside others they get a third of a core. */
const readerNiceness = 5;

const maxOpenMs = 5_000;

interface LoadedDriver {
  readonly path: string;
  /** Opens a file, or a serialized database. */
  readonly open: (content: string | Buffer) => SqliteDatabaseLike;
}

type DriverClass = new (content: string | Buffer, options: { readonly timeout: number }) => SqliteDatabaseLike;

const driverName = "better-sqlite3";

function loadDriver(): LoadedDriver {
  const Driver = loadPackage<DriverClass>(import.meta.url, driverName, "latchkey/sqlite");
  const path = findPackage(import.meta.url, driverName, "latchkey/sqlite");
  return { path, open: (content) => new Driver(content, { timeout: 0 }) };
}

function configure(database: SqliteDatabaseLike, runtime: StorageRuntime): SqliteDatabaseLike {
  database.pragma("busy_timeout = 5000");
  retryWhileBusy(runtime, () => database.pragma("journal_mode = WAL"));
  database.pragma("foreign_keys = ON");
  database.pragma(`wal_autocheckpoint = ${checkpointPages}`);
  database.pragma(`journal_size_limit = ${maxLogBytes}`);
  return database;
}

// Processes that open a new file at the same time block each other in switching to WAL, for which SQLite has no timeout.
function retryWhileBusy(runtime: StorageRuntime, work: () => void): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const deadline = runtime.monotonic() + maxOpenMs;
  for (;;) {
    try {
      work();
      return;
    } catch (error) {
      if (!sqliteCode(error).startsWith("SQLITE_BUSY") || runtime.monotonic() > deadline) throw error;
    }
    Atomics.wait(pause, 0, 0, 1 + runtime.randomShare() * 10);
  }
}
