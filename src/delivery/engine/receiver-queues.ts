/** How much may be under way for one receiver. */
export interface ReceiverQueueLimits {
  /** Calls at a time. */
  readonly concurrency: number;
  /** Calls that wait. */
  readonly waiting: number;
  /** Calls that wait for a receiver that would take seconds for them. */
  readonly waitingForSlow: number;
}

interface CallQueue {
  running: number;
  readonly waiting: (() => Promise<void>)[];
  /** Milliseconds from one end to the next, as it was in the window before; 0 before the first. */
  gap: number;
  /** When the window began that `ends` are counted in. */
  windowStart: number;
  ends: number;
  /** When a call that is put off now is likely to find room. */
  horizon: number;
}

/** A receiver that completes a few calls within this time is worth waiting for. */
const soonMilliseconds = 250;
/** A receiver that takes longer counts as slow. */
const slowMilliseconds = 2_000;
/** A busy process has many ends at once and none for a while, so that they are counted over a while. */
const windowMilliseconds = 1_000;

const minDeferMilliseconds = 1_000;
const maxDeferMilliseconds = 300_000;

/** How long what found no room is put off, in whole milliseconds. */
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

  /** Runs `work`, which never rejects, once there is room in the queue; answers false, and runs nothing, when too much waits there already. */
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

  /** Whether there is room in a queue for work that waits elsewhere beside `waiting` more of its kind. */
  hasRoom(name: string, waiting: number): boolean {
    const queue = this.#queues.get(name);
    if (queue === undefined) return true;
    const all = queue.waiting.length + waiting;
    return all < this.#limitAt(all * gapOf(queue, this.#monotonic()));
  }

  /** Whether any work is under way. */
  get isBusy(): boolean {
    return this.#queues.size > 0;
  }

  /** Whether more than `count` calls wait in a queue that is soon through with so many. */
  catchesUp(count: number): boolean {
    for (const queue of this.#queues.values())
      if (queue.waiting.length > count && timeLeft(queue, this.#monotonic()) <= soonMilliseconds) return true;
    return false;
  }

  /** Milliseconds after which a refused call will probably find room. Later requests get a later time. */
  timeToRoom(name: string): number {
    const queue = this.#queues.get(name);
    if (queue === undefined) return 0;
    const now = this.#monotonic();
    // Half of what it looks like, so that a queue that goes faster meanwhile does not run empty.
    queue.horizon = Math.max(queue.horizon, now + timeLeft(queue, now) / 2) + gapOf(queue, now);
    return queue.horizon - now;
  }

  /** Drops all waiting calls. */
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

// Of a receiver that does not answer at all no window ends.
function gapOf({ ends, gap, windowStart }: CallQueue, now: number): number {
  const elapsed = now - windowStart;
  return elapsed < windowMilliseconds ? gap : elapsed / (ends + 1);
}

/** In how many milliseconds nothing will wait any more. */
function timeLeft(queue: CallQueue, now: number): number {
  return queue.waiting.length * gapOf(queue, now);
}
