import { createDeliverer } from "../events/create-deliverer.js";
import type { Delivering } from "../events/delivery-on-demand.js";
import type { ServiceContext } from "../operations/service-context.js";
import { MailDeliverer } from "./mail-deliverer.js";

/** What brings away all that waits: events, and mails where the host has said how. */
export function createDeliverers(service: ServiceContext): Delivering {
  const mails = service.mail === undefined ? [] : [new MailDeliverer({ service, send: service.mail })];
  const all: readonly Delivering[] = [createDeliverer(service), ...mails];
  return {
    start: () => all.forEach((one) => void one.start()),
    wake: () => all.forEach((one) => void one.wake()),
    stop: async () => void (await Promise.all(all.map((one) => one.stop()))),
  };
}
