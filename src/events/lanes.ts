/** How much may be under way for one receiver. */
export interface LaneLimits {
  /** Calls at a time. */
  readonly concurrency: number;
  /** Calls that wait. */
  readonly waiting: number;
}

interface Lane {
  running: number;
  readonly waiting: (() => Promise<void>)[];
}

/** Runs work in lanes, one for each receiver: whoever is slow holds up nobody else. */
export class Lanes {
  readonly #limits: LaneLimits;
  readonly #lanes = new Map<string, Lane>();

  constructor(limits: LaneLimits) {
    this.#limits = limits;
  }

  /** Runs `work`, which never rejects, once there is room in the lane; answers false, and runs nothing, when too much waits there already. */
  run(name: string, work: () => Promise<void>): boolean {
    const lane = this.#lanes.get(name) ?? { running: 0, waiting: [] };
    this.#lanes.set(name, lane);
    if (lane.running < this.#limits.concurrency) {
      void this.#start(name, lane, work);
      return true;
    }
    if (lane.waiting.length >= this.#limits.waiting) return false;
    lane.waiting.push(work);
    return true;
  }

  /** Whether any work is under way. */
  get isBusy(): boolean {
    return this.#lanes.size > 0;
  }

  /** Forgets all that waits. */
  clear(): void {
    for (const lane of this.#lanes.values()) lane.waiting.length = 0;
  }

  async #start(name: string, lane: Lane, work: () => Promise<void>): Promise<void> {
    lane.running++;
    for (let next: (() => Promise<void>) | undefined = work; next !== undefined; next = lane.waiting.shift()) await next();
    lane.running--;
    if (lane.running === 0) this.#lanes.delete(name);
  }
}
