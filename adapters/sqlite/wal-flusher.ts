import { open } from "node:fs/promises";
import type { CancelTimer } from "latchkey/ports";
import type { StorageRuntime } from "../internal/storage-runtime.js";
import type { DatabaseThread, ThreadOnDemand } from "./database-thread.js";

/** From how many pages of log on, 16 MiB, a commit writes them back: a page that changes often is written once, not every few commits. */
export const checkpointPages = 4_000;

/** The same for transactions of the thread, so that it does so before the event loop has to. */
const longCheckpointPages = checkpointPages / 2;

/**
 * From how many pages on, 64 MiB, nobody writes until the log is written back, so that it begins anew. Where both the thread and the event
 * loop write, it would never end: each page costs the more time to find, the longer the log is.
 */
const maxLogPages = 4 * checkpointPages;

/** How long after the last transaction of the thread commits of the event loop write the log back again, in milliseconds. */
const restMilliseconds = 1_000;

/**
 * How long a log may become, in bytes. Beside transactions that follow one another a thread never comes to its end, so that from here on
 * the commit writes it back by itself; afterwards the file is cut to this length.
 */
export const maxLogBytes: number = 256 * 1_024 * 1_024;

/** From how many statements on a transaction is one whose log takes long to be written to the disk, and back to the database. */
const longFrom = 2_000;

/** The event loop's connection that writes. */
export interface EventLoopWriter {
  readonly runtime: StorageRuntime;
  readonly filename: string;
  /** Sets a pragma of it. */
  readonly set: (pragma: string) => void;
  /** How many statements it has run so far. */
  readonly countStatements: () => number;
}

/**
 * What long transactions leave to do for the disk is done beside the event loop: the log of those that the event loop writes itself is
 * flushed before the commit, and the log of all of them is written back by the thread.
 */
export class WalFlusher {
  readonly #writer: EventLoopWriter;
  readonly #thread: ThreadOnDemand;
  #counted = 0;
  #checkpoint: Promise<void> | undefined;
  #cancelRest: CancelTimer | undefined;

  constructor(writer: EventLoopWriter, thread: ThreadOnDemand) {
    this.#writer = writer;
    this.#thread = thread;
  }

  /** Called before each commit of the event loop; a promise where the transaction is long. */
  prepare(): Promise<void> | undefined {
    const count = this.#writer.countStatements();
    const isLong = count - this.#counted > longFrom;
    this.#counted = count;
    return isLong ? this.#flush() : undefined;
  }

  /** Call it before the thread begins a transaction, while no other one is open. */
  beforeLong(thread: DatabaseThread): void {
    thread.call({ kind: "checkpoint", fromPages: maxLogPages }).catch(() => undefined);
  }

  /** Call it when the thread has the order to commit: it writes the log back once that is long, before its next transaction. */
  afterLong(thread: DatabaseThread): void {
    this.#writeBack(thread.call({ kind: "checkpoint", fromPages: longCheckpointPages }), restMilliseconds);
  }

  /** Resolves when nothing is written back any more. */
  async idle(): Promise<void> {
    await this.#checkpoint;
  }

  /** Call it before the connection closes. */
  close(): void {
    this.#cancelRest?.();
  }

  async #flush(): Promise<void> {
    // The commit itself sees to what this leaves undone.
    const logBytes = await flushFile(`${this.#writer.filename}-wal`).catch(() => 0);
    if (logBytes > maxLogBytes) return this.#checkpoint;
    // The commit that this is about comes first.
    const writeBack = (): Promise<void> =>
      this.#thread.use(async (thread) => void (await thread?.call({ kind: "checkpoint", fromPages: 0 })));
    if (this.#checkpoint === undefined) this.#writeBack(this.#writer.runtime.timers.nextTurn().then(writeBack), 0);
  }

  // Until the thread has written it back, and has rested, no commit does.
  #writeBack(writing: Promise<unknown>, rest: number): void {
    const { runtime, set } = this.#writer;
    this.#cancelRest?.();
    set("wal_autocheckpoint = 0");
    const checkpoint: Promise<void> = Promise.all([this.#checkpoint, writing])
      // What it leaves undone, the next commit does.
      .catch(() => undefined)
      .then(() => {
        if (this.#checkpoint !== checkpoint) return;
        this.#checkpoint = undefined;
        this.#cancelRest = runtime.timers.after(rest, () => set(`wal_autocheckpoint = ${checkpointPages}`));
      });
    this.#checkpoint = checkpoint;
  }
}

/** Answers how long the file is, in bytes. */
async function flushFile(filename: string): Promise<number> {
  const file = await open(filename, "r+");
  try {
    await file.datasync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}
