import { defaultRetryPolicy, type RetryPolicy } from "./delivery.js";

/** How events are delivered. */
export interface DeliveryOptions {
  /**
   * The pauses before a delivery that failed is tried again, in milliseconds, each somewhat longer at random; after the last the
   * receiver is given up. Default: ten attempts over about 75 hours.
   */
  readonly retryDelaysMilliseconds?: readonly number[] | undefined;
  /** By which share of itself a pause may be longer, at random: 0 to 1. Default 0.1. */
  readonly jitter?: number | undefined;
  /** How many events are sent to one receiver at a time. Default 16. */
  readonly concurrency?: number | undefined;
  /**
   * `subject`: each receiver is sent the events of a tenant with the same `linkedObjectId` one after the other, in the order of their
   * `sequence`; the next one leaves once the one before was delivered or given up. Default `none`.
   */
  readonly order?: "none" | "subject" | undefined;
}

const orders: readonly unknown[] = ["none", "subject"] satisfies DeliveryOptions["order"][];

/** Options with every default filled in. */
export interface DeliverySettings {
  readonly retry: RetryPolicy;
  readonly concurrency: number;
  readonly order: "none" | "subject";
}

/** Checks the options of deliveries. @throws TypeError naming the option that is wrong. */
export function toDeliverySettings(options: DeliveryOptions = {}): DeliverySettings {
  const { retryDelaysMilliseconds, jitter = defaultRetryPolicy.jitter, concurrency = 16, order = "none" } = options;
  const delays = retryDelaysMilliseconds ?? defaultRetryPolicy.delaysMilliseconds;
  if (!delays.every((delay) => Number.isSafeInteger(delay) && delay >= 0))
    throw new TypeError("delivery.retryDelaysMilliseconds must be whole numbers.");
  if (!(jitter >= 0 && jitter <= 1)) throw new TypeError("delivery.jitter must be from 0 to 1.");
  if (!Number.isSafeInteger(concurrency) || concurrency <= 0)
    throw new TypeError("delivery.concurrency must be a positive whole number.");
  if (!orders.includes(order)) throw new TypeError('delivery.order must be "none" or "subject".');
  return Object.freeze({ retry: { delaysMilliseconds: [...delays], jitter }, concurrency, order });
}
