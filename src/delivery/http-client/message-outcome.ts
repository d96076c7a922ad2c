import type { MessageOutcome, OutboundOutcome } from "../../ports/event-transport.js";

/** What became of a message that a call brought: any status of 200 to 299 means that it was taken, 400 that it never will be. */
export function toMessageOutcome(outcome: OutboundOutcome): MessageOutcome {
  if (outcome.kind === "failed") return { kind: "failed", reason: outcome.reason };
  const { status } = outcome;
  if (status >= 200 && status < 300) return { kind: "ok" };
  return { kind: status === 400 ? "refused" : "failed", reason: `status ${status}` };
}
