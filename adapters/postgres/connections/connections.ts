import { loadPackage, StorageUnavailable } from "latchkey/ports";
import { ignore, pause } from "../../internal/async.js";
import { ConnectionSemaphore } from "../../internal/connection-semaphore.js";
import { StorageRuntime } from "../../internal/storage-runtime.js";
import type { PgClientLike, PgPoolLike } from "./pg-types.js";
import { explainConnection, isAborted, isBroken, toUnavailable } from "./pg-types.js";

/** How to wait for connections, and whether to close the pool with the storage. */
interface ConnectionOptions {
  /** The runtime of the storage's other connections. Default: a new one. */
  readonly runtime?: StorageRuntime;
  /** The maximum wait for a connection, in milliseconds. */
  readonly waitMs: number;
  readonly isOwn: boolean;
}

/** The default statement timeout, in milliseconds. */
export const defaultStatementMs = 30_000;

/** The default pool size of `pg`. */
const defaultMax = 10;

/** The maximum wait of a read for the end of a failed transaction, in milliseconds. */
const maxWaitForEndMs = 1_000;

interface Holder {
  readonly client: PgClientLike;
  readonly ended: Promise<void>;
}

/** Connections of a pool, for short reads and for transactions that hold one. */
export class Connections {
  readonly runtime: StorageRuntime;
  readonly #pool: PgPoolLike;
  readonly #options: ConnectionOptions;
  /** Transactions leave one connection to the reads that they may wait for. */
  readonly #places: ConnectionSemaphore;
  /** With a single connection, reads share it with the transaction that holds it: otherwise they would deadlock. */
  readonly #isLone: boolean;
  #holder: Holder | undefined;
  #inUse = 0;
  #isClosed = false;
  #onIdle: (() => void) | undefined;

  constructor(pool: PgPoolLike, options: ConnectionOptions) {
    const max = pool.options.max ?? defaultMax;
    this.runtime = options.runtime ?? new StorageRuntime();
    this.#pool = pool;
    this.#options = options;
    this.#isLone = max === 1;
    this.#places = new ConnectionSemaphore(this.runtime, Math.max(1, max - 1), options.waitMs);
    // A server shutdown ends idle connections and the pool opens others; without a listener, the error would end the process.
    pool.on("error", ignore);
  }

  /** Runs one or two statements on any free connection. */
  async read<T>(work: (client: PgClientLike) => Promise<T>): Promise<T> {
    try {
      return await (this.#holder === undefined
        ? this.#use((client, discard) => readOn(client, discard, work))
        : this.#readBeside(this.#holder, work));
    } catch (error) {
      throw toUnavailable(error);
    }
  }

  /**
   * Runs work that holds a connection, and that calls `discard` when the connection is unusable. Errors of the work stay
   * unchanged.
   * @throws StorageUnavailable when no connection is available.
   */
  async hold<T>(work: (client: PgClientLike, discard: () => void) => Promise<T>): Promise<T> {
    await this.#places.enter();
    try {
      return await this.#use((client, discard) => {
        const end = Promise.withResolvers<void>();
        if (this.#isLone) this.#holder = { client, ended: end.promise };
        return work(client, discard).finally(() => {
          this.#holder = undefined;
          end.resolve();
        });
      });
    } finally {
      this.#places.leave();
    }
  }

  /** Waits for the connections in use, and closes the pool if the storage owns it. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#inUse > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    this.#pool.off("error", ignore);
    if (this.#options.isOwn) await this.#pool.end();
  }

  // A failed transaction refuses reads until its end, which only work that waits for this read can delay.
  async #readBeside<T>({ client, ended }: Holder, work: (client: PgClientLike) => Promise<T>): Promise<T> {
    try {
      return await work(client);
    } catch (error) {
      if (!isAborted(error)) throw error;
      const hasEnded = await Promise.race([ended.then(() => true), pause(this.runtime.timers, maxWaitForEndMs, false)]);
      if (!hasEnded) throw new StorageUnavailable("The transaction that has the only connection has failed.", { cause: error });
      return this.read(work);
    }
  }

  async #use<T>(work: (client: PgClientLike, discard: () => void) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new StorageUnavailable("The storage is closed.");
    this.#inUse++;
    try {
      return await this.#lend(await this.#connect(), work);
    } finally {
      if (--this.#inUse === 0) this.#onIdle?.();
    }
  }

  async #lend<T>(client: PgClientLike, work: (client: PgClientLike, discard: () => void) => Promise<T>): Promise<T> {
    // A waiting caller gets the error of a lost connection; without one, the error concerns no caller.
    client.on("error", ignore);
    let isOfUse = true;
    const discard = (): void => {
      isOfUse = false;
    };
    try {
      return await work(client, discard);
    } finally {
      client.off("error", ignore);
      client.release(!isOfUse);
    }
  }

  async #connect(): Promise<PgClientLike> {
    const connecting = this.#pool.connect();
    try {
      return await (this.#options.isOwn ? connecting : this.#inTime(connecting));
    } catch (error) {
      throw error instanceof StorageUnavailable
        ? error
        : new StorageUnavailable(`The database cannot be reached: ${explainConnection(error)}`, { cause: error });
    }
  }

  // A pool of the host may wait forever; the storage's own pool has a deadline.
  async #inTime(connecting: Promise<PgClientLike>): Promise<PgClientLike> {
    const late = Promise.withResolvers<never>();
    const refuse = (): void => {
      connecting.then((client) => client.release(), ignore);
      late.reject(new StorageUnavailable("No connection to the database was free in time."));
    };
    const cancel = this.runtime.timers.after(this.#options.waitMs, refuse, true);
    try {
      return await Promise.race([connecting, late.promise]);
    } finally {
      cancel();
    }
  }
}

async function readOn<T>(client: PgClientLike, discard: () => void, work: (client: PgClientLike) => Promise<T>): Promise<T> {
  try {
    return await work(client);
  } catch (error) {
    if (isBroken(error)) discard();
    throw error;
  }
}

/** The options of the storage's own pool. */
export interface CreatePoolOptions {
  readonly connectionString?: string;
  readonly maxConnections?: number;
  readonly statementTimeoutMs?: number;
  /** Whether to send the statement timeout when the connection opens, which poolers refuse. */
  readonly sendsSettings: boolean;
}

/** Creates a pool with a maximum wait for connections, in milliseconds. @throws Error when `pg` is not installed. */
export function createPool(options: CreatePoolOptions, waitMs: number): PgPoolLike {
  const { connectionString, maxConnections = 10, sendsSettings, statementTimeoutMs = defaultStatementMs } = options;
  return new (loadPackage<PgDriver>(import.meta.url, "pg", "latchkey/postgres").Pool)({
    connectionString,
    max: maxConnections,
    connectionTimeoutMillis: waitMs,
    ...(sendsSettings && { statement_timeout: statementTimeoutMs }),
    // In case the server does not even report the timeout.
    query_timeout: statementTimeoutMs + 5_000,
    keepAlive: true,
    // The begin of a transaction and its first statement then take one round trip.
    pipeline: true,
    allowExitOnIdle: true,
  });
}

interface PgDriver {
  readonly Pool: new (options: object) => PgPoolLike;
}
