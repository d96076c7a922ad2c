import { defaultRetryPolicy, type RetryPolicy } from "./delivery.js";

/** How events are delivered. */
export interface DeliveryOptions {
  /**
   * The pauses before a delivery that failed is tried again, in milliseconds, each up to a tenth longer at random; after the last the
   * receiver is given up. Default: ten attempts over about 75 hours.
   */
  readonly retryDelaysMilliseconds?: readonly number[] | undefined;
  /** How many events are sent to one receiver at a time. Default 16. */
  readonly concurrency?: number | undefined;
}

/** Options with every default filled in. */
export interface DeliverySettings {
  readonly retry: RetryPolicy;
  readonly concurrency: number;
}

/** Checks the options of deliveries. @throws TypeError naming the option that is wrong. */
export function toDeliverySettings({ retryDelaysMilliseconds, concurrency = 16 }: DeliveryOptions = {}): DeliverySettings {
  const delays = retryDelaysMilliseconds ?? defaultRetryPolicy.delaysMilliseconds;
  if (!delays.every((delay) => Number.isSafeInteger(delay) && delay >= 0))
    throw new TypeError("delivery.retryDelaysMilliseconds must be whole numbers.");
  if (!Number.isSafeInteger(concurrency) || concurrency <= 0)
    throw new TypeError("delivery.concurrency must be a positive whole number.");
  return Object.freeze({ retry: { ...defaultRetryPolicy, delaysMilliseconds: [...delays] }, concurrency });
}
