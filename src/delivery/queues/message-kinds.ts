import { writeEventLog } from "../../audit/event-logs/rules.js";
import { fieldError } from "../../errors/identity-error.js";
import type { WriteCall } from "../../operations/operation.js";
import { logoutTokensTable, mailsTable, textMessagesTable } from "../../operations/outbox/tables.js";
import type { MailMessage, SmsMessage } from "../../ports/event-transport.js";
import { globalScope } from "../../ports/storage.js";
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

/** The part of a session that one application has, which has ended. */
export interface EndedLogin {
  readonly applicationId: string;
  readonly userId: string;
  /** What the ID tokens of the application name the session by, in `sid`. */
  readonly sid: string;
}

/** A logout token that is to be signed and sent. Tenant, application and user may be gone by then. */
export interface LogoutMessage extends QueuedMessage, EndedLogin {
  readonly issuer: string;
  readonly keyId: string;
  readonly url: string;
}

/** Logout tokens that wait to be sent: stored unencrypted are the ids of one, of its application and of its user. */
export const logoutTokens: MessageKind<LogoutMessage> = Object.freeze({
  table: logoutTokensTable,
  title: "a logout token",
  idName: "logoutTokenId",
  clearOf: ({ applicationId, userId }: LogoutMessage) => ({ applicationId, userId }),
  onGivenUp: (cause, { applicationId, id, reason, userId }, attempts) => {
    const whose = `of the user ${String(userId)} for the application ${String(applicationId)}`;
    const message = `The logout token ${id} ${whose} was given up at attempt ${attempts}: ${reason}`;
    return writeEventLog(cause, { type: "Error", message });
  },
} satisfies MessageKind<LogoutMessage>);
