import type { Requirement } from "./requirement.js";

const decided = "docs/reference/email-templates.md";

/** The rules of email templates. */
export const emailTemplateRequirements: Readonly<Record<string, Requirement>> = {
  "email-template.create": {
    behaviour: "POST makes a template and answers it in its wrapper",
    section: "docs/reference/email-templates.md",
  },
  "email-template.fields": {
    behaviour: "A template has the fields of the reference, maps shown when empty",
    section: "docs/reference/email-templates.md#fields-of-templates",
  },
  "email-template.missing": {
    behaviour: "A body without a template is 400 [missing]emailTemplate",
    section: "docs/reference/wire.md",
  },
  "email-template.required": {
    behaviour: "Name, default subject and both default bodies are required: [blank], all at once",
    section: "docs/reference/email-templates.md, docs/reference/errors.md#codes-by-family",
  },
  "email-template.name-unique": {
    behaviour: "Names are unique without regard to case: [duplicate]emailTemplate.name",
    section: "docs/reference/email-templates.md, docs/reference/errors.md#codes-by-family",
  },
  "email-template.trimmed": {
    behaviour: "The six plain texts are trimmed, localised ones too",
    section: "docs/reference/email-templates.md",
  },
  "email-template.no-nulls": {
    behaviour: "Entries that are null are left out of the localised maps",
    section: "docs/reference/email-templates.md",
  },
  "email-template.sender": {
    behaviour: "An empty sender is as good as none; an address that is none is [notEmail]emailTemplate.fromEmail",
    section: "docs/reference/email-templates.md#fields-of-templates",
  },
  "email-template.locales": {
    behaviour: "Keys of localised maps are Java locales such as de or es_MX, others are [invalid]",
    section: "docs/reference/email-templates.md",
  },
  "email-template.syntax": {
    behaviour: "A text that is no template is 400 [invalid] on its path, with line and column in the message",
    section: decided,
  },
  "email-template.language": {
    behaviour: "Paths, ! defaults, ?html, ?upper_case, <#if> and <#list> are understood",
    section: decided,
  },
  "email-template.retrieve": {
    behaviour: "GET answers one template, or all in the order of their names",
    section: "docs/reference/email-templates.md#calls",
  },
  "email-template.update": { behaviour: "PUT replaces a template", section: "docs/reference/email-templates.md" },
  "email-template.patch": {
    behaviour: "PATCH merges localised maps key by key, and null removes an entry",
    section: "docs/reference/patch.md#merging-with-applicationjson",
  },
  "email-template.delete": {
    behaviour: "DELETE answers 200 without a body, then 404",
    section: "docs/reference/email-templates.md",
  },
  "email-template.in-use": {
    behaviour: "A template that something refers to cannot be removed: 400 [inUse]emailTemplateId",
    section: "docs/reference/api-keys.md#references",
  },
  "email-template.search": {
    behaviour: "A search filters by name and sorts by id, insertInstant and name, by default name ASC",
    section: "docs/reference/search.md",
  },
  "email-template.search-version": {
    behaviour: "The search exists from 1.45.0 on",
    section: "docs/reference/email-templates.md",
  },
  "email-template.global": {
    behaviour: "Keys of a tenant and tenant headers are 401",
    section: "docs/reference/api-keys.md#global-endpoints",
  },
  "email-template.in-process": { behaviour: "Every operation can be called in process", section: "docs/architecture.md" },
  "email.preview": {
    behaviour: "POST /api/email/template/preview answers the mail that a template makes in a locale, kept or not",
    section: "docs/reference/email-templates.md",
  },
  "email.preview-errors": {
    behaviour: "What is wrong with the texts is part of the 200 of a preview, with line and column, all at once",
    section: "docs/reference/email-templates.md",
  },
  "email.preview-global": {
    behaviour: "Keys of a tenant and tenant headers are 401 at previews",
    section: "docs/reference/email-templates.md, docs/reference/api-keys.md#global-endpoints",
  },
  "email.send": {
    behaviour: "POST /api/email/send/{id} answers 202 and sends users and addresses a mail each, with copies",
    section: "docs/reference/email-templates.md",
  },
  "email.send-request": {
    behaviour: "What a call to send says is checked, all at once, and bounded",
    section: "docs/reference/email-templates.md",
  },
  "email.send-variables": {
    behaviour: "Templates know application, tenant, user, registration and requestData",
    section: "docs/reference/email-templates.md",
  },
  "email.send-errors": {
    behaviour: "Who gets no mail is in the answer with parse and render errors, and everybody else gets one",
    section: "docs/reference/email-templates.md",
  },
  "email.send-locale": {
    behaviour: "Each text is in the first preferred language that it has, exact, then language only, then by default",
    section: "docs/reference/email-templates.md",
  },
  "email.send-sender": {
    behaviour: "A mail is from the template's sender, else from the tenant's",
    section: "docs/reference/email-templates.md, docs/reference/tenants.md#tenants",
  },
  "email.send-headers": {
    behaviour: "Nothing that is said or stored begins a header of its own",
    section: "docs/architecture.md",
  },
  "email.send-tenant": {
    behaviour: "A tenant's key sends to users of its tenant, with its applications",
    section: "docs/reference/email-templates.md, docs/reference/api-keys.md#global-endpoints",
  },
  "email.send-outbox": {
    behaviour:
      "Mails are kept with the transaction, sealed, leave after the commit and are tried until they are taken or refused",
    section: "docs/reference/events.md#outbox",
  },
  "email.send-not-configured": {
    behaviour: "Without a transport or an address to send from, sending is 400 [notConfigured]",
    section: "docs/reference/errors.md#kinds-of-codes",
  },
};
