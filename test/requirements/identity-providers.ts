import type { RulesBySection } from "./rules.js";

/** The rules of identity providers, and of logins by them. */
export const identityProviderRequirements: RulesBySection = {
  "docs/reference/identity-providers.md#fields": "provider.fields provider.secrets provider.references",
  "docs/reference/identity-providers.md#types": "provider.required provider.versions",
  "docs/reference/identity-providers.md#tenants": "provider.tenants",
  "docs/reference/identity-providers.md#removal": "provider.removal",
  "docs/reference/identity-providers.md#domains": "provider.domains",
  "docs/reference/identity-providers.md#start-a-login": "external-login.start",
  "docs/reference/identity-providers.md#finish-a-login": "external-login.finish",
  "docs/reference/identity-providers.md#linking": `
    external-login.linking external-login.proof external-login.races external-login.registration
  `,
  "docs/reference/identity-providers.md#reconcile-lambdas": "external-login.lambda",
  "docs/reference/identity-providers.md#errors": "external-login.failures",
  "docs/reference/identity-providers.md#verification": "external-login.clients external-login.tokens",
};
