import { vi } from "vitest";

/** A machine that is busy with something else may take this long; Vitest's own default is one second. */
const patienceMilliseconds = 20_000;

/** Tries `check` until it returns without throwing, and returns its result. Rejects with its last error after 20 s. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, patienceMilliseconds);
}

/** Lets the event loop turn, so that what has arrived by now is handled, however long the machine takes. */
export async function turns(count = 20): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}
