import type { Requirement } from "./requirement.js";

const applications = "docs/reference/openid.md#applications";
const browserAccounts = "docs/reference/openid.md#several-accounts-in-a-browser";
const tokens = "docs/reference/openid.md#tokens";

/** The rules of the OpenID provider, and of applications as its clients. */
export const openIdRequirements: Readonly<Record<string, Requirement>> = {
  "application.oauth.secret": {
    behaviour: "The client secret is random, sealed, and stays until another is given",
    section: applications,
  },
  "application.oauth.lists": { behaviour: "PATCH replaces the lists of URLs and grants", section: applications },
  "application.oauth.authentication": {
    behaviour: "clientAuthenticationPolicy and requireClientAuthentication say the same; the policy wins",
    section: applications,
  },
  "application.oauth.urls": {
    behaviour: "URLs that run scripts, hide a user name or have a fragment are refused",
    section: applications,
  },
  "application.oauth.plan": { behaviour: "Third-party applications need the plan essentials", section: applications },
  "openid.code": { behaviour: "A code and its verifier give tokens of the service, once", section: tokens },
  "openid.single-sign-on": {
    behaviour: "Provisioned users log in by the provider of their company; a deprovisioned one is out at once",
    section: "docs/single-sign-on.md",
  },
  "openid.discovery": { behaviour: "Each field of the discovery document says what a client meets", section: tokens },
  "openid.storage": {
    behaviour: "An exchange is one transaction, and no stored record lets its reader in",
    section: "docs/reference/openid.md#storage",
  },
  "openid.asked-claims": {
    behaviour: "The parameter claims asks ID tokens and userinfo for claims by name; a consent names their scopes",
    section: "docs/reference/openid.md#sessions-of-browsers",
  },
  "openid.accounts": {
    behaviour: "Each account of a browser keeps its session; a user chooses among them without a password",
    section: browserAccounts,
  },
  "openid.accounts-stale": { behaviour: "An account without a live session enters its password", section: browserAccounts },
  "openid.accounts-sealed": {
    behaviour: "Only the service can name accounts of a browser, for one tenant",
    section: browserAccounts,
  },
  "openid.accounts-logout": { behaviour: "A logout ends the sessions of all accounts of a browser", section: browserAccounts },
  "openid.rotation": { behaviour: "A refresh changes the refresh token; a used one ends the session", section: tokens },
  "openid.authentication-type": { behaviour: "Tokens of a code say how the user logged in", section: tokens },
  "openid.refresh-event": { behaviour: "A refresh publishes jwt.refresh without signatures", section: tokens },
  "openid.consent-remembered": { behaviour: "RememberDecision counts beyond the session", section: applications },
  "openid.scope-unknown": {
    behaviour: "unknownScopePolicy allows, removes or rejects scopes of the application's own",
    section: applications,
  },
  "openid.scope-required": { behaviour: "Who refuses a required scope does not log in", section: applications },
  "openid.device-page": { behaviour: "deviceVerificationURL takes the place of the page of the service", section: applications },
  "openid.debug": { behaviour: "debug writes refused requests to the event log", section: applications },
  "openid.backchannel": {
    behaviour: "A logout sends logout tokens by the guarded client",
    section: "docs/reference/openid.md#sessions-of-browsers",
  },
  "openid.mount": {
    behaviour: "A provider below a path has it in all URLs and cookies",
    section: "docs/openid-provider.md#run-it-in-production",
  },
  "openid.throttle": { behaviour: "Wrong client secrets are slowed and refused", section: tokens },
  "openid.lambdas": {
    behaviour: "Lambdas change access tokens, ID tokens and userinfo, and decide on the login page",
    section: "docs/lambdas-places.md",
  },
};
