import type { Requirement } from "./requirement.js";

const decided = (topic: string): string => `docs/reference/events.md, lambdas, forms, integrations: ${topic}`;

/** The rules of form fields, forms, consents and what users consented to. */
export const formAndConsentRequirements: Readonly<Record<string, Requirement>> = {
  // Form fields
  "field.create": {
    behaviour: "POST makes a form field with the id of the path or a fresh one",
    section: "docs/reference/forms.md#form-fields",
  },
  "field.fields": {
    behaviour: "A form field has the fields of 2.2 with their defaults",
    section: "docs/reference/forms.md#form-fields",
  },
  "field.missing": {
    behaviour: "A body without a field is 400 [missing]field",
    section: "docs/reference/errors.md#codes-by-family",
  },
  "field.name": {
    behaviour: "The name is required and unique in any case",
    section: "docs/reference/forms.md#form-fields, docs/reference/errors.md#codes-by-family",
  },
  "field.list": { behaviour: "GET lists all form fields in order of name", section: "docs/reference/forms.md#form-fields" },
  "field.global": {
    behaviour: "Form fields, forms and the search of consents need a key and a call without a tenant",
    section: "docs/reference/forms.md#form-fields, docs/reference/api-keys.md#global-endpoints",
  },
  "field.plan": {
    behaviour: "Form fields and forms need the plan starter, else 400 [notLicensed]",
    section: "docs/reference/forms.md#form-fields, docs/reference/service.md#versions-and-plans",
  },
  "field.versions": { behaviour: "Keys and types exist from their version on", section: "docs/reference/forms.md#form-fields" },
  "field.key": {
    behaviour: "A custom key is a path below user.data or registration.data, checked on POST",
    section: "docs/reference/forms.md#form-fields",
  },
  "field.firstname": { behaviour: "user.firstname is read as user.firstName", section: decided("Form field types") },
  "field.managed": { behaviour: "A managed key forces type and control", section: "docs/reference/forms.md#form-fields" },
  "field.managed-made": {
    behaviour: "A field for each managed key is there from the first start",
    section: "docs/reference/forms.md#form-fields",
  },
  "field.password": {
    behaviour: "user.password is always required; confirm is what was sent",
    section: "docs/reference/forms.md#form-fields",
  },
  "field.type": { behaviour: "The type is one of seven, string by default", section: decided("Form field types") },
  "field.control": { behaviour: "The control is one of seven, text by default", section: "docs/reference/forms.md#form-fields" },
  "field.immutable": {
    behaviour: "PUT and PATCH silently keep type, key and control",
    section: "docs/reference/forms.md#form-fields, docs/reference/patch.md#validation",
  },
  "field.email": { behaviour: "The type email has the control text", section: "docs/reference/forms.md#form-fields" },
  "field.consent": {
    behaviour: "A consent field needs a consent, has its key, and has neither control nor confirm nor validator",
    section: decided("Form field types"),
  },
  "field.consent-key": {
    behaviour: "The key of a consent field follows its consent, but never twice on one form",
    section: "docs/reference/forms.md#form-fields, docs/reference/forms.md#forms",
  },
  "field.options": {
    behaviour: "Options fit the type; null ones are left out; a choice needs some",
    section: "docs/reference/forms.md#form-fields",
  },
  "field.options-bool": {
    behaviour: "Options of a checkbox for true or false are lower-case, true first",
    section: "docs/reference/forms.md#form-fields",
  },
  "field.validator": {
    behaviour: "A validator is kept for number, text and textarea only",
    section: "docs/reference/forms.md#form-fields",
  },
  "field.expression": {
    behaviour: "A validator expression is checked when it is saved",
    section: decided("Validator expressions"),
  },
  "field.expression-hostile": { behaviour: "No expression can stall the process", section: decided("Validator expressions") },
  "field.in-use": { behaviour: "A form field that a form uses cannot be deleted", section: decided("Deleting what is used") },

  // Forms
  "form.create": {
    behaviour: "POST makes a form with the id of the path or a fresh one",
    section: "docs/reference/forms.md#forms",
  },
  "form.fields": {
    behaviour: "A form has the fields of docs/reference/forms.md#forms with their defaults",
    section: "docs/reference/forms.md#forms",
  },
  "form.list": { behaviour: "GET lists all forms in order of name", section: "docs/reference/forms.md#forms" },
  "form.name": { behaviour: "The name is required and unique in any case", section: "docs/reference/forms.md#forms" },
  "form.path": {
    behaviour: "/api/form/field is the path of form fields, not a form",
    section: "docs/reference/forms.md#form-fields, docs/reference/forms.md#forms",
  },
  "form.type": {
    behaviour: "The type is one of four, registration by default, and never changes",
    section: "docs/reference/forms.md#forms",
  },
  "form.steps": {
    behaviour: "Null steps and empty collectData steps are left out; one must remain",
    section: "docs/reference/forms.md#forms",
  },
  "form.verify": { behaviour: "A step that verifies carries no fields", section: "docs/reference/forms.md#forms" },
  "form.references": {
    behaviour: "An unknown field is 400 [invalid]form.steps[0].fields[0]",
    section: "docs/reference/errors.md#codes-by-family",
  },
  "form.keys": { behaviour: "One form never carries the same key twice", section: "docs/reference/forms.md#form-fields" },
  "form.registration": {
    behaviour: "A registration form asks for a login and a password",
    section: "docs/reference/forms.md#forms",
  },
  "form.in-use": {
    behaviour: "A form that an application or a tenant uses cannot be deleted",
    section: "docs/reference/forms.md#forms",
  },

  // Forms in use
  "form-use.access": {
    behaviour:
      "Keys of tenants may describe and validate forms, though all else about forms is global; the plan starter is needed",
    section: "docs/reference/api-keys.md#global-endpoints, docs/reference/service.md#versions-and-plans",
  },
  "form-use.describe": {
    behaviour: "describe shows steps, fields and options with their texts",
    section: "docs/reference/forms.md#messages",
  },
  "form-use.messages": {
    behaviour: "Texts are those of the locale, then of its language, then the default ones; without one the key stands",
    section: "docs/reference/forms.md#messages",
  },
  "form-use.message-keys": {
    behaviour: "describe names the keys of all texts that a form needs",
    section: "docs/reference/forms.md#messages",
  },
  "form-use.values": {
    behaviour: "validate puts converted values to the places that keys name in user, registration and consents; nothing is kept",
    section: "docs/reference/forms.md#form-fields",
  },
  "form-use.codes": {
    behaviour: "A submission is refused with [blank], [missing], [invalid] and [doNotMatch] on the keys, all at once",
    section: "docs/reference/errors.md#codes-by-family",
  },
  "form-use.options": { behaviour: "What is chosen must be one of the options", section: "docs/reference/forms.md#form-fields" },
  "form-use.consents": {
    behaviour: "A consent is given, or given by values that it has",
    section: "docs/reference/forms.md#consents",
  },
  "form-use.steps": {
    behaviour: "A step is validated alone, and the next one is named",
    section: "docs/reference/forms.md#forms",
  },
  "form-use.fields": { behaviour: "Fields are validated without a form too", section: "docs/reference/forms.md#form-fields" },
  "form-use.validator": { behaviour: "A validator must match the whole value", section: decided("Validator expressions") },
  "form-use.validator-hostile": {
    behaviour: "No expression stalls the process: an automaton runs it, or the lambda engine with its clock",
    section: decided("Validator expressions"),
  },
  "form-use.lambda": {
    behaviour: "Once the fields are valid, the lambda of the application may refuse with errors of its own",
    section: "docs/reference/lambdas.md#where-each-is-attached, docs/reference/lambdas.md#validation-lambdas",
  },
  "form-use.lambda-context": {
    behaviour: "The lambda sees user, registration and the context of the form, and changes none of them",
    section: "docs/reference/lambdas.md#types, docs/reference/lambdas.md#context, docs/reference/lambdas.md#validation-lambdas",
  },
  "form-use.lambda-failure": { behaviour: "A lambda that fails is 400 [LambdaFailed]", section: decided("A lambda that throws") },
  "form-use.application": {
    behaviour: "The application is the one that is named, or else the only one that uses the form",
    section: "docs/reference/forms.md#forms",
  },

  // Consents
  "consent.create": {
    behaviour: "POST makes a consent with the id of the path or a fresh one",
    section: "docs/reference/forms.md#consents",
  },
  "consent.fields": {
    behaviour: "A consent has the fields of docs/reference/forms.md#consents with their defaults",
    section: "docs/reference/forms.md#consents",
  },
  "consent.name": { behaviour: "The name is required and unique in any case", section: "docs/reference/forms.md#consents" },
  "consent.ages": {
    behaviour: "The default age is required; others are named by country",
    section: "docs/reference/forms.md#consents",
  },
  "consent.email-plus": {
    behaviour: "The second message needs a template and an ordered time span",
    section: "docs/reference/forms.md#consents",
  },
  "consent.templates": {
    behaviour: "The email templates that a consent names must exist",
    section: "docs/reference/forms.md#consents",
  },
  "consent.values": { behaviour: "The values of a consent are a set", section: "docs/reference/forms.md#consents" },
  "consent.access": {
    behaviour: "Keys of a tenant may read all but the search and change nothing; the records are the same for all tenants",
    section: "docs/reference/api-keys.md#permissions and docs/reference/api-keys.md#global-endpoints",
  },
  "consent.search": {
    behaviour: "Consents are searched by name, in order of name",
    section: "docs/reference/forms.md#consents, docs/reference/search.md",
  },
  "consent.in-use": {
    behaviour: "A consent that a form field asks for cannot be deleted",
    section: decided("Deleting what is used"),
  },

  // User consents
  "user-consent.create": {
    behaviour: "POST keeps what a user consented to, in the user's tenant",
    section: "docs/reference/forms.md#consents",
  },
  "user-consent.fields": {
    behaviour: "A user consent shows its fields and the consent itself",
    section: "docs/reference/forms.md#consents",
  },
  "user-consent.references": {
    behaviour: "The consent, the user and the giver must be there, both users in one tenant",
    section: "docs/reference/forms.md#consents",
  },
  "user-consent.values": {
    behaviour: "Values are the consent's, several only where it allows them",
    section: "docs/reference/forms.md#consents",
  },
  "user-consent.list": {
    behaviour: "GET with userId lists what one user consented to",
    section: "docs/reference/forms.md#consents",
  },
  "user-consent.update": {
    behaviour: "PUT and PATCH change data, status and values only",
    section: "docs/reference/forms.md#consents",
  },
  "user-consent.revoke": { behaviour: "DELETE revokes; the record stays", section: "docs/reference/forms.md#consents" },
  "user-consent.cascade": {
    behaviour: "What a user consented to goes with the consent and with the user",
    section: "docs/reference/forms.md#consents",
  },
  "user-consent.statements": { behaviour: "A list costs a constant number of statements", section: "docs/architecture.md" },
};
