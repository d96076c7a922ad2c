import type { ServiceContext } from "../../operations/service-context.js";
import type { BrokerMessage } from "../../ports/event-transport.js";
import { type AttemptResult, receiverRemoved } from "../engine/delivery-state.js";
import { brokerId } from "../integrations/earlier-receivers.js";
import { loadIntegrations } from "../integrations/rules.js";
import type { LeasedEvent } from "../queues/leased-event.js";

type PublishedEvent = Pick<LeasedEvent, "log" | "tenantId" | "wire">;

/** Publishes an event to the broker of the integrations (docs/reference/integrations.md#object). Never rejects. */
export async function publishEvent(service: ServiceContext, event: PublishedEvent): Promise<AttemptResult> {
  try {
    const { enabled, defaultTopic = "", producer } = (await loadIntegrations(service, service.storage)).broker;
    if (!enabled) return receiverRemoved;
    const outcome = await service.brokers.publish(brokerId, { defaultTopic, producer }, toMessage(defaultTopic, event));
    return outcome.kind === "ok" ? { isDelivered: true } : { isDelivered: false, exception: outcome.reason };
  } catch (error) {
    service.runtime.logger.error({ err: error }, "an event could not be published");
    return { isDelivered: false, exception: "internal" };
  }
}

function toMessage(topic: string, { log, tenantId, wire: value }: PublishedEvent): BrokerMessage {
  const { eventType, id, linkedObjectId, sequence } = log;
  const headers = {
    "event-id": id,
    "event-type": eventType,
    sequence: String(sequence),
    ...(tenantId !== null && { "tenant-id": tenantId }),
  };
  return { id, topic, key: linkedObjectId ?? tenantId ?? undefined, value, headers };
}
