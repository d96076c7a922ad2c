// For speed only: 64 callers create records for 80 µs of CPU each, instead of 430, and ten times as many in a second (goal
// 5 of docs/internals/performance/goals.md).
import { StorageUnavailable } from "latchkey/ports";
import { pause } from "../internal/async.js";
import type { StorageRuntime } from "../internal/storage-runtime.js";
import { RunningUnit, type SavepointControl, TransactionAborted, type UnitOfWork } from "../kysely/running-unit.js";

/** The control statements of transactions on one connection: synchronous, or in order on a separate thread. */
export interface TransactionControl extends SavepointControl {
  begin(): void | Promise<void>;
  /** Work before the commit, off the event loop, if it takes long. */
  prepareCommit?(): Promise<void> | undefined;
  commit(): void | Promise<void>;
  rollback(): void | Promise<void>;
  /** Whether an error means that another process holds the write lock. */
  isBusy(error: unknown): boolean;
}

/** Savepoints in SQLite's syntax. */
export function savepointControl(run: (sql: string) => void): SavepointControl {
  return {
    savepoint: (depth) => run(`savepoint s${depth}`),
    release: (depth) => run(`release s${depth}`),
    rollbackTo: (depth) => {
      run(`rollback to s${depth}`);
      run(`release s${depth}`);
    },
  };
}

interface JobOptions {
  /** The control of another connection, which the unit uses alone. */
  readonly control?: TransactionControl;
  readonly isInBackground?: boolean | undefined;
}

interface Job {
  readonly control: TransactionControl;
  readonly isInBackground: boolean;
  readonly work: (unit: UnitOfWork) => Promise<unknown>;
  readonly settle: (outcome: { readonly value: unknown } | { readonly error: unknown }) => void;
}

const maxJobsPerCommit = 256;
const maxBusyMs = 10_000;

/**
 * Runs units of work one after another and commits waiting ones together, each in its own savepoint, so that one flush to disk
 * serves them all (test/bench/README.md: the flush is most of the cost of a small write). A failed unit rolls back only itself.
 * Callers get their results after the commit.
 */
export class GroupCommit {
  readonly #control: TransactionControl;
  readonly #runtime: StorageRuntime;
  readonly #waiting: Job[] = [];
  #running: Promise<void> | undefined;

  constructor(control: TransactionControl, runtime: StorageRuntime) {
    this.#control = control;
    this.#runtime = runtime;
  }

  run<T>(
    work: (unit: UnitOfWork) => Promise<T>,
    { control = this.#control, isInBackground = false }: JobOptions = {},
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const settle: Job["settle"] = (outcome) => ("error" in outcome ? reject(outcome.error) : resolve(outcome.value as T));
      this.#waiting.push({ control, isInBackground, work, settle });
      this.#running ??= this.#drain();
    });
  }

  /** Resolves when the queue is empty. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #drain(): Promise<void> {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      // One turn of the event loop lets every request that has already arrived join, and other work run beside busy callers.
      await this.#runtime.timers.nextTurn();
      await this.#commitTogether(first.control, this.#waiting.splice(0, this.#countTogether(first.control)));
    }
    this.#running = undefined;
  }

  #countTogether(control: TransactionControl): number {
    if (control !== this.#control) return 1;
    const others = this.#waiting.findIndex((job) => job.control !== control);
    return Math.min(maxJobsPerCommit, others === -1 ? this.#waiting.length : others);
  }

  async #commitTogether(control: TransactionControl, jobs: readonly Job[]): Promise<void> {
    const finished: (() => void)[] = [];
    try {
      await begin(control, this.#runtime);
      const isAwaited = (): boolean => jobs.length > 1 || this.#waiting.some((job) => !job.isInBackground);
      for (const job of jobs) finished.push(await (jobs.length === 1 ? runAlone : runJob)(job, isAwaited));
      const preparing = control.prepareCommit?.();
      if (preparing !== undefined) await preparing;
      const committing = control.commit();
      if (committing !== undefined) await committing;
    } catch (error) {
      await undo(control);
      for (const job of jobs) job.settle({ error });
      return;
    }
    for (const answer of finished) answer();
  }
}

// There may be nothing to roll back: SQLite rolls a transaction back by itself when it cannot commit it.
async function undo(control: TransactionControl): Promise<void> {
  try {
    await control.rollback();
  } catch {}
}

// A single job needs no savepoint: its failure rolls back the transaction.
async function runAlone(job: Job, isAwaited: () => boolean): Promise<() => void> {
  const unit = new RunningUnit(job.control, isAwaited);
  const value = await unit.runAlone(job.work);
  return () => finish(job, unit, value);
}

async function runJob(job: Job, isAwaited: () => boolean): Promise<() => void> {
  const unit = new RunningUnit(job.control, isAwaited);
  try {
    const value = await unit.run(job.work);
    return () => finish(job, unit, value);
  } catch (error) {
    if (error instanceof TransactionAborted) throw error;
    return () => job.settle({ error });
  }
}

// SQLite's own waiting would block the event loop, so a held lock is retried with a pause.
async function begin(control: TransactionControl, runtime: StorageRuntime): Promise<void> {
  const deadline = runtime.monotonic() + maxBusyMs;
  for (;;) {
    try {
      const beginning = control.begin();
      return beginning === undefined ? undefined : await beginning;
    } catch (error) {
      if (!control.isBusy(error)) throw error;
      if (runtime.monotonic() > deadline) throw new StorageUnavailable("Another process holds the write lock.", { cause: error });
    }
    await pause(runtime.timers, 5 + runtime.randomShare() * 10);
  }
}

// An error of a callback concerns only its own job.
function finish(job: Job, unit: RunningUnit, value: unknown): void {
  try {
    for (const callback of unit.callbacks) callback();
    job.settle({ value });
  } catch (error) {
    job.settle({ error });
  }
}
