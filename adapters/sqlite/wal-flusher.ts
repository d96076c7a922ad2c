import { open } from "node:fs/promises";
import type { CancelTimer } from "latchkey/ports";
import type { StorageRuntime } from "../internal/storage-runtime.js";
import type { DatabaseThread, ThreadOnDemand } from "./database-thread.js";

/**
 * The number of log pages, 16 MiB, from which a commit checkpoints them: a page that changes often is written once, not every few
 * commits.
 */
export const checkpointPages = 4_000;

/** The same for transactions of the thread, so that it checkpoints before the event loop has to. */
const longCheckpointPages = checkpointPages / 2;

/**
 * The number of log pages, 64 MiB, from which writes wait for the checkpoint, so that the log restarts. With writes of both the
 * thread and the event loop, it would never restart: the longer the log, the longer the search for each page.
 */
const maxLogPages = 4 * checkpointPages;

/** How long after the last transaction of the thread the event loop's commits checkpoint the log again, in milliseconds. */
const restMilliseconds = 1_000;

/**
 * The maximum length of a log, in bytes. During consecutive transactions a thread never finishes, so from this length on the
 * commit checkpoints the log itself; afterwards the file is cut to this length.
 */
export const maxLogBytes: number = 256 * 1_024 * 1_024;

/** The number of statements from which a transaction is long: its log takes long to flush and to checkpoint. */
const longFrom = 2_000;

/** The event loop's writing connection. */
export interface EventLoopWriter {
  readonly runtime: StorageRuntime;
  readonly filename: string;
  readonly set: (pragma: string) => void;
  /** The number of statements it has run so far. */
  readonly countStatements: () => number;
}

/**
 * Moves the disk work of long transactions off the event loop: flushes the log of the event loop's own ones before the commit,
 * and lets the thread checkpoint the log of all.
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

  /** Called before each commit of the event loop; returns a promise for a long transaction. */
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

  /** Call it after the thread got the commit: it checkpoints a long log before its next transaction. */
  afterLong(thread: DatabaseThread): void {
    this.#writeBack(thread.call({ kind: "checkpoint", fromPages: longCheckpointPages }), restMilliseconds);
  }

  /** Resolves when no checkpoint is running. */
  async idle(): Promise<void> {
    await this.#checkpoint;
  }

  /** Call it before the connection closes. */
  close(): void {
    this.#cancelRest?.();
  }

  async #flush(): Promise<void> {
    // The commit itself completes the work if this fails.
    const logBytes = await flushFile(`${this.#writer.filename}-wal`).catch(() => 0);
    if (logBytes > maxLogBytes) return this.#checkpoint;
    // The triggering commit comes first.
    const writeBack = (): Promise<void> =>
      this.#thread.use(async (thread) => void (await thread?.call({ kind: "checkpoint", fromPages: 0 })));
    if (this.#checkpoint === undefined) this.#writeBack(this.#writer.runtime.timers.nextTurn().then(writeBack), 0);
  }

  // Until the thread has finished and rested, commits do not checkpoint.
  #writeBack(writing: Promise<unknown>, rest: number): void {
    const { runtime, set } = this.#writer;
    this.#cancelRest?.();
    set("wal_autocheckpoint = 0");
    const checkpoint: Promise<void> = Promise.all([this.#checkpoint, writing])
      // The next commit completes a failed checkpoint.
      .catch(() => undefined)
      .then(() => {
        if (this.#checkpoint !== checkpoint) return;
        this.#checkpoint = undefined;
        this.#cancelRest = runtime.timers.after(rest, () => set(`wal_autocheckpoint = ${checkpointPages}`));
      });
    this.#checkpoint = checkpoint;
  }
}

/** Returns the length of the file, in bytes. */
async function flushFile(filename: string): Promise<number> {
  const file = await open(filename, "r+");
  try {
    await file.datasync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}
