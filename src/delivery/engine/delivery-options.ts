import type { DeliveryOptions, DeliverySettings } from "../../ports/event-transport.js";
import { assertKnownOptions, type OptionNames } from "../../shared/known-options.js";
import { defaultRetryPolicy } from "./delivery-state.js";

const names: OptionNames<DeliveryOptions> = {
  autoStart: "boolean",
  closeTimeoutMilliseconds: "number",
  concurrency: "number",
  jitter: "number",
  order: "text",
  retryDelaysMilliseconds: "list",
};

const orders: readonly unknown[] = ["none", "subject"] satisfies DeliveryOptions["order"][];

/** Checks the options of deliveries. @throws TypeError naming the invalid option. */
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
