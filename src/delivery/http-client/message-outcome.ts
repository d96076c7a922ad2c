import type { MessageOutcome, OutboundOutcome } from "../../ports/event-transport.js";

/**
 * Returns the outcome of a message sent by a call: a status of 200 to 299 accepts it, 400 refuses it for good, others are
 * retried.
 */
export function toMessageOutcome(outcome: OutboundOutcome): MessageOutcome {
  if (outcome.kind === "failed") return { kind: "failed", reason: outcome.reason };
  const { status } = outcome;
  if (status >= 200 && status < 300) return { kind: "ok" };
  return { kind: status === 400 ? "refused" : "failed", reason: `status ${status}` };
}
