import type { Requirement } from "./requirement.js";

const decided = "decisions.md, Events, lambdas, forms, integrations: Email templates";

/** The rules of email templates. */
export const emailTemplateRequirements: Readonly<Record<string, Requirement>> = {
  "email-template.create": { behaviour: "POST makes a template and answers it in its wrapper", section: "facts.md 7" },
  "email-template.fields": { behaviour: "A template has the fields of the reference, maps shown when empty", section: "2.3" },
  "email-template.missing": { behaviour: "A body without a template is 400 [missing]emailTemplate", section: "facts.md 14" },
  "email-template.required": {
    behaviour: "Name, default subject and both default bodies are required: [blank], all at once",
    section: "facts.md 7 and 2.5",
  },
  "email-template.name-unique": {
    behaviour: "Names are unique without regard to case: [duplicate]emailTemplate.name",
    section: "facts.md 7 and 2.5",
  },
  "email-template.trimmed": { behaviour: "The six plain texts are trimmed, localised ones too", section: "facts.md 7" },
  "email-template.no-nulls": { behaviour: "Entries that are null are left out of the localised maps", section: "facts.md 7" },
  "email-template.sender": {
    behaviour: "An empty sender is as good as none; an address that is none is [notEmail]emailTemplate.fromEmail",
    section: "2.3",
  },
  "email-template.locales": {
    behaviour: "Keys of localised maps are Java locales such as de or es_MX, others are [invalid]",
    section: "facts.md 7",
  },
  "email-template.syntax": {
    behaviour: "A text that is no template is 400 [invalid] on its path, with line and column in the message",
    section: decided,
  },
  "email-template.language": {
    behaviour: "Paths, ! defaults, ?html, ?upper_case, <#if> and <#list> are understood",
    section: decided,
  },
  "email-template.retrieve": { behaviour: "GET answers one template, or all in the order of their names", section: "4.3" },
  "email-template.update": { behaviour: "PUT replaces a template", section: "facts.md 7" },
  "email-template.patch": {
    behaviour: "PATCH merges localised maps key by key, and null removes an entry",
    section: "facts.md 1.3",
  },
  "email-template.delete": { behaviour: "DELETE answers 200 without a body, then 404", section: "facts.md 7" },
  "email-template.in-use": {
    behaviour: "A template that something refers to cannot be removed: 400 [inUse]emailTemplateId",
    section: "decisions.md, Events, lambdas, forms, integrations: Deleting what is used",
  },
  "email-template.search": {
    behaviour: "A search filters by name and sorts by id, insertInstant and name, by default name ASC",
    section: "facts.md 12",
  },
  "email-template.search-version": { behaviour: "The search exists from 1.45.0 on", section: "facts.md 7" },
  "email-template.global": {
    behaviour: "Keys of a tenant and tenant headers are 401",
    section: "decisions.md, Tenants, keys, authentication: Tenant-scoped key on a global-only endpoint",
  },
  "email-template.in-process": { behaviour: "Every operation can be called in process", section: "DESIGN.md" },
  "email.preview": {
    behaviour: "POST /api/email/template/preview answers the mail that a template makes in a locale, kept or not",
    section: "facts.md 7",
  },
  "email.preview-errors": {
    behaviour: "What is wrong with the texts is part of the 200 of a preview, with line and column, all at once",
    section: "facts.md 7",
  },
  "email.preview-global": { behaviour: "Keys of a tenant and tenant headers are 401 at previews", section: "facts.md 7 and 9.2" },
  "email.send": {
    behaviour: "POST /api/email/send/{id} answers 202 and sends users and addresses a mail each, with copies",
    section: "facts.md 7",
  },
  "email.send-request": { behaviour: "What a call to send says is checked, all at once, and bounded", section: "facts.md 7" },
  "email.send-variables": {
    behaviour: "Templates know application, tenant, user, registration and requestData",
    section: "facts.md 7",
  },
  "email.send-errors": {
    behaviour: "Who gets no mail is in the answer with parse and render errors, and everybody else gets one",
    section: "facts.md 7",
  },
  "email.send-locale": {
    behaviour: "Each text is in the first preferred language that it has, exact, then language only, then by default",
    section: "facts.md 7",
  },
  "email.send-sender": {
    behaviour: "A mail is from the template's sender, else from the tenant's",
    section: "facts.md 7 and 10.2",
  },
  "email.send-headers": { behaviour: "Nothing that is said or stored begins a header of its own", section: "DESIGN.md" },
  "email.send-tenant": {
    behaviour: "A tenant's key sends to users of its tenant, with its applications",
    section: "facts.md 7 and 9.2",
  },
  "email.send-outbox": {
    behaviour:
      "Mails are kept with the transaction, sealed, leave after the commit and are tried until they are taken or refused",
    section: "decisions.md, Events, lambdas, forms, integrations: Outbox",
  },
  "email.send-not-configured": {
    behaviour: "Without a transport or an address to send from, sending is 400 [notConfigured]",
    section: "facts.md 2.3",
  },
};
