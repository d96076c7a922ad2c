import type { Draft, DraftContext, Family } from "../../operations/family/family.js";
import type { FamilyExample, FamilyRulesModule } from "../../operations/family/family-row.js";
import type { WriteCall } from "../../operations/operation.js";
import { emailTemplateFamily } from "../../records/email-templates/family.js";
import type { EmailTemplate, EmailTemplateRequest, ParsedEmailTemplateRequest } from "../../records/email-templates/schema.js";
import { foldText } from "../../shared/text.js";
import { previewEmail, sendEmail } from "../mail/send-email.js";

/**
 * The family of email templates (docs/reference/email-templates.md#fields-of-templates,
 * docs/reference/email-templates.md#calls).
 */
export const emailTemplates: Family<EmailTemplate, ParsedEmailTemplateRequest> = {
  ...emailTemplateFamily,
  rules: { toDraft },
};

function toDraft(
  _call: WriteCall,
  { emailTemplate: fields }: ParsedEmailTemplateRequest,
  { id, now, current }: DraftContext<EmailTemplate>,
): Draft<EmailTemplate> {
  // An empty sender means that of the tenant, like an absent one.
  const sender = { defaultFromName: fields.defaultFromName || undefined, fromEmail: fields.fromEmail || undefined };
  const insertInstant = current?.record.insertInstant ?? now;
  return {
    record: { ...fields, ...sender, id, insertInstant, lastUpdateInstant: now },
    columns: { nameFolded: foldText(fields.name) },
  };
}

/** The operations that only this family has. */
export const operations: FamilyRulesModule["operations"] = {
  preview: previewEmail,
  send: sendEmail,
};

export const example: FamilyExample<EmailTemplateRequest> = ({ number }) => ({
  emailTemplate: {
    name: `Email template ${number}`,
    fromEmail: "service@example.com",
    defaultSubject: `Subject ${number}`,
    defaultHtmlTemplate: `<p>Text ${number}</p>`,
    defaultTextTemplate: `Text ${number}`,
  },
});
