import type { Requirement } from "./requirement.js";

const decided = (topic: string): string => `decisions.md, Events, lambdas, forms, integrations: ${topic}`;

/** The rules of form fields, forms, consents and what users consented to. */
export const formAndConsentRequirements: Readonly<Record<string, Requirement>> = {
  // Form fields
  "field.create": { behaviour: "POST makes a form field with the id of the path or a fresh one", section: "4.2" },
  "field.fields": { behaviour: "A form field has the fields of 2.2 with their defaults", section: "2.2" },
  "field.missing": { behaviour: "A body without a field is 400 [missing]field", section: "facts.md 2.5" },
  "field.name": { behaviour: "The name is required and unique in any case", section: "2.2, facts.md 2.5" },
  "field.list": { behaviour: "GET lists all form fields in order of name", section: "4.2" },
  "field.global": {
    behaviour: "Form fields, forms and the search of consents need a key and a call without a tenant",
    section: "4.2, facts.md 9.2",
  },
  "field.plan": { behaviour: "Form fields and forms need the plan starter, else 400 [notLicensed]", section: "2.2, facts.md 15" },
  "field.versions": { behaviour: "Keys and types exist from their version on", section: "2.2" },
  "field.key": {
    behaviour: "A custom key is a path below user.data or registration.data, checked on POST",
    section: "2.2, facts.md 6.1",
  },
  "field.firstname": { behaviour: "user.firstname is read as user.firstName", section: decided("Form field types") },
  "field.managed": { behaviour: "A managed key forces type and control", section: "facts.md 6.1" },
  "field.managed-made": { behaviour: "A field for each managed key is there from the first start", section: "facts.md 6.1" },
  "field.password": { behaviour: "user.password is always required; confirm is what was sent", section: "facts.md 6.1" },
  "field.type": { behaviour: "The type is one of seven, string by default", section: decided("Form field types") },
  "field.control": { behaviour: "The control is one of seven, text by default", section: "2.2" },
  "field.immutable": {
    behaviour: "PUT and PATCH silently keep type, key and control",
    section: "4.2, decisions.md, PATCH: Validation",
  },
  "field.email": { behaviour: "The type email has the control text", section: "facts.md 6.1" },
  "field.consent": {
    behaviour: "A consent field needs a consent, has its key, and has neither control nor confirm nor validator",
    section: decided("Form field types"),
  },
  "field.consent-key": {
    behaviour: "The key of a consent field follows its consent, but never twice on one form",
    section: "facts.md 6.1, 6.3",
  },
  "field.options": {
    behaviour: "Options fit the type; null ones are left out; a choice needs some",
    section: "2.2, facts.md 6.1",
  },
  "field.options-bool": {
    behaviour: "Options of a checkbox for true or false are lower-case, true first",
    section: "facts.md 6.1",
  },
  "field.validator": { behaviour: "A validator is kept for number, text and textarea only", section: "facts.md 6.1" },
  "field.expression": {
    behaviour: "A validator expression is checked when it is saved",
    section: decided("Validator expressions"),
  },
  "field.expression-hostile": { behaviour: "No expression can stall the process", section: decided("Validator expressions") },
  "field.in-use": { behaviour: "A form field that a form uses cannot be deleted", section: decided("Deleting what is used") },

  // Forms
  "form.create": { behaviour: "POST makes a form with the id of the path or a fresh one", section: "facts.md 6.3" },
  "form.fields": { behaviour: "A form has the fields of facts.md 6.3 with their defaults", section: "facts.md 6.3" },
  "form.list": { behaviour: "GET lists all forms in order of name", section: "facts.md 6.3" },
  "form.name": { behaviour: "The name is required and unique in any case", section: "facts.md 6.3" },
  "form.path": { behaviour: "/api/form/field is the path of form fields, not a form", section: "4.2, facts.md 6.3" },
  "form.type": { behaviour: "The type is one of four, registration by default, and never changes", section: "facts.md 6.3" },
  "form.steps": { behaviour: "Null steps and empty collectData steps are left out; one must remain", section: "facts.md 6.3" },
  "form.verify": { behaviour: "A step that verifies carries no fields", section: "facts.md 6.3" },
  "form.references": { behaviour: "An unknown field is 400 [invalid]form.steps[0].fields[0]", section: "facts.md 2.5" },
  "form.keys": { behaviour: "One form never carries the same key twice", section: "facts.md 6.1" },
  "form.registration": { behaviour: "A registration form asks for a login and a password", section: "facts.md 6.3" },
  "form.in-use": { behaviour: "A form that an application or a tenant uses cannot be deleted", section: "facts.md 6.3" },

  // Consents
  "consent.create": { behaviour: "POST makes a consent with the id of the path or a fresh one", section: "facts.md 6.4" },
  "consent.fields": { behaviour: "A consent has the fields of facts.md 6.4 with their defaults", section: "facts.md 6.4" },
  "consent.name": { behaviour: "The name is required and unique in any case", section: "facts.md 6.4" },
  "consent.ages": { behaviour: "The default age is required; others are named by country", section: "facts.md 6.4" },
  "consent.email-plus": { behaviour: "The second message needs a template and an ordered time span", section: "facts.md 6.4" },
  "consent.templates": { behaviour: "The email templates that a consent names must exist", section: "facts.md 6.4" },
  "consent.values": { behaviour: "The values of a consent are a set", section: "facts.md 6.4" },
  "consent.access": {
    behaviour: "Keys of a tenant may read all but the search and change nothing; the records are the same for all tenants",
    section: "5.2 and facts.md 9.2",
  },
  "consent.search": { behaviour: "Consents are searched by name, in order of name", section: "facts.md 6.4, 12" },
  "consent.in-use": {
    behaviour: "A consent that a form field asks for cannot be deleted",
    section: decided("Deleting what is used"),
  },

  // User consents
  "user-consent.create": { behaviour: "POST keeps what a user consented to, in the user's tenant", section: "facts.md 6.4" },
  "user-consent.fields": { behaviour: "A user consent shows its fields and the consent itself", section: "facts.md 6.4" },
  "user-consent.references": {
    behaviour: "The consent, the user and the giver must be there, both users in one tenant",
    section: "facts.md 6.4",
  },
  "user-consent.values": { behaviour: "Values are the consent's, several only where it allows them", section: "facts.md 6.4" },
  "user-consent.list": { behaviour: "GET with userId lists what one user consented to", section: "facts.md 6.4" },
  "user-consent.update": { behaviour: "PUT and PATCH change the status and the values only", section: "facts.md 6.4" },
  "user-consent.revoke": { behaviour: "DELETE revokes; the record stays", section: "facts.md 6.4" },
  "user-consent.cascade": {
    behaviour: "What a user consented to goes with the consent and with the user",
    section: "facts.md 6.4",
  },
  "user-consent.statements": { behaviour: "A list costs a constant number of statements", section: "docs/architecture.md" },
};
