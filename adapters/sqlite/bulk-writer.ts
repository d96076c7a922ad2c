import { Worker } from "node:worker_threads";
import { StorageUnavailable } from "latchkey/storage";
import type { SqlConnection, SqlParameters, SqlRow } from "../kysely/sql-connection.js";
import { savepointControl, type TransactionControl } from "./group-commit.js";
import type { StatementOutcome } from "./prepared-statements.js";
import {
  ready,
  type WriterCall,
  type WriterOptions,
  type WriterResult,
  type WriterStatement,
  type WriterWork,
} from "./prepared-statements.js";
import { type SqliteConnection, toUnavailable } from "./sqlite-connection.js";

/** How long an idle thread stays alive, in milliseconds. */
const idleMilliseconds = 10_000;

/** Starts a thread when something long is to be written, and ends it when it has rested for a while. */
export class BulkWriter {
  readonly #place: WriterOptions;
  readonly #uses = new Set<Promise<unknown>>();
  #thread: Promise<WriterThread | undefined> = Promise.resolve(undefined);
  #rest: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(place: WriterOptions) {
    this.#place = place;
  }

  /**
   * Runs `work` with the thread, or with undefined where there can be none: then it is to be done without.
   * @throws StorageUnavailable once it is closed.
   */
  async use<T>(work: (thread: WriterThread | undefined) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new StorageUnavailable("The storage is closed.");
    clearTimeout(this.#rest);
    const using = this.#open().then(work);
    this.#uses.add(using);
    try {
      return await using;
    } finally {
      this.#uses.delete(using);
      if (this.#uses.size === 0) this.#rest = setTimeout(() => void this.#end(), idleMilliseconds).unref();
    }
  }

  /** Ends the thread once nobody uses it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#uses);
    await this.#end();
  }

  #open(): Promise<WriterThread | undefined> {
    this.#thread = this.#thread.then((thread) => (thread?.isOver === false ? thread : WriterThread.start(this.#place)));
    return this.#thread;
  }

  async #end(): Promise<void> {
    clearTimeout(this.#rest);
    const thread = this.#thread;
    this.#thread = Promise.resolve(undefined);
    await (await thread)?.close();
  }
}

/**
 * The connection of a long transaction. What is read before anything is written is read by the event loop's own connection, which sees the
 * same, as nobody else writes meanwhile, and need not send the rows from one thread to the other.
 */
export class LongConnection implements SqlConnection {
  readonly #thread: WriterThread;
  readonly #reader: SqliteConnection;
  #hasWritten = false;

  constructor(thread: WriterThread, reader: SqliteConnection) {
    this.#thread = thread;
    this.#reader = reader;
  }

  all(sql: string, parameters: SqlParameters): readonly SqlRow[] | Promise<readonly SqlRow[]> {
    if (this.#isRead(sql)) return this.#reader.all(sql, parameters);
    return this.#ask({ kind: "all", sql, parameters }) as Promise<readonly SqlRow[]>;
  }

  first(sql: string, parameters: SqlParameters): SqlRow | undefined | Promise<SqlRow | undefined> {
    if (this.#isRead(sql)) return this.#reader.first(sql, parameters);
    return this.#ask({ kind: "first", sql, parameters }) as Promise<SqlRow | undefined>;
  }

  column(sql: string, parameters: SqlParameters): readonly unknown[] | Promise<readonly unknown[]> {
    if (this.#isRead(sql)) return this.#reader.column(sql, parameters);
    return this.#ask({ kind: "column", sql, parameters }) as Promise<readonly unknown[]>;
  }

  run(sql: string, parameters: SqlParameters): Promise<number> {
    return this.#ask({ kind: "run", sql, parameters }) as Promise<number>;
  }

  runEach(sql: string, lists: readonly SqlParameters[]): Promise<readonly number[]> {
    return this.#ask({ kind: "each", sql, lists }) as Promise<readonly number[]>;
  }

  execute(sql: string, parameters: SqlParameters): Promise<StatementOutcome> {
    return this.#ask({ kind: "execute", sql, parameters }) as Promise<StatementOutcome>;
  }

  #isRead(sql: string): boolean {
    this.#hasWritten ||= !sql.startsWith("select");
    return !this.#hasWritten;
  }

  #ask(statement: WriterStatement): Promise<unknown> {
    this.#hasWritten = true;
    return askThread(this.#thread, statement);
  }
}

/**
 * The statements around a transaction of the thread. Savepoints are not waited for: where one fails, the transaction is not kept.
 * `onCommit` is called when the thread has been asked to commit.
 */
export function threadControl(
  thread: WriterThread,
  isBusy: TransactionControl["isBusy"],
  onCommit: () => void,
): TransactionControl {
  let savepoints: Promise<unknown> = Promise.resolve();
  const post = (sql: string): void => {
    const done = askThread(thread, { kind: "run", sql, parameters: [] });
    savepoints = Promise.all([savepoints, done]);
    savepoints.catch(() => undefined);
  };
  const ask = async (kind: "begin" | "commit" | "rollback"): Promise<void> => void (await askThread(thread, { kind }));
  return {
    begin: () => ask("begin"),
    async commit() {
      await savepoints;
      const committed = ask("commit");
      onCommit();
      await committed;
    },
    rollback: () => ask("rollback"),
    ...savepointControl(post),
    isBusy,
  };
}

async function askThread(thread: WriterThread, work: Parameters<WriterThread["call"]>[0]): Promise<unknown> {
  try {
    return await thread.call(work);
  } catch (error) {
    throw toUnavailable(error);
  }
}

// From source, Node strips the types itself; the published program stands beside the bundle that holds this module.
const program = new URL(import.meta.url.endsWith(".ts") ? "./writer.ts" : "./sqlite-writer.js", import.meta.url);

interface PendingCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread with a writing connection of its own. It keeps the process alive only while a call is under way. */
class WriterThread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PendingCall>();
  readonly #ended = Promise.withResolvers<void>();
  #isOver = false;
  #lastId = 0;

  private constructor(place: WriterOptions, onReady: () => void) {
    this.#worker = new Worker(program, { workerData: place, execArgv: [], env: {} });
    this.#worker.on("message", (message: WriterResult | typeof ready) => {
      if (message === ready) onReady();
      else this.#settle(message);
    });
    // Its end follows.
    this.#worker.on("error", () => undefined);
    this.#worker.on("exit", () => this.#end());
  }

  /** Starts a thread and opens its connection; undefined where there can be none. */
  static async start(place: WriterOptions): Promise<WriterThread | undefined> {
    const opened = Promise.withResolvers<boolean>();
    try {
      const thread = new WriterThread(place, () => opened.resolve(true));
      void thread.#ended.promise.then(() => opened.resolve(false));
      if (!(await opened.promise)) return undefined;
      thread.#worker.unref();
      return thread;
    } catch {
      return undefined;
    }
  }

  /** Whether it has ended, by a fault or because it was closed. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Has something done, after all that was asked for before. @throws StorageUnavailable when the thread ends before it has: what it had not
   * committed is undone then.
   */
  call(work: WriterWork): Promise<unknown> {
    if (this.#isOver) return Promise.reject(lost());
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      if (this.#pending.size === 0) this.#worker.ref();
      this.#pending.set(id, { resolve, reject });
      this.#worker.postMessage({ ...work, id } satisfies WriterCall);
    });
  }

  /** Closes the connection, once all is done that was asked for, and ends the thread. */
  async close(): Promise<void> {
    this.call({ kind: "close" }).catch(() => undefined);
    this.#isOver = true;
    await this.#ended.promise;
  }

  #settle(answer: WriterResult): void {
    const call = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    // The closing caller waits for its end.
    if (this.#pending.size === 0 && !this.#isOver) this.#worker.unref();
    if ("error" in answer) call?.reject(Object.assign(new Error(answer.error.message), { code: answer.error.code }));
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
  return new StorageUnavailable("The thread that writes has ended.");
}
