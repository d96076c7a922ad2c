import type { ServiceContext } from "../operations/service-context.js";
import { BrokerLink } from "./broker-link.js";
import { callWebhook } from "./call-webhook.js";
import { Deliverer, type DelivererParts } from "./deliverer.js";
import { brokerId } from "./find-receivers.js";

/** What brings the events of a service to their receivers. */
export function createDeliverer(service: ServiceContext): Deliverer {
  const { concurrency, retry: policy } = service.delivery;
  const link = new BrokerLink(service);
  const call: DelivererParts["call"] = (receiverId, log) =>
    receiverId === brokerId ? link.publish(log) : callWebhook(service, receiverId, log);
  return new Deliverer({ service: () => service, call, close: () => link.close(), policy, concurrency });
}
