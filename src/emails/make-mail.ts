import { fieldError } from "../errors/identity-error.js";
import type { MailAddress, MailMessage } from "../ports/event-transport.js";
import type { EmailTemplate, EmailTextErrors, ParsedSendEmailRequest } from "../resources/email-templates/schema.js";
import type { Recipient } from "./find-recipients.js";
import { isMailAddress, toHeaderText } from "./mail-address.js";
import type { RenderEmail, RenderedEmail, TextProblem } from "./render-email.js";

/** What a call sends. */
export interface Sending {
  readonly template: EmailTemplate;
  readonly request: ParsedSendEmailRequest;
}

/** What became of the mail for somebody: either it is there or it has errors. */
export interface MadeMail {
  readonly recipient: Recipient;
  readonly message?: MailMessage;
  readonly errors?: EmailTextErrors;
}

/** The mail for somebody. @throws IdentityError 400 `[notConfigured]` or `[notEmail]` where there is no address to send from. */
export function makeMail(id: string, { request, template }: Sending, recipient: Recipient, render: RenderEmail): MadeMail {
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

function toErrors(problems: readonly TextProblem[]): EmailTextErrors {
  const of = (wanted: TextProblem["kind"]): Readonly<Record<string, string>> =>
    Object.fromEntries(problems.flatMap(({ kind, messages, path }) => (kind === wanted ? [[path, messages.join("\n")]] : [])));
  return { parseErrors: of("parse"), renderErrors: of("render") };
}
