import type { Requirement } from "./requirement.js";

const token = "docs/reference/oauth.md";
const introspection = "docs/reference/tokens.md#access-tokens";
const onApi = "docs/reference/oauth.md#calls-with-a-client-token";

/** The rules of client credentials: the token endpoint, introspection, and their tokens on the API. */
export const clientCredentialsRequirements: Readonly<Record<string, Requirement>> = {
  "oauth.token": { behaviour: "POST /oauth2/token issues a token to an entity that proves itself", section: token },
  "oauth.answer": {
    behaviour: "The answer has access_token, expires_in, scope and token_type, and is never stored",
    section: token,
  },
  "oauth.claims": { behaviour: "Header and claims are those of docs/reference/oauth.md; permissions is a map", section: token },
  "oauth.signed": {
    behaviour: "A token verifies by the public key that the JWKS endpoint shows",
    section: "docs/reference/signing-keys.md",
  },
  "oauth.basic": {
    behaviour: "The client authenticates with HTTP Basic, form-encoded",
    section: "docs/reference/oauth.md#token-request, RFC 6749, 2.3.1",
  },
  "oauth.form": { behaviour: "The client authenticates in the form, and never twice", section: `${token} and RFC 6749, 2.3.1` },
  "oauth.client-alike": {
    behaviour: "An unknown client and a wrong secret are answered alike",
    section: "docs/reference/threats.md, 37",
  },
  "oauth.errors": {
    behaviour: "Each reason has its error and its status; 401 has a challenge",
    section: `${token} and RFC 6749, 5.2`,
  },
  "oauth.body": { behaviour: "What is no form, or has a parameter twice, is invalid_request", section: "RFC 6749, 3.2" },
  "oauth.dry-run": {
    behaviour: "A token cannot be tried out: it would be a real one",
    section: "docs/reference/wire.md#dry-run",
  },
  "oauth.grant-type": { behaviour: "Other grants are unsupported_grant_type", section: "RFC 6749, 5.2" },
  "oauth.scope-all": { behaviour: "A target without permissions has all that are granted", section: token },
  "oauth.scope-listed": { behaviour: "A permission that is listed and not granted is an error", section: token },
  "oauth.scope-none": { behaviour: "Without a scope the token has no aud and no permissions", section: token },
  "oauth.tenant": { behaviour: "The tenant that a client names is its own", section: token },
  "oauth.configuration": {
    behaviour: "The type of the client decides on key and lifetime where it is enabled, else the tenant",
    section: "docs/reference/entities.md",
  },
  "oauth.plan": { behaviour: "A plan without entities is not_licensed", section: "docs/reference/service.md#versions-and-plans" },
  "oauth.version": { behaviour: "The token endpoint exists from 1.26.0 on", section: "docs/reference/entities.md" },
  "oauth.secrecy": {
    behaviour: "Secrets and tokens are in no log and no error",
    section: "docs/reference/threats.md, 41",
  },

  "introspect.active": { behaviour: "A valid token is active, with its claims", section: introspection },
  "introspect.inactive": {
    behaviour: "Any other text is inactive, and nothing more is said",
    section: `${introspection} and RFC 7662, 2.2`,
  },
  "introspect.client": { behaviour: "401 when the token was not issued to the client that is named", section: introspection },

  "client.call": { behaviour: "A token calls what its permissions on this API's entity name", section: onApi },
  "client.refused": {
    behaviour: "An expired or incorrect token fails the request, and so does one for another target",
    section: "docs/reference/authentication.md#schemes",
  },
  "client.tenant": {
    behaviour: "A client is bound to its tenant, and calls nothing that is global or a key manager's",
    section: onApi,
  },
  "client.own-names": { behaviour: "A host may map names of its own to calls", section: onApi },
  "client.entity": { behaviour: "The entity of this API and its type are made at the first start", section: onApi },
  "client.entity-id": { behaviour: "The option apiEntityId names the entity, also at a later start", section: onApi },
  "client.entity-kept": {
    behaviour: "The entity of this API cannot be removed",
    section: "docs/reference/api-keys.md#references",
  },
  "client.grant": { behaviour: "A client of any tenant may hold a grant on this API's entity", section: onApi },
  "client.grant-names": { behaviour: "Grants name <METHOD>:<endpoint> for what a key of a tenant may call", section: onApi },
  "client.grant-held": {
    behaviour: "Nobody grants on this API what the own key does not hold",
    section: "docs/reference/api-keys.md#granting",
  },
  "client.secret-held": {
    behaviour: "Nobody sees or changes the secret of a client that may do more with this API than the own key",
    section: "docs/reference/api-keys.md#granting",
  },
  "client.in-process": { behaviour: "as() takes the principal of a token", section: "docs/architecture.md" },
};
