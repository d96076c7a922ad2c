import { StorageUnavailable } from "latchkey/ports";
import { ignore } from "../internal/async.js";
import { ConnectionSemaphore } from "../internal/connection-semaphore.js";
import type { SqlConnection, SqlDatabase } from "../kysely/sql/sql-connection.js";
import type { Connections } from "./connections.js";
import { DatabaseThread, ThreadOnDemand } from "./database-thread.js";
import type { ThreadOptions } from "./prepared-statements.js";

/** How long a thread is waited for that others use, in milliseconds. */
const waitMs = 10_000;

/** How many threads there are at most, and from how many records of a table on they read it. */
interface ReaderOptions {
  readonly readerThreads: number;
  readonly readerThreadsFrom: number;
}

/** What is read once, from one end to the other, needs no large cache: 8 MiB. */
const smallCache = "cache_size = -8192";

/** How long a table is taken for as large as it was, in milliseconds. */
const sizeAgeMs = 1_000;

type Work<T> = (connection: SqlConnection) => Promise<T>;

/** Runs reads that may take long beside the event loop: in threads, each on a connection of its own that sees one state at a time. */
export class Readers {
  readonly longReads: SqlDatabase<unknown>["longReads"];
  readonly #connections: Connections;
  readonly #place: ThreadOptions | undefined;
  readonly #threads: readonly ThreadOnDemand[];
  readonly #busy = new Set<ThreadOnDemand>();
  readonly #places: ConnectionSemaphore;
  readonly #snapshots = new Set<Promise<unknown>>();
  /** Whether tables have rowids, by their names. */
  readonly #rowids = new Map<string, boolean>();
  /** Whether tables were large, and when that was looked up. */
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
   * Runs `work`, however long it takes, on the state of the database as it is now: in a thread that nobody else uses, or on a new connection
   * of the event loop where there can be no thread.
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

  /** Ends the threads once nobody uses them. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#snapshots);
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  // A read of a table that has grown large since may still run on the event loop: what it finds is the same.
  #isLarge(table: string, from: number): boolean {
    const now = this.#connections.runtime.monotonic();
    const known = this.#sizes.get(table);
    if (known !== undefined && now - known.instant < sizeAgeMs) return known.isLarge;
    const isLarge = this.#hasMany(table, from);
    this.#sizes.set(table, { isLarge, instant: now });
    return isLarge;
  }

  // SQLite has no count of the rows, but finds the first and the last of them at once.
  #hasMany(table: string, from: number): boolean {
    const { reader } = this.#connections;
    const range = `select (select max(rowid) from "${table}") - (select min(rowid) from "${table}") + 1 as n`;
    // A table of an earlier release, which was not rebuilt yet, has no rowids.
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
    // The first that is free, so that the others end where one is enough.
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
        // A transaction sees the state as it is when it first reads.
        await connection.first("pragma data_version", []);
        return work(connection);
      });
    } finally {
      await thread.close();
    }
  }
}

// Where it does not begin, its statements fail. What only reads has nothing to keep.
async function inTransaction<T>(thread: DatabaseThread, work: Work<T>): Promise<T> {
  thread.call({ kind: "begin" }).catch(ignore);
  try {
    return await work(thread);
  } finally {
    thread.call({ kind: "rollback" }).catch(ignore);
  }
}
