import { writeEventLog } from "../../audit/event-logs/rules.js";
import { IdentityError } from "../../errors/identity-error.js";
import { parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import type { MailMessage } from "../../ports/event-transport.js";
import { globalScope, type StoredRecord } from "../../ports/storage.js";
import { emailTemplatesTable } from "../../records/email-templates/family.js";
import type { EmailTemplate, ParsedSendEmailRequest } from "../../records/email-templates/schema.js";
import type { Recipient } from "./find-recipients.js";
import { makeMails } from "./make-mails.js";

/** A mail caused by an operation other than the request to send mails. */
export interface TemplateMail {
  readonly template: StoredRecord;
  readonly recipient: Recipient;
  /** The subject and recipient of the mail, for the event log; undefined to log no errors. */
  readonly title: string | undefined;
}

/** Loads the template of a mail; undefined for none. */
export async function findTemplate(
  call: Pick<WriteCall, "reader">,
  templateId: string | undefined,
): Promise<StoredRecord | undefined> {
  return templateId === undefined ? undefined : call.reader.retrieve(globalScope, emailTemplatesTable, templateId);
}

/**
 * Renders a mail to queue; undefined if it fails. An error of the template does not fail the operation that causes the mail,
 * but is written to the event log.
 */
export async function makeTemplateMail(call: WriteCall, mail: TemplateMail): Promise<MailMessage | undefined> {
  const made = await makeOrExplain(call, mail);
  if (typeof made !== "string") return made;
  if (mail.title !== undefined) await logMailFailure(call, mail.title, made);
  return undefined;
}

/** Logs the reason of a failed mail in the event log and the log of the process. */
export async function logMailFailure(call: WriteCall, title: string, reason: string): Promise<void> {
  const message = `The mail of ${title} could not be made: ${reason}`;
  await writeEventLog(call, { type: "Error", message });
  if (reason === missingTransport) return warnOfMissingTransport(call);
  call.tx.afterCommit(() => call.service.runtime.logger.warn({}, message));
}

/** The reason why no mail of a service is sent, with the fix. */
export const missingTransport = "This service has no way to send mails: pass the option mail.";

/** Logs once, not for each mail, that the service sends none. */
export function warnOfMissingTransport({ service, tx }: WriteCall): void {
  tx.afterCommit(() => service.warnings.warn("mail", {}, missingTransport));
}

async function makeOrExplain({ service }: WriteCall, { recipient, template }: TemplateMail): Promise<MailMessage | string> {
  if (service.mail === undefined) return missingTransport;
  const written = { template: parseRecord<EmailTemplate>(template), request: plainRequest };
  try {
    const [made] = await makeMails(service.runtime, written, [recipient]);
    return made?.message ?? JSON.stringify(made?.errors);
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    return error.message;
  }
}

/** A request to send mails with empty defaults. */
export const plainRequest: ParsedSendEmailRequest = {
  bccAddresses: [],
  ccAddresses: [],
  preferredLanguages: [],
  requestData: {},
  toAddresses: [],
  userIds: [],
};
