import { eventsTable } from "../../operations/outbox/tables.js";
import type { ServiceContext } from "../../operations/service-context.js";
import type { ActivityEnd } from "../../ports/telemetry.js";
import type { AttemptResult, DeliveryQueue } from "../engine/delivery-state.js";
import { setLeasedAside } from "../engine/set-aside.js";
import { brokerId } from "../integrations/earlier-receivers.js";
import { leaseFromOutbox } from "../queues/lease-events.js";
import { eventLogUnits, type LeasedEvent, withAttempts } from "../queues/leased-event.js";
import { saveEvents } from "../queues/stored-events.js";
import { createWebhookCaller } from "../webhooks/call-webhook.js";
import { publishEvent } from "./publish-event.js";

type SendEvent = DeliveryQueue<LeasedEvent>["send"];

/** The queue that leases events from the outbox and sends them to webhooks and the broker. */
export function createEventQueue(service: ServiceContext): DeliveryQueue<LeasedEvent> {
  const callWebhook = createWebhookCaller(service);
  const send: SendEvent = (receiverId, unit) => {
    const { id, eventType: type } = unit.log;
    return receiverId === brokerId ? publishEvent(service, unit) : callWebhook(receiverId, { body: unit.wire, id, type });
  };
  return {
    ...eventLogUnits,
    name: "events",
    concurrency: service.delivery.concurrency,
    maxOpen: 2_000,
    maxDue: 100,
    outbox: {
      lease: (query) => leaseFromOutbox(service, query),
      setAside: (unit, lease, error) => {
        const record = { id: unit.log.id, hidden: eventLogUnits.toRecord(unit, 0).json, json: unit.wire };
        return setLeasedAside(service, { table: eventsTable, record, error }, lease);
      },
    },
    send: countAttempts(service, followAttempts(service, send)),
    withAttempts,
    save: (tx, progress, leasedUntil) => saveEvents({ service, tx }, progress, leasedUntil),
    close: () => service.brokers.close(),
  };
}

function countAttempts({ measurements }: ServiceContext, send: SendEvent): SendEvent {
  return async (receiverId, unit) => {
    const result = await send(receiverId, unit);
    measurements.deliveries.note(result.isDelivered ? "delivered" : result.isFinal ? "receiverRemoved" : "failed");
    return result;
  };
}

// With telemetry, each attempt is an activity.
function followAttempts({ telemetry }: ServiceContext, send: SendEvent): SendEvent {
  if (telemetry === undefined) return send;
  return (receiverId, unit) => {
    const channel = receiverId === brokerId ? "broker" : "webhook";
    const activity = { kind: "delivery", channel, eventType: unit.log.eventType } as const;
    return telemetry.follow(activity, () => send(receiverId, unit), toEnd);
  };
}

function toEnd({ isDelivered, isFinal }: AttemptResult): ActivityEnd {
  if (isDelivered) return { outcome: "ok", isFailed: false };
  return isFinal ? { outcome: "gone", isFailed: false } : { outcome: "failed", isFailed: true };
}
