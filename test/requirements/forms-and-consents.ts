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

  // Forms in use
  "form-use.access": {
    behaviour:
      "Keys of tenants may describe and validate forms, though all else about forms is global; the plan starter is needed",
    section: "facts.md 9.2 and 15",
  },
  "form-use.describe": { behaviour: "describe shows steps, fields and options with their texts", section: "facts.md 6.2" },
  "form-use.messages": {
    behaviour: "Texts are those of the locale, then of its language, then the default ones; without one the key stands",
    section: "facts.md 6.2",
  },
  "form-use.message-keys": { behaviour: "describe names the keys of all texts that a form needs", section: "facts.md 6.2" },
  "form-use.values": {
    behaviour: "validate puts converted values to the places that keys name in user, registration and consents; nothing is kept",
    section: "2.2",
  },
  "form-use.codes": {
    behaviour: "A submission is refused with [blank], [missing], [invalid] and [doNotMatch] on the keys, all at once",
    section: "facts.md 2.5",
  },
  "form-use.options": { behaviour: "What is chosen must be one of the options", section: "2.2" },
  "form-use.consents": { behaviour: "A consent is given, or given by values that it has", section: "facts.md 6.4" },
  "form-use.steps": { behaviour: "A step is validated alone, and the next one is named", section: "facts.md 6.3" },
  "form-use.fields": { behaviour: "Fields are validated without a form too", section: "2.2" },
  "form-use.validator": { behaviour: "A validator must match the whole value", section: decided("Validator expressions") },
  "form-use.validator-hostile": {
    behaviour: "No expression stalls the process: an automaton runs it, or the lambda engine with its clock",
    section: decided("Validator expressions"),
  },
  "form-use.lambda": {
    behaviour: "Once the fields are valid, the lambda of the application may refuse with errors of its own",
    section: "facts.md 5.2, 5.4",
  },
  "form-use.lambda-context": {
    behaviour: "The lambda sees user, registration and the context of the form, and changes none of them",
    section: "facts.md 5.1, 5.3, 5.4",
  },
  "form-use.lambda-failure": { behaviour: "A lambda that fails is 400 [LambdaFailed]", section: decided("A lambda that throws") },
  "form-use.application": {
    behaviour: "The application is the one that is named, or else the only one that uses the form",
    section: "facts.md 6.3",
  },

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
  "user-consent.update": { behaviour: "PUT and PATCH change data, status and values only", section: "facts.md 6.4" },
  "user-consent.revoke": { behaviour: "DELETE revokes; the record stays", section: "facts.md 6.4" },
  "user-consent.cascade": {
    behaviour: "What a user consented to goes with the consent and with the user",
    section: "facts.md 6.4",
  },
  "user-consent.statements": { behaviour: "A list costs a constant number of statements", section: "docs/architecture.md" },
};
