import { fieldError } from "../../errors/identity-error.js";
import { lazySchema, parseWith } from "../../http/schema/parse-with.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import type { OperationCall } from "../../operations/operation.js";
import type { EmailTextErrors, SendEmailResponse } from "../../resources/email-templates/schema.js";
import { queueMails } from "../engine/message-kinds.js";
import { findRecipients, loadTemplate } from "./find-recipients.js";
import { makeMails, type RecipientMail } from "./make-mails.js";

const sendEmailRequest = lazySchema(() => import("../../resources/email-templates/schema.js"), "sendEmailRequest");

/**
 * Sends a template to users and addresses: the response names recipients whose mail failed to render; all others' mails are sent after the commit.
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
  const made = await makeMails(call.service.runtime.newId, { template, request }, recipients);
  const messages = made.flatMap(({ message }) => message ?? []);
  if (messages.length > 0) await call.write((write) => queueMails(write, messages));
  return { status: 202, json: toCanonicalJson(toResponse(made)) };
}

function toResponse(made: readonly RecipientMail[]): SendEmailResponse {
  const errorsOf = (isUser: boolean): Readonly<Record<string, EmailTextErrors>> =>
    Object.fromEntries(
      made.flatMap(({ errors, recipient: { name, userId } }) =>
        errors !== undefined && (userId !== undefined) === isUser ? [[name, errors]] : [],
      ),
    );
  return { anonymousResults: errorsOf(false), results: errorsOf(true) };
}
