/** How much may be under way for one receiver. */
export interface ReceiverQueueLimits {
  /** Calls at a time. */
  readonly concurrency: number;
  /** Calls that wait. */
  readonly waiting: number;
  /** Calls that wait for a receiver that would take seconds for them. */
  readonly waitingForSlow: number;
}

interface Lane {
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
  readonly #lanes = new Map<string, Lane>();

  constructor(limits: ReceiverQueueLimits) {
    this.#limits = limits;
  }

  /** Runs `work`, which never rejects, once there is room in the lane; answers false, and runs nothing, when too much waits there already. */
  run(name: string, work: () => Promise<void>): boolean {
    const lane = this.#lanes.get(name) ?? createLane();
    this.#lanes.set(name, lane);
    if (lane.running < this.#limits.concurrency) {
      void this.#start(name, lane, work);
      return true;
    }
    if (lane.waiting.length >= this.#limitAt(timeLeft(lane))) return false;
    lane.waiting.push(work);
    return true;
  }

  /** Whether there is room in a lane for work that waits elsewhere beside `waiting` more of its kind. */
  hasRoom(name: string, waiting: number): boolean {
    const lane = this.#lanes.get(name);
    if (lane === undefined) return true;
    const all = lane.waiting.length + waiting;
    return all < this.#limitAt(all * gapOf(lane));
  }

  /** Whether any work is under way. */
  get isBusy(): boolean {
    return this.#lanes.size > 0;
  }

  /** Whether more than `count` calls wait in a lane that is soon through with so many. */
  catchesUp(count: number): boolean {
    for (const lane of this.#lanes.values()) if (lane.waiting.length > count && timeLeft(lane) <= soonMilliseconds) return true;
    return false;
  }

  /** Milliseconds after which a refused call will probably find room. Later requests get a later time. */
  timeToRoom(name: string): number {
    const lane = this.#lanes.get(name);
    if (lane === undefined) return 0;
    const now = performance.now();
    // Half of what it looks like, so that a lane that goes faster meanwhile does not run empty.
    lane.horizon = Math.max(lane.horizon, now + timeLeft(lane) / 2) + gapOf(lane);
    return lane.horizon - now;
  }

  /** Forgets all that waits. */
  clear(): void {
    for (const lane of this.#lanes.values()) lane.waiting.length = 0;
  }

  #limitAt(milliseconds: number): number {
    return milliseconds > slowMilliseconds ? this.#limits.waitingForSlow : this.#limits.waiting;
  }

  async #start(name: string, lane: Lane, work: () => Promise<void>): Promise<void> {
    lane.running++;
    for (let next: (() => Promise<void>) | undefined = work; next !== undefined; next = lane.waiting.shift()) {
      await next();
      countEnd(lane);
    }
    lane.running--;
    if (lane.running === 0) this.#lanes.delete(name);
  }
}

function createLane(): Lane {
  return { running: 0, waiting: [], gap: 0, windowStart: performance.now(), ends: 0, horizon: 0 };
}

function countEnd(lane: Lane): void {
  lane.ends++;
  const now = performance.now();
  if (now - lane.windowStart < windowMilliseconds) return;
  lane.gap = (now - lane.windowStart) / lane.ends;
  lane.windowStart = now;
  lane.ends = 0;
}

// Of a receiver that does not answer at all no window ends.
function gapOf({ ends, gap, windowStart }: Lane): number {
  const elapsed = performance.now() - windowStart;
  return elapsed < windowMilliseconds ? gap : elapsed / (ends + 1);
}

/** In how many milliseconds nothing will wait any more. */
function timeLeft(lane: Lane): number {
  return lane.waiting.length * gapOf(lane);
}
