import type { SmsMessage } from "../../ports/event-transport.js";
import { writeEventLog } from "../../resources/event-logs/rules.js";
import type { EventCause } from "../events/publish-event.js";
import type { MessageRecord, Outbox, OutboxMessage } from "../outbox/outbox.js";
import { textMessagesTable } from "./table.js";

/** A text message that bypasses the outbox: a user who waits for a code waits for its message too. */
export type QueuedSms = Omit<SmsMessage, "code"> & OutboxMessage;

/** Text messages that wait to leave: what is seen of one is its user. */
export const smsOutbox: Outbox<QueuedSms> = Object.freeze({
  table: textMessagesTable,
  title: "a text message",
  idName: "textMessageId",
  clearOf: ({ userId }: QueuedSms) => ({ userId }),
  noteGivenUp,
});

// Not the number, and not what it says.
function noteGivenUp(cause: EventCause, { id, reason, userId }: MessageRecord, attempts: number): Promise<unknown> {
  const whose = typeof userId === "string" ? ` to the user ${userId}` : "";
  const message = `The text message ${id}${whose} was given up at attempt ${attempts}: ${reason}`;
  return writeEventLog(cause, { type: "Error", message });
}
