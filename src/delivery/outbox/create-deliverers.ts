import type { ServiceContext } from "../../operations/service-context.js";
import { createDeliverer } from "../engine/create-deliverer.js";
import type { AllDeliverers, Deliverer } from "../engine/deliverer-handle.js";
import { findNextDue } from "../engine/find-next-due.js";
import { followSends } from "../engine/follow-deliveries.js";
import { mailOutbox } from "../mail/mail-outbox.js";
import { canSendSms, sendByGateway } from "../sms/find-sender.js";
import { smsOutbox } from "../sms/sms-outbox.js";
import { OutboxDeliverer } from "./outbox-deliverer.js";

/** What brings away all that waits: events, and mails and text messages where it has been said how. */
export function createDeliverers(service: ServiceContext): AllDeliverers {
  const { mail, telemetry } = service;
  const all: Deliverer<boolean>[] = [createDeliverer(service)];
  if (mail !== undefined)
    all.push(new OutboxDeliverer({ service, outbox: mailOutbox, send: followSends(telemetry, "mail", mail) }));
  if (canSendSms(service))
    all.push(new OutboxDeliverer({ service, outbox: smsOutbox, send: followSends(telemetry, "sms", sendByGateway(service)) }));
  return {
    start: () => all.forEach((one) => void one.start()),
    wake: () => all.forEach((one) => void one.wake()),
    // What is given up is an event, which is due then.
    settle: async () => {
      while ((await Promise.all(all.map((one) => one.settle()))).includes(true));
      return findNextDue(service);
    },
    stop: async () => void (await Promise.all(all.map((one) => one.stop()))),
  };
}
