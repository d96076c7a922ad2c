import type { ServiceContext } from "../operations/service-context.js";
import { followCalls } from "../telemetry/follow-deliveries.js";
import { BrokerLink } from "./broker-link.js";
import { createWebhookCaller } from "./call-webhook.js";
import { Deliverer } from "./deliverer.js";
import type { DelivererParts } from "./deliverer-parts.js";
import { brokerId } from "./find-receivers.js";

/** What brings the events of a service to their receivers. */
export function createDeliverer(service: ServiceContext): Deliverer {
  const { closeTimeoutMilliseconds, concurrency, order, retry: policy } = service.delivery;
  const callWebhook = createWebhookCaller(service);
  const link = new BrokerLink(service);
  const call: DelivererParts["call"] = followCalls(service.telemetry, (receiverId, claim) =>
    receiverId === brokerId ? link.publish(claim) : callWebhook(receiverId, { id: claim.log.id, body: claim.wire }),
  );
  const isOrdered = order === "subject";
  const close = (): Promise<void> => link.close();
  return new Deliverer({ service: () => service, call, close, closeTimeoutMilliseconds, policy, concurrency, isOrdered });
}
