import { loadPackage, StorageUnavailable } from "latchkey/ports";
import { ignore, pause } from "../../internal/async.js";
import { ConnectionSemaphore } from "../../internal/connection-semaphore.js";
import { StorageRuntime } from "../../internal/storage-runtime.js";
import type { PgClientLike, PgPoolLike } from "./pg-types.js";
import { explainConnection, isAborted, isBroken, toUnavailable } from "./pg-types.js";

/** How connections are waited for, and whether the pool ends with the storage. */
interface ConnectionOptions {
  /** That of other connections of the storage. Default: one of its own. */
  readonly runtime?: StorageRuntime;
  /** How long a connection is waited for, in milliseconds. */
  readonly waitMs: number;
  readonly isOwn: boolean;
}

/** How long a statement may take, in milliseconds, unless an option says otherwise. */
export const defaultStatementMs = 30_000;

/** `pg`'s own number of connections in a pool. */
const defaultMax = 10;

/** How long a read waits at most for a transaction that has failed to end, in milliseconds. */
const maxWaitForEndMs = 1_000;

/** The transaction that has the only connection. */
interface Holder {
  readonly client: PgClientLike;
  readonly ended: Promise<void>;
}

/** Connections of a pool, for reads that take one for a moment and for transactions that hold one. */
export class Connections {
  readonly runtime: StorageRuntime;
  readonly #pool: PgPoolLike;
  readonly #options: ConnectionOptions;
  /** Transactions leave one connection to the reads that they may wait for. */
  readonly #places: ConnectionSemaphore;
  /** Where there is one connection only, reads share it with the transaction that has it: they would wait for each other. */
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
    // A server that goes away ends idle connections; the pool makes others, and nobody listening would end the process.
    pool.on("error", ignore);
  }

  /** Runs a statement or two on any free connection. */
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
   * Runs work that keeps a connection to itself, and that calls `discard` when the connection is of no more use. What it throws
   * passes as it is.
   * @throws StorageUnavailable when no connection was to be had.
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

  /** Waits until nothing is under way, and ends the pool if it is our own. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#inUse > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    this.#pool.off("error", ignore);
    if (this.#options.isOwn) await this.#pool.end();
  }

  // In a transaction that has failed nothing can be read until it has ended. Only work that waits for this read keeps it from ending.
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

  // A pool of the host may wait for ever; our own has the deadline built in.
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

/** What a pool of our own is made from. */
export interface CreatePoolOptions {
  readonly connectionString?: string;
  readonly maxConnections?: number;
  readonly statementTimeoutMs?: number;
  /** Whether the server learns the limit of statements as the connection opens, which poolers refuse. */
  readonly sendsSettings: boolean;
}

/** Makes a pool whose connections are waited for that long, in milliseconds. @throws Error when `pg` is not installed. */
export function createPool(options: CreatePoolOptions, waitMs: number): PgPoolLike {
  const { connectionString, maxConnections = 10, sendsSettings, statementTimeoutMs = defaultStatementMs } = options;
  return new (loadPackage<PgDriver>(import.meta.url, "pg", "latchkey/postgres").Pool)({
    connectionString,
    max: maxConnections,
    connectionTimeoutMillis: waitMs,
    ...(sendsSettings && { statement_timeout: statementTimeoutMs }),
    // Should the server not even say that it took too long.
    query_timeout: statementTimeoutMs + 5_000,
    keepAlive: true,
    // The beginning of a transaction and its first statement are one round trip then.
    pipeline: true,
    allowExitOnIdle: true,
  });
}

interface PgDriver {
  readonly Pool: new (options: object) => PgPoolLike;
}
