import { Deliverer } from "../../delivery/engine/deliverer.js";
import { findNextDue } from "../../delivery/engine/lease-due.js";
import { createEventQueue } from "../../delivery/events/event-queue.js";
import { eventLogUnits } from "../../delivery/queues/leased-event.js";
import { logoutTokens, mails, textMessages } from "../../delivery/queues/message-kinds.js";
import { createMessageQueue, type MessageKind, messageUnits, type QueuedMessage } from "../../delivery/queues/messages.js";
import { sendLogoutToken } from "../../delivery/queues/send-logout-token.js";
import { orderBySubject } from "../../delivery/queues/subject-order.js";
import { sendByGateway } from "../../messages/sms/find-sender.js";
import type { ServiceContext } from "../../operations/service-context.js";
import type { MessageOutcome } from "../../ports/event-transport.js";
import type { ActivityEnd } from "../../ports/telemetry.js";

/** All deliverers of a service, active from `start` to `stop`. */
export interface Deliverers {
  readonly start: () => void;
  /** Makes a queue read its waiting units soon. */
  readonly wake: (queue: string) => void;
  /** Delivers all due units, started or not; resolves with the next due instant in epoch milliseconds. */
  readonly settle: () => Promise<number | undefined>;
  readonly stop: () => Promise<void>;
}

/** Creates the deliverers of events, text messages and logout tokens, and of mails if the service can send them. */
export function createDeliverers(service: ServiceContext): Deliverers {
  const isOrdered = service.delivery.order === "subject";
  const createOrder = isOrdered ? orderBySubject(service) : undefined;
  const all = new Map<string, Pick<Deliverer<never>, "settle" | "start" | "stop" | "wake">>();
  const events = createEventQueue(service);
  all.set(events.name, new Deliverer({ service, queue: events, createOrder }));
  const deliver = <Message extends QueuedMessage>(
    channel: "logoutToken" | "mail" | "sms",
    kind: MessageKind<Message>,
    send: (message: Message) => Promise<MessageOutcome>,
  ): void => {
    const queue = createMessageQueue(service, kind, followSends(service, channel, send));
    all.set(queue.name, new Deliverer({ service, queue }));
  };
  if (service.mail !== undefined) deliver("mail", mails, service.mail);
  deliver("sms", textMessages, sendByGateway(service));
  deliver("logoutToken", logoutTokens, sendLogoutToken(service));
  const units = [eventLogUnits, messageUnits(mails.table), messageUnits(textMessages.table), messageUnits(logoutTokens.table)];
  return {
    start: () => all.forEach((one) => void one.start()),
    // Wakes one queue only: a change that causes only events need not read messages.
    wake: (queue) => all.get(queue)?.wake(),
    // A dead letter publishes an event, which is then due.
    settle: async () => {
      while ((await Promise.all([...all.values()].map((one) => one.settle()))).includes(true));
      return findNextDue(service, units);
    },
    stop: async () => void (await Promise.all([...all.values()].map((one) => one.stop()))),
  };
}

// Traces each message when there is telemetry.
function followSends<Message>(
  { telemetry }: ServiceContext,
  channel: "logoutToken" | "mail" | "sms",
  send: (message: Message) => Promise<MessageOutcome>,
): (message: Message) => Promise<MessageOutcome> {
  if (telemetry === undefined) return send;
  const toEnd = ({ kind }: MessageOutcome): ActivityEnd => ({ outcome: kind, isFailed: kind !== "ok" });
  return (message) => telemetry.follow({ kind: "delivery", channel }, () => send(message), toEnd);
}
