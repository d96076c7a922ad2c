import { fieldError, generalError } from "../errors/identity-error.js";
import { parseRecord } from "../operations/family.js";
import type { OperationCall } from "../operations/operation.js";
import { requireId } from "../operations/record-steps.js";
import { globalScope } from "../ports/storage.js";
import type { EmailTemplate, EmailTextErrors, SendEmailResponse } from "../resources/email-templates/schema.js";
import { emailTemplatesTable } from "../resources/email-templates/table.js";
import { parseWith } from "../schema/parse-with.js";
import type { OperationResult } from "../transport/write-response.js";
import { toCanonicalJson } from "../values/canonical-json.js";
import { lazily } from "../values/lazily.js";
import { findRecipients, type Recipient } from "./find-recipients.js";
import { queueMails } from "./mail-outbox.js";
import { type MadeMail, makeMail, type Sending } from "./make-mail.js";
import { createEmailRenderer } from "./render-email.js";

const sendEmailRequest = lazily(async () => (await import("../resources/schemas.js")).sendEmailRequest);

/** The most that the mails of one call may say together, in characters. */
const maxTotalLength = 32 * 1_048_576;

/**
 * Sends a template to users and addresses: whoever's mail could not be made is named in the answer, and all others' leave after the commit.
 * @throws IdentityError 400; 404 for an unknown template; 413 for more than 32 Mi characters at once; `[notConfigured]` without a
 * transport, or without an address to send from.
 */
export async function sendEmail(call: OperationCall): Promise<OperationResult> {
  const template = await loadTemplate(call);
  const request = await parseWith(sendEmailRequest, call.body);
  if (request.userIds.length + request.toAddresses.length === 0) throw fieldError("empty", "userIds");
  if (call.service.mail === undefined)
    throw fieldError("notConfigured", "emailTemplateId", "This service has no way to send mails.");
  const recipients = await findRecipients(call, request);
  const made = await makeAll(call, { template, request }, recipients);
  const messages = made.flatMap(({ message }) => message ?? []);
  if (messages.length > 0) await call.write((write) => queueMails(write, messages));
  return { status: 202, json: toCanonicalJson(toResponse(made)) };
}

async function loadTemplate(call: OperationCall): Promise<EmailTemplate> {
  const stored = await call.reader.retrieve(globalScope, emailTemplatesTable, requireId(call, "emailTemplateId"));
  if (stored === undefined) throw generalError("notFound");
  return parseRecord<EmailTemplate>(stored);
}

async function makeAll(call: OperationCall, sending: Sending, recipients: readonly Recipient[]): Promise<readonly MadeMail[]> {
  const render = createEmailRenderer(sending.template);
  const made: MadeMail[] = [];
  let length = 0;
  for (const recipient of recipients) {
    const one = makeMail(call.service.runtime.newId(), sending, recipient, render);
    length += one.message === undefined ? 0 : one.message.html.length + one.message.text.length;
    if (length > maxTotalLength) throw generalError("tooLarge", "The mails are too large together. Send them in several calls.");
    made.push(one);
    // Others have their turn in between.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return made;
}

function toResponse(made: readonly MadeMail[]): SendEmailResponse {
  const errorsOf = (isUser: boolean): Readonly<Record<string, EmailTextErrors>> =>
    Object.fromEntries(
      made.flatMap(({ errors, recipient: { name, userId } }) =>
        errors !== undefined && (userId !== undefined) === isUser ? [[name, errors]] : [],
      ),
    );
  return { anonymousResults: errorsOf(false), results: errorsOf(true) };
}
