import { defaultRetryPolicy } from "../../../src/delivery/engine/delivery-state.js";

interface Attempt {
  readonly attemptResult: string;
  readonly endInstant: number;
  readonly webhookId?: string;
}

/**
 * When each receiver that did not succeed is tried next, by its id (empty for the broker): as far as the usual delays say, which a host can
 * change. The log does not say it.
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
