import { setImmediate } from "node:timers";

/** Resolves after so many milliseconds. Where `isRef` is false, a process may end before. */
export function pause(milliseconds: number, isRef = true): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  if (!isRef) timer.unref();
  return promise;
}

/** Resolves in the next turn of the event loop; of the real one, where the tests of a host have a clock of their own. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Does nothing with a result or an error. */
export const ignore = (): void => undefined;
