import { queueMails } from "../../delivery/queues/message-kinds.js";
import { IdentityError } from "../../errors/identity-error.js";
import type { WriteCall } from "../../operations/operation.js";
import type { MailMessage } from "../../ports/event-transport.js";
import { tenantScope } from "../../ports/storage.js";
import { findRecipients } from "./find-recipients.js";
import { findTemplate, logMailFailure, makeTemplateMail, plainRequest, warnOfMissingTransport } from "./make-template-mail.js";

/** A mail to one user, caused by another operation. */
export interface UserMail {
  /** Undefined: no mail. */
  readonly templateId: string | undefined;
  readonly tenantId: string;
  readonly userId: string;
  /** Variables beside `tenant` and `user`. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** The cause of the mail, for the event log. */
  readonly cause: string;
}

/**
 * Queues a mail to a user, to be sent after the commit; undefined without a template or a transport. Errors of the mail are
 * written to the event log and do not fail the operation that causes it.
 */
export async function mailUser(call: WriteCall, mail: UserMail): Promise<MailMessage | undefined> {
  const { cause, templateId, tenantId, userId, variables } = mail;
  const template = await findTemplate(call, templateId);
  if (template === undefined) return undefined;
  if (call.service.mail === undefined) {
    warnOfMissingTransport(call);
    return undefined;
  }
  const title = `${cause} to the user ${userId}`;
  try {
    const [found] = await findRecipients({ ...call, scope: tenantScope(tenantId) }, { ...plainRequest, userIds: [userId] });
    if (found === undefined) return undefined;
    const recipient = { ...found, variables: { ...found.variables, ...variables } };
    const made = await makeTemplateMail(call, { template, recipient, title });
    if (made !== undefined) await queueMails(call, [made]);
    return made;
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    await logMailFailure(call, title, error.message);
    return undefined;
  }
}
