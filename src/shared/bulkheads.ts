import type { Timers } from "../ports/runtime.js";

/** No seat became free in time. */
export class BulkheadFull extends Error {
  constructor() {
    super("Too many calls are under way.");
    this.name = "BulkheadFull";
  }
}

interface Bulkhead {
  running: number;
  /** Callbacks of waiting calls, oldest first; each takes the seat of a call that ends. */
  readonly waiting: Set<() => void>;
}

/**
 * Limits concurrent calls by name, so that a slow receiver delays only its own callers: at most `seats` run, and `queue` wait.
 */
export class Bulkheads {
  readonly #timers: Timers;
  readonly #seats: number;
  readonly #queue: number;
  readonly #known = new Map<string, Bulkhead>();

  constructor(timers: Timers, { seats, queue }: { readonly seats: number; readonly queue: number }) {
    this.#timers = timers;
    this.#seats = seats;
    this.#queue = queue;
  }

  /** Runs `work` in a free seat. @throws BulkheadFull when there is none within `waitMs` milliseconds, or too many calls wait. */
  async run<T>(name: string, waitMs: number, work: () => Promise<T>): Promise<T> {
    const bulkhead = this.#known.get(name) ?? { running: 0, waiting: new Set() };
    this.#known.set(name, bulkhead);
    if (bulkhead.running < this.#seats) bulkhead.running++;
    else await this.#wait(bulkhead, waitMs);
    try {
      return await work();
    } finally {
      this.#leave(name, bulkhead);
    }
  }

  async #wait({ waiting }: Bulkhead, waitMs: number): Promise<void> {
    if (waiting.size >= this.#queue) throw new BulkheadFull();
    const { promise, reject, resolve } = Promise.withResolvers<void>();
    const enter = (): void => resolve();
    waiting.add(enter);
    const giveUp = (): void => {
      waiting.delete(enter);
      reject(new BulkheadFull());
    };
    await promise.finally(this.#timers.after(waitMs, giveUp, true));
  }

  #leave(name: string, bulkhead: Bulkhead): void {
    const [next] = bulkhead.waiting;
    if (next !== undefined) {
      bulkhead.waiting.delete(next);
      next();
    } else if (--bulkhead.running === 0) this.#known.delete(name);
  }
}
