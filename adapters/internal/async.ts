import type { Timers } from "latchkey/ports";

/** Resolves after so many milliseconds. Where `isRef` is false, a process may end before. */
export function pause(timers: Timers, milliseconds: number, isRef = true): Promise<void> {
  return new Promise((resolve) => timers.after(milliseconds, resolve, isRef));
}

/** Does nothing with a result or an error. */
export const ignore = (): void => undefined;
