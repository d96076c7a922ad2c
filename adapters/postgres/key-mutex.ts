import { pause } from "../internal/async.js";

/** Turns for what is wanted by several at once, by key: who asks first is first. */
export class KeyMutex {
  readonly #last = new Map<string, Promise<void>>();

  /** Whether somebody has, or waits for, the turn of this key. */
  isTaken(key: string): boolean {
    return this.#last.has(key);
  }

  /** Resolves when it is the caller's turn, or when it has waited so long, with the function that ends it. */
  async take(key: string, maxWaitMs?: number): Promise<() => void> {
    const before = this.#last.get(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last.set(key, promise);
    await (maxWaitMs === undefined || before === undefined ? before : Promise.race([before, pause(maxWaitMs)]));
    return () => {
      if (this.#last.get(key) === promise) this.#last.delete(key);
      resolve();
    };
  }
}
