import { IdentityError } from "../../errors/identity-error.js";
import { parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import type { MailMessage } from "../../ports/event-transport.js";
import { globalScope, tenantScope } from "../../ports/storage.js";
import { emailTemplatesTable } from "../../resources/email-templates/family.js";
import type { EmailTemplate } from "../../resources/email-templates/schema.js";
import { writeEventLog } from "../../resources/event-logs/rules.js";
import { queueMails } from "../queues/message-kinds.js";
import { findRecipients } from "./find-recipients.js";
import { makeMails } from "./make-mails.js";

/** A mail to one user that something else causes. */
export interface UserMail {
  /** No mail where it is undefined. */
  readonly templateId: string | undefined;
  readonly tenantId: string;
  readonly userId: string;
  /** Variables beside `tenant` and `user`. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** What the mail is about, for the event log. */
  readonly cause: string;
}

/**
 * Queues a mail to a user, which leaves after the commit; undefined where there is no template or no way to send mails. What is wrong with
 * a mail is in the event log, and does not end what causes it.
 */
export async function mailUser(call: WriteCall, mail: UserMail): Promise<MailMessage | undefined> {
  const { templateId, tenantId, userId, variables } = mail;
  const stored = templateId && (await call.reader.retrieve(globalScope, emailTemplatesTable, templateId));
  if (!stored || call.service.mail === undefined) return undefined;
  const request = { ...emptyRequest, userIds: [userId] };
  try {
    const recipients = await findRecipients({ ...call, scope: tenantScope(tenantId) }, request);
    const told = recipients.map((recipient) => ({ ...recipient, variables: { ...recipient.variables, ...variables } }));
    const template = parseRecord<EmailTemplate>(stored);
    const [made] = await makeMails(call.service.runtime.newId, { template, request }, told);
    if (made?.message === undefined) return await logFailure(call, mail, JSON.stringify(made?.errors));
    await queueMails(call, [made.message]);
    return made.message;
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    return await logFailure(call, mail, error.message);
  }
}

async function logFailure(call: WriteCall, { cause, userId }: UserMail, reason: string): Promise<undefined> {
  const message = `The mail of ${cause} to the user ${userId} could not be made: ${reason}`;
  await writeEventLog(call, { type: "Error", message });
}

const emptyRequest = { bccAddresses: [], ccAddresses: [], preferredLanguages: [], requestData: {}, toAddresses: [] };
