import { fieldError } from "../../errors/identity-error.js";
import { mailsTable, textMessagesTable } from "../../operations/events/tables.js";
import type { WriteCall } from "../../operations/operation.js";
import type { MailMessage, SmsMessage } from "../../ports/event-transport.js";
import { globalScope } from "../../ports/storage.js";
import { writeEventLog } from "../../resources/event-logs/rules.js";
import { type MessageKind, type QueuedMessage, queueMessages } from "./messages.js";

/** Mails that wait to be sent: stored unencrypted are the ids of one, of its template and of its user. */
export const mails: MessageKind<MailMessage> = Object.freeze({
  table: mailsTable,
  title: "a mail",
  idName: "mailId",
  clearOf: ({ emailTemplateId, userId }: MailMessage) => ({ emailTemplateId, userId }),
});

/**
 * Stores mails, which are sent after the commit. To make many takes a while, in which somebody may have removed a tenant.
 * @throws IdentityError 400 `[invalid]tenantId` for one that is gone.
 */
export async function queueMails(call: WriteCall, messages: readonly MailMessage[]): Promise<void> {
  const values = [...new Set(messages.map(({ tenantId }) => tenantId))];
  const tenants = await call.reader.find(globalScope, call.service.tenantsTable, { op: "in", column: "id", values });
  if (tenants.length < values.length) throw fieldError("invalid", "tenantId");
  await queueMessages(call, mails, messages);
}

/** A text message that waits to be sent. */
export type QueuedSms = SmsMessage & QueuedMessage;

/** Text messages that wait to be sent: stored unencrypted are the ids of one and of its user. */
export const textMessages: MessageKind<QueuedSms> = Object.freeze({
  table: textMessagesTable,
  title: "a text message",
  idName: "textMessageId",
  clearOf: ({ userId }) => ({ userId }),
  // Not the number, and not what it says.
  onGivenUp: (cause, { id, reason, userId }, attempts) => {
    const whose = typeof userId === "string" ? ` to the user ${userId}` : "";
    const message = `The text message ${id}${whose} was given up at attempt ${attempts}: ${reason}`;
    return writeEventLog(cause, { type: "Error", message });
  },
} satisfies MessageKind<QueuedSms>);
