import { vi } from "vitest";

/** Allows for a busy machine; the default of Vitest is one second. */
const patienceMilliseconds = 20_000;

/** Repeats `check` until it does not throw, and returns its result. Rejects with the last error after 20 s. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, patienceMilliseconds);
}

/** Lets the event loop handle all that has arrived, on machines of any speed. */
export async function turns(count = 20): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}
