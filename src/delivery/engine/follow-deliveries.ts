import type { MessageOutcome } from "../../ports/event-transport.js";
import type { ActivityEnd, Telemetry } from "../../ports/telemetry.js";
import type { CallResult } from "./attempt.js";
import type { DelivererParts } from "./deliverer-parts.js";
import { brokerId } from "./earlier-receivers.js";

/** Calls receivers of events, each call as an activity where there is telemetry. */
export function followCalls(telemetry: Telemetry | undefined, call: DelivererParts["call"]): DelivererParts["call"] {
  if (telemetry === undefined) return call;
  return (receiverId, claim) => {
    const channel = receiverId === brokerId ? "broker" : "webhook";
    return telemetry.follow({ kind: "delivery", channel, eventType: claim.log.eventType }, () => call(receiverId, claim), toEnd);
  };
}

/** Sends messages, each as an activity where there is telemetry. */
export function followSends<Message>(
  telemetry: Telemetry | undefined,
  channel: "mail" | "sms",
  send: (message: Message) => Promise<MessageOutcome>,
): (message: Message) => Promise<MessageOutcome> {
  if (telemetry === undefined) return send;
  const toSendEnd = ({ kind }: MessageOutcome): ActivityEnd => ({ outcome: kind, isFailed: kind !== "ok" });
  return (message) => telemetry.follow({ kind: "delivery", channel }, () => send(message), toSendEnd);
}

function toEnd({ isDelivered, isGone }: CallResult): ActivityEnd {
  if (isDelivered) return { outcome: "ok", isFailed: false };
  return isGone ? { outcome: "gone", isFailed: false } : { outcome: "failed", isFailed: true };
}
