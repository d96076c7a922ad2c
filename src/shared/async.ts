import type { Timers } from "../ports/runtime.js";

// `lazily` is for speed alone: a start takes 24 ms of CPU, instead of 250 with all that is loaded later (goal 30).
// test/shape/lazy-loads.json lists what is, and what each saves.
/** A value that is made at the first call. Returns a promise until it is there, and then the value itself. */
export interface Lazy<T> {
  (): T | Promise<T>;
  /** The value or its promise if there was a call before; undefined otherwise. Makes nothing. */
  readonly begun: () => T | Promise<T> | undefined;
}

/** Makes a value at the first call, once, and returns it from then on. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Makes a value at the first call, once. When that fails, the next call tries again. */
export function lazily<T>(load: () => Promise<T>): Lazy<T> {
  let begun: { readonly value: T | Promise<T> } | undefined;
  const begin = (): Promise<T> => {
    const loading = load().then(
      (value) => {
        begun = { value };
        return value;
      },
      (error: unknown) => {
        begun = undefined;
        throw error;
      },
    );
    begun = { value: loading };
    return loading;
  };
  return Object.assign(() => (begun === undefined ? begin() : begun.value), { begun: () => begun?.value });
}

/** Resolves after so many milliseconds. */
export function pause(timers: Timers, milliseconds: number): Promise<void> {
  return new Promise((resolve) => timers.after(milliseconds, resolve, true));
}

/** What `work` resolves with, or `late` when that takes longer than so many milliseconds, which keep no process alive; rejects when `work` does in time. */
export function within<T>(
  timers: Timers,
  milliseconds: number,
  { late, work }: { readonly late: T; readonly work: Promise<T> },
): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const cancel = timers.after(milliseconds, () => resolve(late));
  return Promise.race([work, promise]).finally(cancel);
}

/** Runs work on the same key one after the other, in the order of the calls. Work on different keys runs side by side. */
export class KeyMutex {
  readonly #lastOf = new Map<string, Promise<void>>();

  /** Runs `work` after all earlier work on the key has ended, well or not. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const run = (this.#lastOf.get(key) ?? Promise.resolve()).then(work);
    const forget = (): void => {
      if (this.#lastOf.get(key) === last) this.#lastOf.delete(key);
    };
    const last: Promise<void> = run.then(forget, forget);
    this.#lastOf.set(key, last);
    return run;
  }
}

class RolledBack<T> extends Error {
  readonly value: T;
  constructor(value: T) {
    super("The transaction was rolled back on purpose.");
    this.value = value;
  }
}

/**
 * Runs a transaction whose work may call `rollBack`: nothing of it is stored then, and this resolves with the value given to `rollBack`.
 * A storage rolls back work that throws, so an error carries the value.
 */
export async function runWithRollback<T, Value>(
  transaction: (rollBack: (value: Value) => never) => Promise<T>,
): Promise<T | Value> {
  let last: RolledBack<Value> | undefined;
  try {
    return await transaction((value) => {
      last = new RolledBack(value);
      throw last;
    });
  } catch (error) {
    if (last !== undefined && error === last) return last.value;
    throw error;
  }
}
