import { queueMails } from "../../delivery/queues/message-kinds.js";
import { type ErrorEntry, fieldError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import type { OperationCall } from "../../operations/operation.js";
import type {
  EmailTextErrors,
  PreviewEmailResponse,
  SampleData,
  SendEmailResponse,
} from "../../records/email-templates/schema.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import { findRecipients, loadTemplate } from "./find-recipients.js";
import { isLanguageTag, type TextError } from "./localized-text.js";
import { makeMails, type RecipientMail } from "./make-mails.js";
import { missingTransport } from "./make-template-mail.js";
import { createEmailRenderer } from "./render-email.js";

const sendEmailRequest = lazySchema("messages", "sendEmailRequest");

/**
 * Sends a template to users and addresses. The response lists recipients with errors; the mails of all others are sent after
 * the commit.
 * @throws IdentityError 400; 404 for an unknown template; 413 for more than 32 Mi characters at once; `[notConfigured]` without
 * a transport, or without an address to send from.
 */
export async function sendEmail(call: OperationCall): Promise<OperationResult> {
  const template = await loadTemplate(call);
  const request = await parseWith(sendEmailRequest, call.body);
  if (request.userIds.length + request.toAddresses.length === 0) throw fieldError("empty", "userIds");
  if (call.service.mail === undefined) throw fieldError("notConfigured", "emailTemplateId", missingTransport);
  const recipients = await findRecipients(call, request);
  const made = await makeMails(call.service.runtime, { template, request }, recipients);
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

const previewEmailRequest = lazySchema("messages", "previewEmailRequest");

/**
 * Renders a template with sample data. Errors of the template are part of the response, not thrown.
 * @throws IdentityError 400 for a body of the wrong shape.
 */
export async function previewEmail(call: OperationCall): Promise<OperationResult> {
  const { emailTemplate, locale, sampleData } = await parseWith(previewEmailRequest, call.body);
  if (locale !== undefined && !isLanguageTag(locale)) throw fieldError("couldNotConvert", "locale");
  const render = createEmailRenderer(emailTemplate);
  const variables = { ...samples, ...sampleData };
  const { fromName, html, problems, subject, text } = render(locale === undefined ? [] : [locale], variables);
  const from = { address: emailTemplate.fromEmail || undefined, display: fromName || undefined };
  const errors = { fieldErrors: toFieldErrors(problems), generalErrors: [] };
  const answer: PreviewEmailResponse = { email: { from, html, subject, text }, errors };
  return { status: 200, json: toCanonicalJson(answer) };
}

/** Converts errors of texts to field errors of a response. */
export function toFieldErrors(problems: readonly TextError[]): Readonly<Record<string, readonly ErrorEntry[]>> {
  return Object.fromEntries(
    problems.map(({ kind, messages, path }) => {
      const code = `[${kind === "parse" ? "invalid" : "missing"}]${path}`;
      return [path, messages.map((message) => ({ code, message }))];
    }),
  );
}

const sampleId = (digit: string): string => `00000000-0000-4000-8000-${digit.repeat(12)}`;

const [tenantId, applicationId, userId] = [sampleId("1"), sampleId("2"), sampleId("3")];
const instants = { insertInstant: 1_700_000_000_000, lastUpdateInstant: 1_700_000_000_000 };

/** The default values of a preview. */
export const samples: SampleData = {
  application: { active: true, data: {}, id: applicationId, name: "Sample application", tenantId, ...instants },
  registration: {
    applicationId,
    data: {},
    id: sampleId("4"),
    preferredLanguages: [],
    roles: ["user"],
    verified: true,
    ...instants,
  },
  requestData: {},
  tenant: { data: {}, id: tenantId, name: "Sample tenant", ...instants },
  user: {
    active: true,
    birthDate: "1990-01-31",
    data: {},
    email: "user@example.com",
    firstName: "Robin",
    fullName: "Robin Sample",
    id: userId,
    lastName: "Sample",
    mobilePhone: "555-0100",
    preferredLanguages: ["en"],
    tenantId,
    username: "robin",
    verified: true,
    ...instants,
  },
};
