import type { RulesBySection } from "./rules.js";

/** The rules of form fields, forms, consents and what users consented to. */
export const formAndConsentRequirements: RulesBySection = {
  "docs/reference/forms.md#form-fields": `
    field.create field.fields field.list field.versions field.key field.managed field.managed-made field.password field.control
    field.email field.options field.options-bool field.validator form.keys form-use.values form-use.options form-use.fields
  `,
  "docs/reference/errors.md#codes-by-family": "field.missing form.references form-use.codes",
  "docs/reference/forms.md#form-fields, docs/reference/errors.md#codes-by-family": "field.name",
  "docs/reference/forms.md#form-fields, docs/reference/api-keys.md#global-endpoints": "field.global",
  "docs/reference/forms.md#form-fields, docs/reference/service.md#versions-and-plans": "field.plan",
  "docs/reference/events.md, lambdas, forms, integrations: Form field types": "field.firstname field.type field.consent",
  "docs/reference/forms.md#form-fields, docs/reference/patch.md#validation": "field.immutable",
  "docs/reference/forms.md#form-fields, docs/reference/forms.md#forms": "field.consent-key form.path",
  "docs/reference/events.md, lambdas, forms, integrations: Validator expressions":
    "field.expression field.expression-hostile form-use.validator form-use.validator-hostile",
  "docs/reference/events.md, lambdas, forms, integrations: Deleting what is used": "field.in-use consent.in-use",
  "docs/reference/forms.md#forms": `
    form.create form.fields form.list form.name form.type form.steps form.verify form.registration form.in-use form-use.steps
    form-use.application
  `,
  "docs/reference/api-keys.md#global-endpoints, docs/reference/service.md#versions-and-plans": "form-use.access",
  "docs/reference/forms.md#messages": "form-use.describe form-use.messages form-use.message-keys",
  "docs/reference/forms.md#consents": `
    form-use.consents consent.create consent.fields consent.name consent.ages consent.email-plus consent.templates
    consent.values user-consent.create user-consent.fields user-consent.references user-consent.values user-consent.list
    user-consent.update user-consent.revoke user-consent.cascade
  `,
  "docs/reference/lambdas.md#where-each-is-attached, docs/reference/lambdas.md#validation-lambdas": "form-use.lambda",
  "docs/reference/lambdas.md#types, docs/reference/lambdas.md#context, docs/reference/lambdas.md#validation-lambdas":
    "form-use.lambda-context",
  "docs/reference/events.md, lambdas, forms, integrations: A lambda that throws": "form-use.lambda-failure",
  "docs/reference/api-keys.md#permissions and docs/reference/api-keys.md#global-endpoints": "consent.access",
  "docs/reference/forms.md#consents, docs/reference/search.md": "consent.search",
  "docs/architecture.md": "user-consent.statements",
};
