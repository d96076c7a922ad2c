import { defaultRetryPolicy } from "../../../src/delivery/engine/delivery-state.js";

interface Attempt {
  readonly attemptResult: string;
  readonly endInstant: number;
  readonly webhookId?: string;
}

/**
 * Estimates the next attempt for each receiver without success, by its id (empty for the broker). The log does not contain it, so
 * this assumes the default retry delays, which a host can change.
 */
export function expectNextAttempts(attempts: readonly Attempt[]): ReadonlyMap<string, number> {
  const next = new Map<string, number>();
  for (const [receiver, made] of Map.groupBy(attempts, ({ webhookId = "" }) => webhookId)) {
    const last = made.at(-1);
    const delay = defaultRetryPolicy.delaysMilliseconds[made.length - 1];
    if (last !== undefined && last.attemptResult !== "Success" && delay !== undefined)
      next.set(receiver, last.endInstant + delay);
  }
  return next;
}
