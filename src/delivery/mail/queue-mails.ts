import { fieldError } from "../../errors/identity-error.js";
import type { WriteCall } from "../../operations/operation.js";
import type { MailMessage } from "../../ports/event-transport.js";
import { globalScope } from "../../ports/storage.js";
import { queueMessages } from "../outbox/outbox.js";
import { mailOutbox } from "./mail-outbox.js";

/**
 * Keeps mails, which leave after the commit. To make many takes a while, in which somebody may have removed a tenant.
 * @throws IdentityError 400 `[invalid]tenantId` for one that is gone.
 */
export async function queueMails(call: WriteCall, messages: readonly MailMessage[]): Promise<void> {
  const values = [...new Set(messages.map(({ tenantId }) => tenantId))];
  const tenants = await call.reader.find(globalScope, call.service.tenantsTable, { op: "in", column: "id", values });
  if (tenants.length < values.length) throw fieldError("invalid", "tenantId");
  await queueMessages(call, mailOutbox, messages);
}
