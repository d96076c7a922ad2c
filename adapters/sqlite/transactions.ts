import { StorageUnavailable, type TransactionOptions } from "latchkey/ports";
import type { StorageRuntime } from "../internal/storage-runtime.js";
import type { UnitOfWork } from "../kysely/running-unit.js";
import type { SqlConnection } from "../kysely/sql/sql-connection.js";
import { LongConnection, threadControl } from "./bulk-writer.js";
import type { Connections } from "./connections.js";
import { ThreadOnDemand } from "./database-thread.js";
import { GroupCommit, savepointControl, type TransactionControl } from "./group-commit.js";
import type { HostStatements } from "./sqlite-connection.js";
import { type SqliteConnection, sqliteCode } from "./sqlite-connection.js";
import { WalFlusher } from "./wal-flusher.js";

/** The connection of a transaction. */
export type OpenConnection = SqlConnection & HostStatements;

type Work<T> = (connection: OpenConnection, unit: UnitOfWork) => Promise<T>;

/** Runs all writes, one transaction after the other: on the event loop, or on a thread for long ones. */
export class Transactions {
  readonly runtime: StorageRuntime;
  readonly #writer: SqliteConnection;
  readonly #reader: SqliteConnection;
  readonly #queue: GroupCommit;
  readonly #thread: ThreadOnDemand | undefined;
  readonly #longCommits: WalFlusher | undefined;

  constructor({ place, reader, runtime, setWriter, writer }: Connections) {
    this.runtime = runtime;
    this.#writer = writer;
    this.#reader = reader;
    this.#thread = place && new ThreadOnDemand(place, runtime);
    this.#longCommits =
      place &&
      this.#thread &&
      new WalFlusher({ filename: place.filename, set: setWriter, countStatements: () => writer.runs, runtime }, this.#thread);
    this.#queue = new GroupCommit(transactionControl(writer, this.#longCommits), runtime);
  }

  run<T>(work: Work<T>, { isInBackground, isLong = false }: TransactionOptions = {}): Promise<T> {
    return isLong && this.#thread !== undefined ? this.#runLong(work, this.#thread) : this.#runShort(work, isInBackground);
  }

  /** Closes after all earlier transactions. */
  async close(): Promise<void> {
    await this.#queue.idle();
    await this.#longCommits?.idle();
    await this.#thread?.close();
    await this.#longCommits?.idle();
    this.#longCommits?.close();
  }

  #runShort<T>(work: Work<T>, isInBackground?: boolean): Promise<T> {
    return this.#queue.run((unit) => work(this.#writer, unit), { isInBackground });
  }

  #runLong<T>(work: Work<T>, writer: ThreadOnDemand): Promise<T> {
    return writer.use(async (thread) => {
      if (thread === undefined) return this.#runShort(work);
      // Others can write while the log of the last one is checkpointed.
      await this.#longCommits?.idle();
      const connection = new LongConnection(thread, this.#reader);
      const control = threadControl(thread, isBusy, this.#longCommits);
      return this.#queue.run((unit) => work(connection, unit), { control });
    });
  }
}

function transactionControl(connection: SqliteConnection, longCommits: WalFlusher | undefined): TransactionControl {
  const run = (sql: string): void => void connection.run(sql, []);
  return {
    begin: () => run("begin immediate"),
    prepareCommit: () => longCommits?.prepare(),
    commit: () => run("commit"),
    rollback: () => run("rollback"),
    ...savepointControl(run),
    isBusy,
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof StorageUnavailable && sqliteCode(error.cause).startsWith("SQLITE_BUSY");
}
