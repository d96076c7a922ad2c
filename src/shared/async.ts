import type { Timers } from "../ports/runtime.js";

// `lazily` is for speed alone: a start takes 24 ms of CPU, instead of 250 with all lazy modules (goal 30 of
// docs/internals/performance/goals.md). test/shape/lazy-loads.json lists them with the time that each saves.
/** A value computed at the first call. Returns a promise until the value is there, then the value itself. */
export interface Lazy<T> {
  (): T | Promise<T>;
  /** Returns the value or its promise after the first call, else undefined. Does not start the computation. */
  readonly begun: () => T | Promise<T> | undefined;
}

/** Memoizes a function without arguments. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Memoizes an asynchronous function without arguments. After a failure the next call tries again. */
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

/** Runs steps one after another, each also after one that failed. @throws The error of the first step that failed. */
export async function runAll(steps: readonly (() => void | Promise<void>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

/** Resolves after a number of milliseconds. */
export function pause(timers: Timers, milliseconds: number): Promise<void> {
  return new Promise((resolve) => timers.after(milliseconds, resolve, true));
}

/**
 * Resolves like `work`, or with `late` after the timeout in milliseconds, which does not keep the process alive; rejects when
 * `work` does in time.
 */
export function within<T>(
  timers: Timers,
  milliseconds: number,
  { late, work }: { readonly late: T; readonly work: Promise<T> },
): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const cancel = timers.after(milliseconds, () => resolve(late));
  return Promise.race([work, promise]).finally(cancel);
}

/** Runs tasks with the same key one after another, in the order of the calls, and tasks with different keys in parallel. */
export class KeyMutex {
  readonly #lastOf = new Map<string, Promise<void>>();

  /** Runs `work` after all earlier work on the key has settled. */
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
 * Runs a transaction that can call `rollBack`: then nothing is stored, and this resolves with the argument of `rollBack`. An
 * error carries the value, since storages roll back a transaction that throws.
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
