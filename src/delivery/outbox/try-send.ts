import type { MessageOutcome } from "../../ports/event-transport.js";
import { within } from "../../shared/async/within.js";

/** How long the process that leases a message may need for it, in milliseconds. */
export const sendTimeoutMs = 30_000;

const late: MessageOutcome = Object.freeze({ kind: "failed", reason: "timedOut" });

/** Sends a message. An error of a host's function may quote the message, so only the error's name is logged. */
export async function trySend<Message>(
  send: (message: Message) => Promise<MessageOutcome>,
  message: () => Message,
): Promise<MessageOutcome> {
  try {
    const outcome = await within(sendTimeoutMs, send(message()), late);
    // What a host's function answers beside the outcomes that there are is no success.
    return outcome.kind === "ok" || outcome.kind === "refused" ? outcome : { kind: "failed", reason: outcome.reason };
  } catch (error) {
    return { kind: "failed", reason: error instanceof Error ? error.name : "unknown" };
  }
}
