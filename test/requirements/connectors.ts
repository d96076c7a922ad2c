import type { Requirement } from "./requirement.js";

const page = "docs/reference/connectors.md";
const policies = "docs/reference/connectors.md#policies";
const request = "docs/reference/connectors.md#request-to-a-generic-connector";
const users = "docs/reference/connectors.md#users-of-a-connector";
const guide = "docs/ldap.md";
const safety = "docs/ldap.md#safety";

/** The rules about connectors, and logins by them. */
export const connectorRequirements: Readonly<Record<string, Requirement>> = {
  "connector.fields": { behaviour: "A connector has the fields of its type, and none of another one", section: page },
  "connector.required": { behaviour: "What the type needs is required, all at once", section: page },
  "connector.urls": { behaviour: "The URL is one of the protocol, with a host and no more", section: page },
  "connector.built-in": { behaviour: "The built-in connector cannot be changed or removed", section: page },
  "connector.in-use": { behaviour: "A connector that a tenant names cannot be removed: 400 [inUse]connectorId", section: page },
  "connector.references": { behaviour: "Lambdas are of the right kind, and keys have a certificate", section: page },
  "connector.global": {
    behaviour: "Keys of a tenant and tenant headers are 401",
    section: "docs/reference/api-keys.md#global-endpoints",
  },
  "connector.version": { behaviour: "Connectors exist from 1.18.0 on", section: page },
  "connector.license": { behaviour: "Connectors need the plan starter", section: page },
  "connector.policies-default": { behaviour: "No policies mean the built-in connector for all", section: policies },
  "connector.policies-invalid": { behaviour: "Policies name connectors that exist, and domains", section: policies },
  "connector.domains": { behaviour: "The domain of the login id decides who sees a password", section: policies },
  "connector.order": { behaviour: "Policies are asked in order; a known user's connector alone", section: policies },
  "connector.migrate": { behaviour: "migrate stores the password and changes the connector", section: policies },
  "connector.takeover": { behaviour: "No connector takes over a user of another one", section: policies },
  "connector.tenants": { behaviour: "Each tenant has users of its own", section: policies },
  "connector.generic": { behaviour: "A generic connector gets the login id and the password as JSON", section: request },
  "connector.generic-answers": { behaviour: "200 with a user is right, 404 wrong, all else unavailable", section: request },
  "connector.side-by-side": { behaviour: "First logins side by side make one user", section: users },
  "connector.debug": { behaviour: "With debug each attempt is in the event log", section: page },
  "connector.throttle": { behaviour: "Wrong passwords count for lockouts; unavailable systems do not", section: page },
  "connector.transaction": { behaviour: "No transaction waits for another system", section: page },
  "connector.external-password": { behaviour: "Passwords of a connector cannot be changed or reset here", section: users },
  "connector.passwordless": { behaviour: "Users of a connector have no passwordless login", section: users },
  "connector.required-change": { behaviour: "Rules for passwords do not apply to those of a connector", section: users },
  "connector.set-password": {
    behaviour: "A password of an administrator moves the user to the built-in connector",
    section: users,
  },
  "connector.no-policy": { behaviour: "A user logs in by the own connector alone", section: users },
  "connector.inactive": { behaviour: "A user who is inactive here cannot log in", section: users },
  "connector.ldap": { behaviour: "A login by LDAP binds, searches, binds as the entry and runs the lambda", section: guide },
  "connector.identifier": { behaviour: "The identifying attribute finds the user again", section: guide },
  "connector.one-entry": { behaviour: "Exactly one entry has the login id, which is never read as a filter", section: safety },
  "connector.empty-password": { behaviour: "An empty password is never sent", section: safety },
  "connector.attributes": { behaviour: "The lambda gets texts, lists, and bytes in base64", section: guide },
  "connector.tls": { behaviour: "Certificates are verified, and the key's is trusted besides", section: safety },
  "connector.address": { behaviour: "Private addresses need allowPrivateNetwork", section: safety },
  "connector.lambda-fails": { behaviour: "A lambda that fails, or makes no user, fails the login: 400", section: guide },
  "connector.hostile": { behaviour: "A directory that answers wrongly is unavailable, and harms nothing else", section: safety },
  "connector.bulkhead": { behaviour: "A slow directory holds up its own logins alone", section: safety },
};
