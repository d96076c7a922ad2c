/** The limits of one receiver's queue. */
export interface ReceiverQueueLimits {
  readonly concurrency: number;
  readonly waiting: number;
  /** The most waiting calls of a receiver that would take seconds for them. */
  readonly waitingForSlow: number;
}

interface CallQueue {
  running: number;
  readonly waiting: (() => Promise<void>)[];
  /** The mean milliseconds between ends in the previous window; 0 before the first. */
  gap: number;
  /** The start of the window in which `ends` are counted. */
  windowStart: number;
  ends: number;
  /** The time at which a call that is deferred now is likely to find room. */
  horizon: number;
}

/** A receiver that drains its queue within this time is worth waiting for. */
const soonMilliseconds = 250;
/** A receiver that takes longer counts as slow. */
const slowMilliseconds = 2_000;
/** Ends come in bursts, so they are counted over a window. */
const windowMilliseconds = 1_000;

const minDeferMilliseconds = 1_000;
const maxDeferMilliseconds = 300_000;

/** The deferral of a unit that found no room, in whole milliseconds. */
export function toDeferral(timeToRoom: number): number {
  return Math.min(Math.max(Math.round(timeToRoom), minDeferMilliseconds), maxDeferMilliseconds);
}

/** Runs work in queues, one per receiver: a slow receiver delays no other. */
export class ReceiverQueues {
  readonly #limits: ReceiverQueueLimits;
  readonly #monotonic: () => number;
  readonly #queues = new Map<string, CallQueue>();

  constructor(limits: ReceiverQueueLimits, monotonic: () => number) {
    this.#limits = limits;
    this.#monotonic = monotonic;
  }

  /** Runs `work`, which never rejects, once the queue has room; returns false, without running it, when the queue is full. */
  run(name: string, work: () => Promise<void>): boolean {
    const queue = this.#queues.get(name) ?? createQueue(this.#monotonic());
    this.#queues.set(name, queue);
    if (queue.running < this.#limits.concurrency) {
      void this.#start(name, queue, work);
      return true;
    }
    if (queue.waiting.length >= this.#limitAt(timeLeft(queue, this.#monotonic()))) return false;
    queue.waiting.push(work);
    return true;
  }

  /** Whether a queue has room for a call beside `waiting` others that wait elsewhere. */
  hasRoom(name: string, waiting: number): boolean {
    const queue = this.#queues.get(name);
    if (queue === undefined) return true;
    const all = queue.waiting.length + waiting;
    return all < this.#limitAt(all * gapOf(queue, this.#monotonic()));
  }

  get isBusy(): boolean {
    return this.#queues.size > 0;
  }

  /** Whether more than `count` calls wait in a queue that drains soon. */
  catchesUp(count: number): boolean {
    for (const queue of this.#queues.values())
      if (queue.waiting.length > count && timeLeft(queue, this.#monotonic()) <= soonMilliseconds) return true;
    return false;
  }

  /** Milliseconds after which a refused call will probably find room; later requests get later times. */
  timeToRoom(name: string): number {
    const queue = this.#queues.get(name);
    if (queue === undefined) return 0;
    const now = this.#monotonic();
    // Half of the estimate, in case the queue speeds up.
    queue.horizon = Math.max(queue.horizon, now + timeLeft(queue, now) / 2) + gapOf(queue, now);
    return queue.horizon - now;
  }

  clear(): void {
    for (const queue of this.#queues.values()) queue.waiting.length = 0;
  }

  #limitAt(milliseconds: number): number {
    return milliseconds > slowMilliseconds ? this.#limits.waitingForSlow : this.#limits.waiting;
  }

  async #start(name: string, queue: CallQueue, work: () => Promise<void>): Promise<void> {
    queue.running++;
    for (let next: (() => Promise<void>) | undefined = work; next !== undefined; next = queue.waiting.shift()) {
      await next();
      countEnd(queue, this.#monotonic());
    }
    queue.running--;
    if (queue.running === 0) this.#queues.delete(name);
  }
}

function createQueue(now: number): CallQueue {
  return { running: 0, waiting: [], gap: 0, windowStart: now, ends: 0, horizon: 0 };
}

function countEnd(queue: CallQueue, now: number): void {
  queue.ends++;
  if (now - queue.windowStart < windowMilliseconds) return;
  queue.gap = (now - queue.windowStart) / queue.ends;
  queue.windowStart = now;
  queue.ends = 0;
}

// The window of a receiver that does not answer at all never ends.
function gapOf({ ends, gap, windowStart }: CallQueue, now: number): number {
  const elapsed = now - windowStart;
  return elapsed < windowMilliseconds ? gap : elapsed / (ends + 1);
}

/** The milliseconds until the queue is likely to be empty. */
function timeLeft(queue: CallQueue, now: number): number {
  return queue.waiting.length * gapOf(queue, now);
}
