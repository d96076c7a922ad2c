import type { RulesBySection } from "./rules.js";

/** The rules of client credentials: the token endpoint, introspection, and their tokens on the API. */
export const clientCredentialsRequirements: RulesBySection = {
  "docs/reference/oauth.md": `
    oauth.token oauth.answer oauth.claims oauth.scope-all oauth.scope-listed oauth.scope-none oauth.tenant
  `,
  "docs/reference/signing-keys.md": "oauth.signed",
  "docs/reference/oauth.md#token-request, RFC 6749, 2.3.1": "oauth.basic",
  "docs/reference/oauth.md and RFC 6749, 2.3.1": "oauth.form",
  "docs/reference/threats.md, 37": "oauth.client-alike",
  "docs/reference/oauth.md and RFC 6749, 5.2": "oauth.errors",
  "RFC 6749, 3.2": "oauth.body",
  "docs/reference/wire.md#dry-run": "oauth.dry-run",
  "RFC 6749, 5.2": "oauth.grant-type",
  "docs/reference/entities.md": "oauth.configuration oauth.version",
  "docs/reference/service.md#versions-and-plans": "oauth.plan",
  "docs/reference/threats.md, 41": "oauth.secrecy",
  "docs/reference/oauth.md#introspection": "introspect.proof introspect.key",
  "docs/reference/tokens.md#access-tokens": "introspect.active introspect.client",
  "docs/reference/tokens.md#access-tokens and RFC 7662, 2.2": "introspect.inactive",
  "docs/reference/oauth.md#calls-with-a-client-token": `
    client.call client.tenant client.own-names client.entity client.entity-id client.grant client.grant-names
  `,
  "docs/reference/authentication.md#schemes": "client.refused",
  "docs/reference/api-keys.md#references": "client.entity-kept",
  "docs/reference/api-keys.md#granting": "client.grant-held client.secret-held",
  "docs/architecture.md": "client.in-process",
};
