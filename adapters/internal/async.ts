import type { Timers } from "latchkey/ports";

/** Resolves after so many milliseconds. Where `isRef` is false, a process may end before. */
export function pause(timers: Timers, milliseconds: number, isRef = true): Promise<void> {
  return new Promise((resolve) => timers.after(milliseconds, resolve, isRef));
}

/** Loads a module at the first call, once. When that fails, the next call tries again. */
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

/** Does nothing with a result or an error. */
export const ignore = (): void => undefined;
