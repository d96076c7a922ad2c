import type { ServiceContext } from "../../operations/service-context.js";
import { BrokerLink } from "../broker/broker-link.js";
import { createWebhookCaller, type SentEvent } from "../webhooks/call-webhook.js";
import { Deliverer } from "./deliverer.js";
import type { DelivererParts } from "./deliverer-parts.js";
import { brokerId } from "./earlier-receivers.js";
import { followCalls } from "./follow-deliveries.js";
import type { LeasedEvent } from "./leased-event.js";

/** What brings the events of a service to their receivers. */
export function createDeliverer(service: ServiceContext): Deliverer {
  const { closeTimeoutMilliseconds, concurrency, order, retry: policy } = service.delivery;
  const callWebhook = createWebhookCaller(service);
  const link = new BrokerLink(service);
  const call = followCalls(service.telemetry, (receiverId, claim) =>
    receiverId === brokerId ? link.publish(claim) : callWebhook(receiverId, toSent(claim)),
  );
  const isOrdered = order === "subject";
  const close = (): Promise<void> => link.close();
  return new Deliverer({
    service: () => service,
    call: counted(service, call),
    close,
    closeTimeoutMilliseconds,
    policy,
    concurrency,
    isOrdered,
  });
}

function toSent({ log: { eventType: type, id }, wire: body }: LeasedEvent): SentEvent {
  return { body, id, type };
}

function counted({ measurements }: ServiceContext, call: DelivererParts["call"]): DelivererParts["call"] {
  return async (receiverId, claim) => {
    const result = await call(receiverId, claim);
    const outcome = result.isDelivered ? "delivered" : result.isGone ? "receiverRemoved" : "failed";
    measurements.deliveries.note(outcome);
    return result;
  };
}
