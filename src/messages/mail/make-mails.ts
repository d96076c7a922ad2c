import { fieldError, generalError } from "../../errors/identity-error.js";
import { isMailAddress, toHeaderText } from "../../http/schema/mail-address.js";
import type { MailAddress, MailMessage } from "../../ports/event-transport.js";
import type { Runtime } from "../../ports/runtime.js";
import type { EmailTemplate, EmailTextErrors, ParsedSendEmailRequest } from "../../records/email-templates/schema.js";
import type { Recipient } from "./find-recipients.js";
import type { TextError } from "./localized-text.js";
import { createEmailRenderer, type RenderEmail, type RenderedEmail } from "./render-email.js";

/** What a call sends. */
export interface Sending {
  readonly template: EmailTemplate;
  readonly request: ParsedSendEmailRequest;
}

/** What became of the mail for somebody: either it is there or it has errors. */
export interface RecipientMail {
  readonly recipient: Recipient;
  readonly message?: MailMessage;
  readonly errors?: EmailTextErrors;
}

/** The most that the mails of one call may say together, in characters. */
const maxTotalLength = 32 * 1_048_576;

/** The mails for everybody, in their order. @throws IdentityError as for one; 413 when they are too large together. */
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
    // Others have their turn in between.
    await timers.nextTurn();
  }
  return made;
}

/** The mail for somebody. @throws IdentityError 400 `[notConfigured]` or `[notEmail]` where there is no address to send from. */
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

// The template's own, else the tenant's. What a tenant has is not checked when it is saved.
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
