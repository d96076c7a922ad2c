import type { RulesBySection } from "./rules.js";

/** The rules of SAML 2.0. */
export const samlRequirements: RulesBySection = {
  "docs/saml.md": `
    saml.xml saml.signatures saml.wrapping saml.encryption saml.requests saml.provider saml.provider-requests saml.populate
    saml.settings saml.users saml.rollover
  `,
  "saml-core-2.0, 3.3.2.2.1": "saml.authn-context",
  "saml-core-2.0, 3.4.1.1": "saml.name-id-policy",
  "saml-profiles-2.0, 4.1.4.3": "saml.assertions",
  "saml-profiles-2.0, 4.1.4.5": "saml.replay",
  "saml-metadata-2.0": "saml.metadata",
};
