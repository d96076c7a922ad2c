import { fieldError, generalError } from "../../errors/identity-error.js";
import { isMailAddress, toHeaderText } from "../../http/schema/mail-address.js";
import type { MailAddress, MailMessage } from "../../ports/event-transport.js";
import type { Runtime } from "../../ports/runtime.js";
import type { EmailTemplate, EmailTextErrors, ParsedSendEmailRequest } from "../../records/email-templates/schema.js";
import type { Recipient } from "./find-recipients.js";
import type { TextError } from "./localized-text.js";
import { createEmailRenderer, type RenderEmail, type RenderedEmail } from "./render-email.js";

/** The template and the request of a call. */
export interface Sending {
  readonly template: EmailTemplate;
  readonly request: ParsedSendEmailRequest;
}

/** The result of rendering one recipient's mail: the message or its errors. */
export interface RecipientMail {
  readonly recipient: Recipient;
  readonly message?: MailMessage;
  readonly errors?: EmailTextErrors;
}

/** The maximum total length of the mails of one call, in characters. */
const maxTotalLength = 32 * 1_048_576;

/** Renders the mails of all recipients, in order. @throws IdentityError like `makeMail`; 413 when they are too large together. */
export async function makeMails(
  { newId, timers }: Pick<Runtime, "newId" | "timers">,
  sending: Sending,
  recipients: readonly Recipient[],
): Promise<readonly RecipientMail[]> {
  const render = createEmailRenderer(sending.template);
  const made: RecipientMail[] = [];
  let length = 0;
  for (const recipient of recipients) {
    const one = makeMail(newId(), sending, recipient, render);
    length += one.message === undefined ? 0 : one.message.html.length + one.message.text.length;
    if (length > maxTotalLength) throw generalError("tooLarge", "The mails are too large together. Send them in several calls.");
    made.push(one);
    // Lets other requests run in between.
    await timers.nextTurn();
  }
  return made;
}

/** Renders the mail of one recipient. @throws IdentityError 400 `[notConfigured]` or `[notEmail]` without a valid sender. */
function makeMail(id: string, { request, template }: Sending, recipient: Recipient, render: RenderEmail): RecipientMail {
  const { languages, tenant, to, userId, variables } = recipient;
  if (to === undefined) return { recipient, errors: noAddress };
  const rendered = render(languages, variables);
  if (rendered.problems.length > 0) return { recipient, errors: toErrors(rendered.problems) };
  const { html, subject, text } = rendered;
  const message: MailMessage = {
    id,
    from: senderOf(template, recipient, rendered),
    to,
    cc: request.ccAddresses,
    bcc: request.bccAddresses,
    subject,
    html,
    text,
    emailTemplateId: template.id,
    tenantId: tenant.id,
    userId,
  };
  return { recipient, message };
}

// That of the template, else that of the tenant, which is not validated on save.
function senderOf({ fromEmail }: EmailTemplate, { tenant }: Recipient, { fromName }: RenderedEmail): MailAddress {
  const { defaultFromEmail, defaultFromName } = tenant.emailConfiguration;
  const [address, path] = fromEmail
    ? [fromEmail, "emailTemplate.fromEmail"]
    : [defaultFromEmail?.trim() ?? "", "tenant.emailConfiguration.defaultFromEmail"];
  if (address === "") throw fieldError("notConfigured", path);
  if (!isMailAddress(address)) throw fieldError("notEmail", path);
  return { address, display: fromName || toHeaderText(defaultFromName ?? "") || undefined };
}

const noAddress: EmailTextErrors = {
  parseErrors: {},
  renderErrors: { "user.email": "The user has no email address that a mail could be sent to." },
};

function toErrors(problems: readonly TextError[]): EmailTextErrors {
  const of = (wanted: TextError["kind"]): Readonly<Record<string, string>> =>
    Object.fromEntries(problems.flatMap(({ kind, messages, path }) => (kind === wanted ? [[path, messages.join("\n")]] : [])));
  return { parseErrors: of("parse"), renderErrors: of("render") };
}
