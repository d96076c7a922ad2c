import type { RulesBySection } from "./rules.js";

/** The rules about connectors, and logins by them. */
export const connectorRequirements: RulesBySection = {
  "docs/reference/connectors.md": `
    connector.fields connector.required connector.urls connector.built-in connector.in-use connector.references
    connector.version connector.license connector.debug connector.throttle connector.transaction
  `,
  "docs/reference/api-keys.md#global-endpoints": "connector.global",
  "docs/reference/connectors.md#policies": `
    connector.policies-default connector.policies-invalid connector.domains connector.order connector.migrate connector.takeover
    connector.tenants
  `,
  "docs/reference/connectors.md#request-to-a-generic-connector": "connector.generic connector.generic-answers",
  "docs/reference/connectors.md#registrations-and-memberships": "connector.relations connector.relations-foreign",
  "docs/reference/connectors.md#users-of-a-connector": `
    connector.side-by-side connector.external-password connector.passwordless connector.required-change connector.set-password
    connector.no-policy connector.inactive
  `,
  "docs/ldap.md": "connector.ldap connector.identifier connector.attributes connector.lambda-fails",
  "docs/ldap.md#safety": `
    connector.one-entry connector.empty-password connector.tls connector.address connector.hostile connector.bulkhead
  `,
};
