import type { ServiceContext } from "../../operations/service-context.js";
import { EarliestTimer } from "./poll-schedule.js";
import { storeProgress } from "./store-progress.js";
import { longRunningWork, recordStoredProgress, toProgress, type Work, type Works } from "./work.js";

/** Milliseconds from one write to the next, in which what ends is written together. */
const usualInterval = 20;
/** The same while the storage fails. */
const maxInterval = 100;

/** Milliseconds until what takes long is tried again that could not be stored. */
const slowInterval = 1_000;

/** Whose progress is written. */
export interface ProgressWriterParts {
  readonly service: () => ServiceContext;
  readonly works: Works;
  /** Is called with the works that have ended, once that is stored. */
  readonly onStored: (ended: readonly Work[]) => void;
}

/**
 * Stores the delivery state of events within milliseconds of their end, independent of other deliveries: an end that is not stored
 * when the process dies is delivered again. Ends that come together share a transaction.
 */
export class ProgressWriter {
  readonly #parts: ProgressWriterParts;
  readonly #alarm = new EarliestTimer(() => this.schedule());
  #ended: Work[] = [];
  #storing: Promise<boolean> | undefined;
  /** How many ends are being stored. */
  #inFlight = 0;
  #nextTime = Number.NEGATIVE_INFINITY;
  #interval = usualInterval;
  #isHeld = false;
  #isRunning = false;

  constructor(parts: ProgressWriterParts) {
    this.#parts = parts;
  }

  /** How many works have ended and are not stored yet. */
  get count(): number {
    return this.#ended.length + this.#inFlight;
  }

  /** Begins to write by itself. */
  start(): void {
    this.#isRunning = true;
  }

  /** Writes nothing more by itself; resolves when what is being written is stored. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#alarm.clear();
    await this.idle();
  }

  /** Stores the end of a work soon. */
  add(work: Work): void {
    this.#ended.push(work);
    this.schedule();
  }

  /** Forgets the end of a work that continues. */
  remove(work: Work): void {
    this.#ended = this.#ended.filter((one) => one !== work);
  }

  /** Stores how far works are that this process does not continue, ended or not. */
  async giveBack(works: readonly Work[]): Promise<void> {
    this.#ended = [];
    if (works.length > 0) await storeProgress(this.#parts.service(), { ended: works.map(toProgress), slow: [] });
  }

  /** Stores soon what there is to store, if anything. */
  schedule(): void {
    if (!this.#isRunning || this.#isHeld || this.#storing !== undefined || !this.#hasAny) return;
    // No other end will come that could share the transaction.
    const isLast = this.#ended.length === this.#parts.works.size && this.#interval === usualInterval;
    const left = isLast ? 0 : this.#nextTime - performance.now();
    if (left <= 0) void this.store();
    else this.#alarm.set(left);
  }

  /** Stores all that there is to store; answers false, and keeps it for later, when the storage fails. */
  async store(): Promise<boolean> {
    while (this.#storing !== undefined) await this.#storing;
    if (!this.#hasAny) return true;
    this.#nextTime = performance.now() + this.#interval;
    this.#storing = this.#storeNow();
    return this.#storing;
  }

  /** Resolves when what is being stored is stored, and its works are forgotten. */
  async idle(): Promise<void> {
    await this.#storing;
  }

  /** Does work while nothing is being stored. */
  async holdDuring<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#isHeld = true;
    try {
      await this.idle();
      return await work();
    } finally {
      this.#isHeld = false;
      this.schedule();
    }
  }

  get #hasAny(): boolean {
    return this.#ended.length > 0 || longRunningWork(this.#parts.works).length > 0;
  }

  async #storeNow(): Promise<boolean> {
    const { onStored, service, works } = this.#parts;
    const ended = this.#ended.splice(0);
    const slow = longRunningWork(works);
    const progress = { ended: ended.map(toProgress), slow: slow.map(toProgress) };
    this.#inFlight = ended.length;
    for (const work of slow) work.keepTime = performance.now() + slowInterval;
    const failure = await storeProgress(service(), progress).then(
      (stored) => recordStoredProgress(works, stored, progress.slow),
      toFailure,
    );
    this.#inFlight = 0;
    this.#storing = undefined;
    if (failure !== undefined) this.#noteFailure(ended, failure);
    else {
      this.#interval = usualInterval;
      onStored(ended);
    }
    this.schedule();
    return failure === undefined;
  }

  #noteFailure(ended: readonly Work[], { cause }: Failure): void {
    const { logger } = this.#parts.service().runtime;
    // Once for each outage.
    if (this.#interval === usualInterval)
      logger.error({ err: cause }, "could not store the delivery state of events; they may be delivered again");
    this.#interval = Math.min(this.#interval * 2, maxInterval);
    this.#nextTime = performance.now() + this.#interval;
    this.#ended = [...ended, ...this.#ended];
  }
}

interface Failure {
  readonly cause: unknown;
}

function toFailure(cause: unknown): Failure {
  return { cause };
}
