import { assertKnownOptions, type OptionNames } from "../../shared/known-options.js";
import { defaultRetryPolicy, type RetryPolicy } from "./delivery-state.js";

/** How events, mails and text messages are delivered. */
export interface DeliveryOptions {
  /**
   * Whether this process begins to deliver by itself. `false`: it delivers once `identity.start()` is called, or what
   * `identity.settle()` finds due. Default true.
   */
  readonly autoStart?: boolean | undefined;
  /** How long `identity.close()` waits for attempts that are under way, in milliseconds. Default 10,000. */
  readonly closeTimeoutMilliseconds?: number | undefined;
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

const names: OptionNames<DeliveryOptions> = {
  autoStart: true,
  closeTimeoutMilliseconds: true,
  concurrency: true,
  jitter: true,
  order: true,
  retryDelaysMilliseconds: true,
};

const orders: readonly unknown[] = ["none", "subject"] satisfies DeliveryOptions["order"][];

/** Options with every default filled in. */
export interface DeliverySettings {
  readonly autoStart: boolean;
  readonly closeTimeoutMilliseconds: number;
  readonly retry: RetryPolicy;
  readonly concurrency: number;
  readonly order: "none" | "subject";
}

/** Checks the options of deliveries. @throws TypeError naming the option that is wrong. */
export function toDeliverySettings(given: DeliveryOptions | false = {}): DeliverySettings {
  if (given !== false) assertKnownOptions("delivery", given, names);
  const options: DeliveryOptions = given === false ? { autoStart: false } : given;
  const { retryDelaysMilliseconds, jitter = defaultRetryPolicy.jitter, concurrency = 16, order = "none" } = options;
  const { autoStart = true, closeTimeoutMilliseconds = 10_000 } = options;
  const delays = retryDelaysMilliseconds ?? defaultRetryPolicy.delaysMilliseconds;
  if (!delays.every((delay) => Number.isSafeInteger(delay) && delay >= 0))
    throw new TypeError("delivery.retryDelaysMilliseconds must be whole numbers.");
  if (!(jitter >= 0 && jitter <= 1)) throw new TypeError("delivery.jitter must be from 0 to 1.");
  if (!Number.isSafeInteger(concurrency) || concurrency <= 0)
    throw new TypeError("delivery.concurrency must be a positive whole number.");
  if (!orders.includes(order)) throw new TypeError('delivery.order must be "none" or "subject".');
  if (!Number.isSafeInteger(closeTimeoutMilliseconds) || closeTimeoutMilliseconds < 0)
    throw new TypeError("delivery.closeTimeoutMilliseconds must be a whole number.");
  const retry = { delaysMilliseconds: [...delays], jitter };
  return Object.freeze({ autoStart, closeTimeoutMilliseconds, retry, concurrency, order });
}
