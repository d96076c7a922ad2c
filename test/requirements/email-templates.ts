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
};
