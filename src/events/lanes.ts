/** How much may be under way for one receiver. */
export interface LaneLimits {
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
  /** Milliseconds from one end to the next, of late. */
  gap: number;
  /** When the last call ended, or the lane began. */
  lastEnd: number;
  /** When a call that is put off now is likely to find room. */
  horizon: number;
}

/** Whoever is through with what waits in this time is waited for. */
const soonMilliseconds = 100;
/** Whoever takes longer is slow. */
const slowMilliseconds = 2_000;
/** How much of the newest gap is in `gap`. */
const newestShare = 0.1;

/** Runs work in lanes, one for each receiver: whoever is slow holds up nobody else. */
export class Lanes {
  readonly #limits: LaneLimits;
  readonly #lanes = new Map<string, Lane>();

  constructor(limits: LaneLimits) {
    this.#limits = limits;
  }

  /** Runs `work`, which never rejects, once there is room in the lane; answers false, and runs nothing, when too much waits there already. */
  run(name: string, work: () => Promise<void>): boolean {
    const lane = this.#lanes.get(name) ?? { running: 0, waiting: [], gap: 0, lastEnd: performance.now(), horizon: 0 };
    this.#lanes.set(name, lane);
    if (lane.running < this.#limits.concurrency) {
      void this.#start(name, lane, work);
      return true;
    }
    if (lane.waiting.length >= this.#limitOf(lane)) return false;
    lane.waiting.push(work);
    return true;
  }

  /** Whether any work is under way. */
  get isBusy(): boolean {
    return this.#lanes.size > 0;
  }

  /** Whether more than `count` calls wait in a lane that will soon be through with them. */
  catchesUp(count: number): boolean {
    for (const lane of this.#lanes.values()) if (lane.waiting.length > count && timeLeft(lane) <= soonMilliseconds) return true;
    return false;
  }

  /** In how many milliseconds a call that found no room is likely to find some. Who asks later is told a later time. */
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

  #limitOf(lane: Lane): number {
    return timeLeft(lane) > slowMilliseconds ? this.#limits.waitingForSlow : this.#limits.waiting;
  }

  async #start(name: string, lane: Lane, work: () => Promise<void>): Promise<void> {
    lane.running++;
    for (let next: (() => Promise<void>) | undefined = work; next !== undefined; next = lane.waiting.shift()) {
      await next();
      const now = performance.now();
      lane.gap += (now - lane.lastEnd - lane.gap) * newestShare;
      lane.lastEnd = now;
    }
    lane.running--;
    if (lane.running === 0) this.#lanes.delete(name);
  }
}

// A receiver that has just ceased to answer has had short gaps until now.
function gapOf({ gap, lastEnd }: Lane): number {
  return Math.max(gap, performance.now() - lastEnd);
}

/** In how many milliseconds nothing will wait any more. */
function timeLeft(lane: Lane): number {
  return lane.waiting.length * gapOf(lane);
}
