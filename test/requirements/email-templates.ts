import type { RulesBySection } from "./rules.js";

/** The rules of email templates. */
export const emailTemplateRequirements: RulesBySection = {
  "docs/reference/email-templates.md": `
    email-template.create email-template.trimmed email-template.no-nulls email-template.locales email-template.syntax
    email-template.language email-template.update email-template.delete email-template.search-version email.preview
    email.preview-errors email.send email.send-request email.send-variables email.send-errors email.send-locale
  `,
  "docs/reference/email-templates.md#fields-of-templates": "email-template.fields email-template.sender",
  "docs/reference/wire.md": "email-template.missing",
  "docs/reference/email-templates.md, docs/reference/errors.md#codes-by-family":
    "email-template.required email-template.name-unique",
  "docs/reference/email-templates.md#calls": "email-template.retrieve",
  "docs/reference/patch.md#merging-with-applicationjson": "email-template.patch",
  "docs/reference/api-keys.md#references": "email-template.in-use",
  "docs/reference/search.md": "email-template.search",
  "docs/reference/api-keys.md#global-endpoints": "email-template.global",
  "docs/architecture.md": "email-template.in-process email.send-headers",
  "docs/reference/email-templates.md, docs/reference/api-keys.md#global-endpoints": "email.preview-global email.send-tenant",
  "docs/reference/email-templates.md, docs/reference/tenants.md#tenants": "email.send-sender",
  "docs/reference/events.md#outbox": "email.send-outbox",
  "docs/reference/errors.md#kinds-of-codes": "email.send-not-configured",
};
