import type { MessageOutcome } from "../../ports/event-transport.js";
import type { Timers } from "../../ports/runtime.js";
import { within } from "../../shared/async.js";

const sendTimeoutMilliseconds = 30_000;

const late: MessageOutcome = Object.freeze({ kind: "failed", reason: "timedOut" });

/**
 * Sends a message, for 30 seconds at most. An error of a host's function may quote the message, so only the error's name is
 * logged.
 */
export async function trySend<Message>(
  timers: Timers,
  send: (message: Message) => Promise<MessageOutcome>,
  message: () => Message,
): Promise<MessageOutcome> {
  try {
    const outcome = await within(timers, sendTimeoutMilliseconds, { work: send(message()), late });
    // An unknown outcome from a host's function is no success.
    return outcome.kind === "ok" || outcome.kind === "refused" ? outcome : { kind: "failed", reason: outcome.reason };
  } catch (error) {
    return { kind: "failed", reason: error instanceof Error ? error.name : "unknown" };
  }
}
