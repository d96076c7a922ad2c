import { KeyMutex } from "../shared/async/key-mutex.js";
import { pause } from "../shared/async/pause.js";

/** Where calls wait that are slowed: so many at a time, so that slowing one caller never exhausts the process for all. */
export class DelayLimiter {
  readonly #seats: number;
  #taken = 0;

  constructor(seats = 100) {
    this.#seats = seats;
  }

  get isFull(): boolean {
    return this.#taken >= this.#seats;
  }

  /** Resolves after so many milliseconds: at once for none. */
  async wait(milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return;
    this.#taken++;
    await pause(milliseconds);
    this.#taken--;
  }
}

/** Attempts at one thing that are under way in this process, and those that wait to see what becomes of them. */
interface Place {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * The attempts in flight. An attempt that is counted may yet succeed, so a caller that it would block waits for its
 * end: many right attempts side by side are none too many. At most so many wait.
 */
export class InFlightAttempts {
  readonly #maxWaiting: number;
  readonly #places = new Map<string, Place>();
  readonly #turns = new KeyMutex();
  #waiting = 0;

  constructor(maxWaiting = 1_000) {
    this.#maxWaiting = maxWaiting;
  }

  /** How many attempts are under way. */
  running(id: string): number {
    return this.#places.get(id)?.running ?? 0;
  }

  /** Whether there is something to wait for, and room to wait. */
  canWait(id: string): boolean {
    return this.running(id) > 0 && this.#waiting < this.#maxWaiting;
  }

  /** Resolves when one of the attempts under way is over. */
  async next(id: string): Promise<void> {
    const place = this.#places.get(id);
    if (place === undefined) return;
    this.#waiting++;
    await new Promise<void>((resolve) => place.waiting.push(resolve));
    this.#waiting--;
  }

  /** Runs `work` after other work on the same key has ended, so that its reads stay valid until it writes. */
  inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.#turns.run(id, work);
  }

  enter(ids: readonly string[]): void {
    for (const id of ids) {
      const place = this.#places.get(id) ?? { running: 0, waiting: [] };
      place.running++;
      this.#places.set(id, place);
    }
  }

  /** One that is over makes room for one; after the last nobody has anything to wait for. */
  leave(ids: readonly string[]): void {
    for (const id of ids) {
      const place = this.#places.get(id);
      if (place === undefined) continue;
      place.running--;
      if (place.running === 0) this.#places.delete(id);
      for (const resolve of place.waiting.splice(0, place.running === 0 ? place.waiting.length : 1)) resolve();
    }
  }
}
