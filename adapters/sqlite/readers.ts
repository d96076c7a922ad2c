import { StorageUnavailable } from "latchkey/ports";
import { ignore } from "../internal/async.js";
import { ConnectionSemaphore } from "../internal/connection-semaphore.js";
import type { SqlConnection, SqlDatabase } from "../kysely/sql/sql-connection.js";
import type { Connections } from "./connections.js";
import { DatabaseThread, ThreadOnDemand } from "./database-thread.js";
import type { ThreadOptions } from "./prepared-statements.js";

/** The maximum wait for a busy thread, in milliseconds. */
const waitMs = 10_000;

/** The maximum number of threads, and the number of records from which they read a table. */
interface ReaderOptions {
  readonly readerThreads: number;
  readonly readerThreadsFrom: number;
}

/** A single pass from one end to the other needs no large cache: 8 MiB. */
const smallCache = "cache_size = -8192";

/** How long the size of a table is cached, in milliseconds. */
const sizeAgeMs = 1_000;

type Work<T> = (connection: SqlConnection) => Promise<T>;

/** Runs long reads beside the event loop: in threads, each with its own connection that sees one state at a time. */
export class Readers {
  readonly longReads: SqlDatabase<unknown>["longReads"];
  readonly #connections: Connections;
  readonly #place: ThreadOptions | undefined;
  readonly #threads: readonly ThreadOnDemand[];
  readonly #busy = new Set<ThreadOnDemand>();
  readonly #places: ConnectionSemaphore;
  readonly #snapshots = new Set<Promise<unknown>>();
  /** Whether tables have rowids, by name. */
  readonly #rowids = new Map<string, boolean>();
  /** Whether tables are large, and the time of the lookup. */
  readonly #sizes = new Map<string, { readonly isLarge: boolean; readonly instant: number }>();
  #isClosed = false;

  constructor(connections: Connections, { readerThreads, readerThreadsFrom }: ReaderOptions) {
    const { readerPlace: place, runtime } = connections;
    this.#connections = connections;
    this.#place = place;
    this.#threads = place === undefined ? [] : Array.from({ length: readerThreads }, () => new ThreadOnDemand(place, runtime));
    this.#places = new ConnectionSemaphore(runtime, readerThreads, waitMs);
    if (this.#threads.length > 0)
      this.longReads = {
        isLarge: (table) => this.#isLarge(table, readerThreadsFrom),
        run: (work) => this.#run(work),
      };
  }

  /**
   * Runs `work` of any length on the current state of the database: in a separate thread, or on a new connection of the event
   * loop when no thread can start.
   */
  async snapshot<T>(work: Work<T>): Promise<T> {
    if (this.#isClosed) throw new StorageUnavailable("The storage is closed.");
    const running = this.#snapshot(work);
    this.#snapshots.add(running);
    try {
      return await running;
    } finally {
      this.#snapshots.delete(running);
    }
  }

  /** Ends the threads once they are unused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#snapshots);
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  // With a stale size, a read may run on the event loop: it finds the same records.
  #isLarge(table: string, from: number): boolean {
    const now = this.#connections.runtime.monotonic();
    const known = this.#sizes.get(table);
    if (known !== undefined && now - known.instant < sizeAgeMs) return known.isLarge;
    const isLarge = this.#hasMany(table, from);
    this.#sizes.set(table, { isLarge, instant: now });
    return isLarge;
  }

  // SQLite has no row count, but finds the first and the last row at once.
  #hasMany(table: string, from: number): boolean {
    const { reader } = this.#connections;
    const range = `select (select max(rowid) from "${table}") - (select min(rowid) from "${table}") + 1 as n`;
    // A table of an earlier release that was not rebuilt has no rowids.
    const counted = `select count(*) as n from (select 1 from "${table}" limit ${from})`;
    return Number(reader.first(this.#hasRowids(table) ? range : counted, [])?.n) >= from;
  }

  #hasRowids(table: string): boolean {
    const known = this.#rowids.get(table);
    if (known !== undefined) return known;
    const text = "select 1 as found from sqlite_master where type = 'table' and name = ? and sql like '%without rowid'";
    const hasRowids = this.#connections.reader.first(text, [table]) === undefined;
    this.#rowids.set(table, hasRowids);
    return hasRowids;
  }

  async #run<T>(work: Work<T>): Promise<T> {
    await this.#places.enter();
    // Always the first free one, so that the others can end when one is enough.
    const free = this.#threads.find((thread) => !this.#busy.has(thread)) as ThreadOnDemand;
    this.#busy.add(free);
    try {
      return await free.use((thread) => (thread === undefined ? work(this.#connections.reader) : inTransaction(thread, work)));
    } finally {
      this.#busy.delete(free);
      this.#places.leave();
    }
  }

  async #snapshot<T>(work: Work<T>): Promise<T> {
    const place = this.#place && { ...this.#place, pragmas: [...this.#place.pragmas, smallCache] };
    const thread = place && (await DatabaseThread.start(place));
    if (thread === undefined) return this.#connections.withCopy(work);
    try {
      return await inTransaction(thread, async (connection) => {
        // The first read of a transaction determines its state.
        await connection.first("pragma data_version", []);
        return work(connection);
      });
    } finally {
      await thread.close();
    }
  }
}

// If the begin fails, the statements fail too. Reads need no commit.
async function inTransaction<T>(thread: DatabaseThread, work: Work<T>): Promise<T> {
  thread.call({ kind: "begin" }).catch(ignore);
  try {
    return await work(thread);
  } finally {
    thread.call({ kind: "rollback" }).catch(ignore);
  }
}
