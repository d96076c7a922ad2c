import type { Requirement } from "./requirement.js";

const token = "facts.md 10.6";
const introspection = "facts.md 10.8";
const onApi = "decisions.md, Tenants, keys, authentication: Client-credentials tokens on the API";

/** The rules of client credentials: the token endpoint, introspection, and their tokens on the API. */
export const clientCredentialsRequirements: Readonly<Record<string, Requirement>> = {
  "oauth.token": { behaviour: "POST /oauth2/token issues a token to an entity that proves itself", section: `5.1 and ${token}` },
  "oauth.answer": {
    behaviour: "The answer has access_token, expires_in, scope and token_type, and is never stored",
    section: token,
  },
  "oauth.claims": { behaviour: "Header and claims are those of facts.md 10.6; permissions is a map", section: token },
  "oauth.signed": { behaviour: "A token verifies by the public key that the JWKS endpoint shows", section: "facts.md 10.1" },
  "oauth.basic": { behaviour: "The client authenticates with HTTP Basic, form-encoded", section: "5.1 and RFC 6749, 2.3.1" },
  "oauth.form": { behaviour: "The client authenticates in the form, and never twice", section: `${token} and RFC 6749, 2.3.1` },
  "oauth.client-alike": {
    behaviour: "An unknown client and a wrong secret are answered alike",
    section: "THREATS.md, 37: Enumeration by status, body, time",
  },
  "oauth.errors": {
    behaviour: "Each reason has its error and its status; 401 has a challenge",
    section: `${token} and RFC 6749, 5.2`,
  },
  "oauth.body": { behaviour: "What is no form, or has a parameter twice, is invalid_request", section: "RFC 6749, 3.2" },
  "oauth.dry-run": { behaviour: "A token cannot be tried out: it would be a real one", section: "decisions.md, Dry run" },
  "oauth.grant-type": { behaviour: "Other grants are unsupported_grant_type", section: "RFC 6749, 5.2" },
  "oauth.scope-all": { behaviour: "A target without permissions has all that are granted", section: token },
  "oauth.scope-listed": { behaviour: "A permission that is listed and not granted is an error", section: token },
  "oauth.scope-none": { behaviour: "Without a scope the token has no aud and no permissions", section: token },
  "oauth.tenant": { behaviour: "The tenant that a client names is its own", section: token },
  "oauth.configuration": {
    behaviour: "The type of the client decides on key and lifetime where it is enabled, else the tenant",
    section: "facts.md 10.5",
  },
  "oauth.plan": { behaviour: "A plan without entities is not_licensed", section: "facts.md 15" },
  "oauth.version": { behaviour: "The token endpoint exists from 1.26.0 on", section: "facts.md 10.5" },
  "oauth.secrecy": {
    behaviour: "Secrets and tokens are in no log and no error",
    section: "THREATS.md, 41: Secrets in answers, search, logs",
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
    section: "5.1",
  },
  "client.tenant": {
    behaviour: "A client is bound to its tenant, and calls nothing that is global or a key manager's",
    section: onApi,
  },
  "client.own-names": { behaviour: "A host may map names of its own to calls", section: onApi },
  "client.entity": { behaviour: "The entity of this API and its type are made at the first start", section: onApi },
  "client.entity-id": { behaviour: "The option apiEntityId names the entity, also at a later start", section: onApi },
  "client.entity-kept": { behaviour: "The entity of this API cannot be removed", section: "decisions.md: Deleting what is used" },
  "client.grant": { behaviour: "A client of any tenant may hold a grant on this API's entity", section: onApi },
  "client.grant-names": { behaviour: "Grants name <METHOD>:<endpoint> for what a key of a tenant may call", section: onApi },
  "client.grant-held": {
    behaviour: "Nobody grants on this API what the own key does not hold",
    section: "decisions.md, Tenants, keys, authentication: Granting",
  },
  "client.secret-held": {
    behaviour: "Nobody sees or changes the secret of a client that may do more with this API than the own key",
    section: "decisions.md, Tenants, keys, authentication: Granting",
  },
  "client.in-process": { behaviour: "as() takes the principal of a token", section: "DESIGN.md" },
};
