import type { ServiceContext } from "../../operations/service-context.js";
import type { Transaction } from "../../ports/storage.js";
import type { DeliveryQueue, LeasedUnit, Progress } from "./delivery-state.js";
import { EarliestTimer } from "./poll-schedule.js";
import { isTransient, setAside } from "./set-aside.js";
import { type RunningWorks, recordProgress, toProgress, type Work } from "./work.js";

/** The milliseconds between writes; ends in between are written together. */
const usualInterval = 20;
/** The longest interval while the storage fails. */
const maxInterval = 100;

/** The milliseconds between retries of storing slow units. */
const slowInterval = 1_000;

/** The parts of a progress writer. */
export interface ProgressWriterParts<Unit extends LeasedUnit> {
  readonly service: ServiceContext;
  readonly queue: DeliveryQueue<Unit>;
  readonly works: RunningWorks<Unit>;
  /** Called with the ended works, once they are stored. */
  readonly onSaved: (ended: readonly Work<Unit>[]) => void;
}

/**
 * Stores the delivery state of units within milliseconds of their end: after a crash, unstored ends are delivered again. Ends of
 * one interval share a transaction.
 */
export class ProgressWriter<Unit extends LeasedUnit> {
  readonly #parts: ProgressWriterParts<Unit>;
  readonly #timer: EarliestTimer;
  #ended: Work<Unit>[] = [];
  #saving: Promise<boolean> | undefined;
  #inFlight = 0;
  #nextTime = Number.NEGATIVE_INFINITY;
  #interval = usualInterval;
  #isHeld = false;
  #isRunning = false;

  constructor(parts: ProgressWriterParts<Unit>) {
    this.#parts = parts;
    this.#timer = new EarliestTimer(parts.service.runtime, () => this.schedule());
  }

  /** The number of ended works that are not stored yet. */
  get count(): number {
    return this.#ended.length + this.#inFlight;
  }

  start(): void {
    this.#isRunning = true;
  }

  /** Stops the writes; resolves when the current one is done. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#timer.clear();
    await this.idle();
  }

  add(work: Work<Unit>): void {
    this.#ended.push(work);
    this.schedule();
  }

  /** Drops the end of a work that continues. */
  remove(work: Work<Unit>): void {
    this.#ended = this.#ended.filter((one) => one !== work);
  }

  /** Stores the progress of works that this process abandons, ended or not. */
  async giveBack(works: readonly Work<Unit>[]): Promise<void> {
    this.#ended = [];
    const { queue, service } = this.#parts;
    if (works.length > 0) await saveAll(service, queue, { ended: this.#progressOf(works), slow: [] });
  }

  /** Stores pending progress soon, if there is any. */
  schedule(): void {
    if (!this.#isRunning || this.#isHeld || this.#saving !== undefined || !this.#hasAny) return;
    // No other end will come that could share the transaction.
    const isLast = this.#ended.length === this.#parts.works.size && this.#interval === usualInterval;
    const left = isLast ? 0 : this.#nextTime - this.#now();
    if (left <= 0) void this.store();
    else this.#timer.set(left);
  }

  /** Stores all pending progress; returns false, to retry later, when the storage fails. */
  async store(): Promise<boolean> {
    while (this.#saving !== undefined) await this.#saving;
    if (!this.#hasAny) return true;
    this.#nextTime = this.#now() + this.#interval;
    this.#saving = this.#storeNow();
    return this.#saving;
  }

  /** Resolves when the current write is done, and its works are removed. */
  async idle(): Promise<void> {
    await this.#saving;
  }

  /** Runs `work` while nothing is being stored. */
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

  #now(): number {
    return this.#parts.service.runtime.monotonic();
  }

  get #hasAny(): boolean {
    return this.#ended.length > 0 || this.#parts.works.longRunning().length > 0;
  }

  async #storeNow(): Promise<boolean> {
    const { onSaved, queue, service, works } = this.#parts;
    const ended = this.#ended.splice(0);
    const slow = works.longRunning();
    const progress = { ended: this.#progressOf(ended), slow: this.#progressOf(slow) };
    this.#inFlight = ended.length;
    for (const work of slow) work.saveTime = this.#now() + slowInterval;
    const failure = await saveAll(service, queue, progress).then(
      (saved) => recordProgress(queue, works, { saved, progress: progress.slow }),
      toFailure,
    );
    this.#inFlight = 0;
    this.#saving = undefined;
    if (failure !== undefined) this.#keep(ended, failure);
    else {
      this.#interval = usualInterval;
      onSaved(ended);
    }
    this.schedule();
    return failure === undefined;
  }

  #progressOf(works: readonly Work<Unit>[]): readonly Progress<Unit>[] {
    return works.map((work) => toProgress(this.#parts.queue, work));
  }

  #keep(ended: readonly Work<Unit>[], { cause }: Failure): void {
    const { queue, service } = this.#parts;
    // Once for each outage.
    if (this.#interval === usualInterval)
      service.runtime.logger.error(
        { err: cause },
        `could not store the delivery state of ${queue.name}; they may be delivered again`,
      );
    this.#interval = Math.min(this.#interval * 2, maxInterval);
    this.#nextTime = this.#now() + this.#interval;
    this.#ended = [...ended, ...this.#ended];
  }
}

interface Failure {
  readonly cause: unknown;
}

function toFailure(cause: unknown): Failure {
  return { cause };
}

interface AllProgress<Unit> {
  readonly ended: readonly Progress<Unit>[];
  readonly slow: readonly Progress<Unit>[];
}

/**
 * Stores the progress of units in one transaction; returns the slow ones as stored. When that fails, a binary search finds the
 * bad record and sets it aside.
 */
async function saveAll<Unit extends LeasedUnit>(
  service: ServiceContext,
  queue: DeliveryQueue<Unit>,
  { ended, slow }: AllProgress<Unit>,
): Promise<readonly Unit[]> {
  const leasedUntil = (): number => service.runtime.clock() + queue.leaseMilliseconds;
  const work = async (tx: Transaction): Promise<readonly Unit[]> => {
    await queue.save(tx, ended, 0);
    return queue.save(tx, slow, leasedUntil());
  };
  try {
    return await service.storage.transaction(work, { isolation: "snapshot" });
  } catch (error) {
    if (isTransient(error)) throw error;
    await saveFew(service, queue, ended, 0);
    return saveFew(service, queue, slow, leasedUntil());
  }
}

async function saveFew<Unit extends LeasedUnit>(
  service: ServiceContext,
  queue: DeliveryQueue<Unit>,
  units: readonly Progress<Unit>[],
  leasedUntil: number,
): Promise<readonly Unit[]> {
  const [first] = units;
  if (first === undefined) return [];
  try {
    return await service.storage.transaction((tx) => queue.save(tx, units, leasedUntil), { isolation: "snapshot" });
  } catch (error) {
    if (isTransient(error)) throw error;
    if (units.length === 1) {
      await setUnitAside(service, queue, first, error);
      return [];
    }
    const half = Math.ceil(units.length / 2);
    const saved = await saveFew(service, queue, units.slice(0, half), leasedUntil);
    return [...saved, ...(await saveFew(service, queue, units.slice(half), leasedUntil))];
  }
}

async function setUnitAside<Unit extends LeasedUnit>(
  service: ServiceContext,
  { outbox, table, toRecord }: DeliveryQueue<Unit>,
  { lease, unit }: Progress<Unit>,
  error: unknown,
): Promise<void> {
  if (lease === undefined || outbox === undefined) await setAside(service, { table, record: toRecord(unit, 0), error });
  else await outbox.setAside(unit, lease, error);
}
