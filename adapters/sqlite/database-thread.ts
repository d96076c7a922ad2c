import { Worker } from "node:worker_threads";
import { type CancelTimer, findPackageFile, StorageUnavailable } from "latchkey/ports";
import type { StorageRuntime } from "../internal/storage-runtime.js";
import type { SqlConnection, SqlParameters, SqlRow } from "../kysely/sql/sql-connection.js";
import {
  ready,
  type StatementOutcome,
  type ThreadCall,
  type ThreadOptions,
  type ThreadResult,
  type ThreadWork,
} from "./prepared-statements.js";
import { toUnavailable } from "./sqlite-connection.js";

/** The maximum idle time of a thread, in milliseconds. */
const idleMilliseconds = 10_000;

/** The pause after a failed start of a thread, in milliseconds. */
const missingMilliseconds = 60_000;

/** Starts a thread for long work, and ends it when idle. */
export class ThreadOnDemand {
  readonly #options: ThreadOptions;
  readonly #runtime: StorageRuntime;
  readonly #uses = new Set<Promise<unknown>>();
  #thread: Promise<DatabaseThread | undefined> = Promise.resolve(undefined);
  #cancelRest: CancelTimer | undefined;
  #isClosed = false;
  #missingUntil = 0;

  constructor(options: ThreadOptions, runtime: StorageRuntime) {
    this.#options = options;
    this.#runtime = runtime;
  }

  /**
   * Runs `work` with the thread, or with undefined when none can start: then the work must do without.
   * @throws StorageUnavailable once it is closed.
   */
  async use<T>(work: (thread: DatabaseThread | undefined) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new StorageUnavailable("The storage is closed.");
    this.#cancelRest?.();
    const using = this.#open().then(work);
    this.#uses.add(using);
    try {
      return await using;
    } finally {
      this.#uses.delete(using);
      if (this.#uses.size === 0) this.#cancelRest = this.#runtime.timers.after(idleMilliseconds, () => void this.#end());
    }
  }

  /** Ends the thread once it is unused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#uses);
    await this.#end();
  }

  #open(): Promise<DatabaseThread | undefined> {
    this.#thread = this.#thread.then((thread) => (thread?.isOver === false ? thread : this.#start()));
    return this.#thread;
  }

  // When no thread can start, a failed attempt for each work would take longer than the work.
  async #start(): Promise<DatabaseThread | undefined> {
    if (this.#runtime.monotonic() < this.#missingUntil) return undefined;
    const thread = await DatabaseThread.start(this.#options);
    if (thread === undefined) this.#missingUntil = this.#runtime.monotonic() + missingMilliseconds;
    return thread;
  }

  async #end(): Promise<void> {
    this.#cancelRest?.();
    const thread = this.#thread;
    this.#thread = Promise.resolve(undefined);
    await (await thread)?.close();
  }
}

/** Finds the program of the thread. @throws Error naming the file to copy, when a bundler left it out. */
export function findThreadProgram(): URL {
  return findPackageFile(import.meta.url, { source: "./thread-program.ts", built: "sqlite-thread.js" });
}

interface PendingCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread with its own connection. It keeps the process alive only during a call. */
export class DatabaseThread implements SqlConnection {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PendingCall>();
  readonly #ended = Promise.withResolvers<void>();
  #isOver = false;
  #lastId = 0;

  private constructor(place: ThreadOptions, onReady: () => void) {
    this.#worker = new Worker(findThreadProgram(), { workerData: place, execArgv: [], env: {} });
    this.#worker.on("message", (message: ThreadResult | typeof ready) => {
      if (message === ready) onReady();
      else this.#settle(message);
    });
    // The exit event follows.
    this.#worker.on("error", () => undefined);
    this.#worker.on("exit", () => this.#end());
  }

  /** Starts a thread and opens its connection; undefined when that fails. */
  static async start(place: ThreadOptions): Promise<DatabaseThread | undefined> {
    const opened = Promise.withResolvers<boolean>();
    try {
      const thread = new DatabaseThread(place, () => opened.resolve(true));
      void thread.#ended.promise.then(() => opened.resolve(false));
      if (!(await opened.promise)) return undefined;
      thread.#worker.unref();
      return thread;
    } catch {
      return undefined;
    }
  }

  /** Whether it has ended, by an error or by closing. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Runs a call after all earlier ones. @throws StorageUnavailable when the thread ends first: uncommitted changes are rolled
   * back then.
   */
  call(work: ThreadWork): Promise<unknown> {
    if (this.#isOver) return Promise.reject(lost());
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      if (this.#pending.size === 0) this.#worker.ref();
      this.#pending.set(id, { resolve, reject });
      this.#worker.postMessage({ ...work, id } satisfies ThreadCall);
    });
  }

  all(sql: string, parameters: SqlParameters): Promise<readonly SqlRow[]> {
    return this.call({ kind: "all", sql, parameters }) as Promise<readonly SqlRow[]>;
  }

  allWithin(sql: string, parameters: SqlParameters, maxBytes: number): Promise<readonly SqlRow[] | undefined> {
    return this.call({ kind: "within", sql, parameters, maxBytes }) as Promise<readonly SqlRow[] | undefined>;
  }

  first(sql: string, parameters: SqlParameters): Promise<SqlRow | undefined> {
    return this.call({ kind: "first", sql, parameters }) as Promise<SqlRow | undefined>;
  }

  column(sql: string, parameters: SqlParameters): Promise<readonly unknown[]> {
    return this.call({ kind: "column", sql, parameters }) as Promise<readonly unknown[]>;
  }

  run(sql: string, parameters: SqlParameters): Promise<number> {
    return this.call({ kind: "run", sql, parameters }) as Promise<number>;
  }

  runEach(sql: string, lists: readonly SqlParameters[]): Promise<readonly number[]> {
    return this.call({ kind: "each", sql, lists }) as Promise<readonly number[]>;
  }

  execute(sql: string, parameters: SqlParameters): Promise<StatementOutcome> {
    return this.call({ kind: "execute", sql, parameters }) as Promise<StatementOutcome>;
  }

  /** Closes the connection after all earlier calls, and ends the thread. */
  async close(): Promise<void> {
    this.call({ kind: "close" }).catch(() => undefined);
    this.#isOver = true;
    await this.#ended.promise;
  }

  #settle(answer: ThreadResult): void {
    const call = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    // The closing caller waits for its end.
    if (this.#pending.size === 0 && !this.#isOver) this.#worker.unref();
    if ("error" in answer)
      call?.reject(toUnavailable(Object.assign(new Error(answer.error.message), { code: answer.error.code })));
    else call?.resolve(answer.value);
  }

  #end(): void {
    this.#isOver = true;
    for (const { reject } of this.#pending.values()) reject(lost());
    this.#pending.clear();
    this.#ended.resolve();
  }
}

function lost(): StorageUnavailable {
  return new StorageUnavailable("The thread of the database has ended.");
}
