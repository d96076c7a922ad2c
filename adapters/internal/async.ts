import type { Timers } from "latchkey/ports";

/** Resolves after a number of milliseconds. With `isRef` false, the process may exit before. */
export function pause(timers: Timers, milliseconds: number, isRef = true): Promise<void> {
  return new Promise((resolve) => timers.after(milliseconds, resolve, isRef));
}

/** Loads a module once, at the first call. After a failure, the next call tries again. */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | undefined;
  return () => {
    begun ??= load().catch((error: unknown) => {
      begun = undefined;
      throw error;
    });
    return begun;
  };
}

/** Ignores a result or an error. */
export const ignore = (): void => undefined;
