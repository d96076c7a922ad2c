import type { RulesBySection } from "./rules.js";

/** The rules of SCIM 2.0. */
export const scimRequirements: RulesBySection = {
  "docs/reference/scim.md": `
    scim.okta scim.senders scim.access scim.keys scim.unserved scim.tenants scim.writes scim.actor scim.deactivate
    scim.concurrent scim.large-groups scim.converters scim.converters-checked scim.hostile scim.too-many scim.custom-schemas
    scim.properties scim.addresses
  `,
  "RFC 7644, 3.11": "scim.me",
  "RFC 7644, 3.5.2": "scim.patch",
  "RFC 7644, 3.3": "scim.create",
  "RFC 7644, 3.5.1": "scim.replace",
  "RFC 7644, 3.14": "scim.versions",
  "RFC 7644, 3.9": "scim.attributes",
  "RFC 7644, 3.12": "scim.methods",
  "RFC 7644, 3.1": "scim.types",
  "RFC 7644, 3.4.2": "scim.lists",
  "RFC 7644, 3.7": "scim.bulk",
  "RFC 7644, 4": "scim.discovery",
};
