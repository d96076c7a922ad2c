import { Worker } from "node:worker_threads";
import { StorageUnavailable } from "latchkey/storage";
import { ready, type WriterCall, type WriterOptions, type WriterResult, type WriterWork } from "./writer-calls.js";

// From source, Node strips the types itself; the published program stands beside the bundle that holds this module.
const program = new URL(import.meta.url.endsWith(".ts") ? "./writer.ts" : "./sqlite-writer.js", import.meta.url);

interface PendingCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread with a writing connection of its own. It keeps the process alive only while a call is under way. */
export class WriterThread {
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
