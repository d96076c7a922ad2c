import { writeEventLog } from "../../audit/event-logs/rules.js";
import { fieldError } from "../../errors/identity-error.js";
import type { WriteCall } from "../../operations/operation.js";
import { logoutTokensTable, mailsTable, textMessagesTable } from "../../operations/outbox/tables.js";
import type { MailMessage, SmsMessage } from "../../ports/event-transport.js";
import { globalScope } from "../../ports/storage.js";
import { type MessageKind, type QueuedMessage, queueMessages } from "./messages.js";

/** Mails to send: stored unencrypted are the ids of one, of its template and of its user. */
export const mails: MessageKind<MailMessage> = Object.freeze({
  table: mailsTable,
  title: "a mail",
  idName: "mailId",
  clearOf: ({ emailTemplateId, userId }: MailMessage) => ({ emailTemplateId, userId }),
});

/**
 * Stores mails to send after the commit. While many were rendered, a tenant may have been removed.
 * @throws IdentityError 400 `[invalid]tenantId` for a removed one.
 */
export async function queueMails(call: WriteCall, messages: readonly MailMessage[]): Promise<void> {
  const values = [...new Set(messages.map(({ tenantId }) => tenantId))];
  const tenants = await call.reader.find(globalScope, call.service.tenantsTable, { op: "in", column: "id", values });
  if (tenants.length < values.length) throw fieldError("invalid", "tenantId");
  await queueMessages(call, mails, messages);
}

/** A text message to send. */
export type QueuedSms = SmsMessage & QueuedMessage;

/** Text messages to send: stored unencrypted are the ids of one and of its user. */
export const textMessages: MessageKind<QueuedSms> = Object.freeze({
  table: textMessagesTable,
  title: "a text message",
  idName: "textMessageId",
  clearOf: ({ userId }) => ({ userId }),
  // Without the number and the content.
  onGivenUp: (cause, { id, reason, userId }, attempts) => {
    const whose = typeof userId === "string" ? ` to the user ${userId}` : "";
    const message = `The text message ${id}${whose} was given up at attempt ${attempts}: ${reason}`;
    return writeEventLog(cause, { type: "Error", message });
  },
} satisfies MessageKind<QueuedSms>);

/** The ended part of a session that belongs to one application. */
export interface EndedLogin {
  readonly applicationId: string;
  readonly userId: string;
  /** The session id in the ID tokens of the application, the claim `sid`. */
  readonly sid: string;
}

/** A logout token to sign and send. Tenant, application and user may be gone by then. */
export interface LogoutMessage extends QueuedMessage, EndedLogin {
  readonly issuer: string;
  readonly keyId: string;
  readonly url: string;
}

/** Logout tokens to send: stored unencrypted are the ids of one, of its application and of its user. */
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
