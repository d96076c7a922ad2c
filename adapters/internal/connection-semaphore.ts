import { StorageUnavailable } from "latchkey/ports";
import type { StorageRuntime } from "./storage-runtime.js";

/** A counting semaphore with a first-in, first-out queue and a limited wait. */
export class ConnectionSemaphore {
  readonly #waiting = new Set<() => void>();
  readonly #runtime: StorageRuntime;
  readonly #waitMs: number;
  #free: number;

  constructor(runtime: StorageRuntime, count: number, waitMs: number) {
    this.#runtime = runtime;
    this.#free = count;
    this.#waitMs = waitMs;
  }

  /** Returns undefined when a place is free. @throws StorageUnavailable when no place becomes free in time. */
  enter(): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free--;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        cancel();
        resolve();
      };
      const refuse = (): void => {
        this.#waiting.delete(admit);
        reject(new StorageUnavailable("No connection to the database was free in time."));
      };
      const cancel = this.#runtime.timers.after(this.#waitMs, refuse, true);
      this.#waiting.add(admit);
    });
  }

  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free++;
    else {
      this.#waiting.delete(next);
      next();
    }
  }
}
