import type { Requirement } from "./requirement.js";

const at = (heading: string): string => `docs/reference/identity-providers.md#${heading}`;

/** The rules of identity providers, and of logins by them. */
export const identityProviderRequirements: Readonly<Record<string, Requirement>> = {
  "provider.fields": {
    behaviour: "A provider has the fields of its type; those of other types are not stored",
    section: at("fields"),
  },
  "provider.required": { behaviour: "Each type refuses a body without the fields that it needs", section: at("types") },
  "provider.secrets": {
    behaviour: "Secrets are sealed, those of applications too, and in no search, log or event",
    section: at("fields"),
  },
  "provider.references": { behaviour: "Keys, lambdas, applications and tenants must exist and fit", section: at("fields") },
  "provider.tenants": {
    behaviour: "A provider of a tenant is invisible to others; a global one serves all",
    section: at("tenants"),
  },
  "provider.removal": {
    behaviour: "A removal takes links with their events, and applications leave no trace",
    section: at("removal"),
  },
  "provider.versions": { behaviour: "Types and fields exist from their version and plan on", section: at("types") },
  "provider.domains": { behaviour: "A domain leads to one provider of a tenant, else to a global one", section: at("domains") },
  "external-login.start": {
    behaviour: "A start stores what the client needs, for one login in its place",
    section: at("start-a-login"),
  },
  "external-login.finish": { behaviour: "A login by a provider goes on as one with a password", section: at("finish-a-login") },
  "external-login.linking": {
    behaviour: "The strategy decides whose account it is; unverified addresses link nobody",
    section: at("linking"),
  },
  "external-login.races": { behaviour: "Of two first logins at once, one makes the user", section: at("linking") },
  "external-login.registration": {
    behaviour: "A login registers the user where the application says so",
    section: at("linking"),
  },
  "external-login.lambda": {
    behaviour: "The reconcile lambda of each type changes user and registration",
    section: at("reconcile-lambdas"),
  },
  "external-login.failures": {
    behaviour: "Refusals are 400, silence 502, patience 409; sources that fail are slowed",
    section: at("errors"),
  },
  "external-login.clients": {
    behaviour: "The clients of identity providers accept what is meant for them alone",
    section: at("verification"),
  },
};
