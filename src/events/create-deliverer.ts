import type { ServiceContext } from "../operations/service-context.js";
import { callWebhook } from "./call-webhook.js";
import { Deliverer } from "./deliverer.js";

/** What brings the events of a service to their receivers. */
export function createDeliverer(service: ServiceContext): Deliverer {
  const { concurrency, retry: policy } = service.delivery;
  const call: ConstructorParameters<typeof Deliverer>[0]["call"] = (receiverId, log) => callWebhook(service, receiverId, log);
  return new Deliverer({ service: () => service, call, policy, concurrency });
}
