import type { Requirement } from "./requirement.js";

const saml = "docs/saml.md";

/** The rules of SAML 2.0. */
export const samlRequirements: Readonly<Record<string, Requirement>> = {
  "saml.xml": {
    behaviour:
      "Messages are elements, attributes and text in UTF-8; document types, entities, comments and oversized ones are refused",
    section: saml,
  },
  "saml.signatures": {
    behaviour:
      "A response or its assertion is signed by the provider's key, with SHA-256 or better; each signature that is there holds",
    section: saml,
  },
  "saml.wrapping": { behaviour: "Nothing that was not signed is read, wherever it stands in a response", section: saml },
  "saml.assertions": {
    behaviour: "An assertion is accepted for its audience, recipient and request alone, and while it holds",
    section: "saml-profiles-2.0, 4.1.4.3",
  },
  "saml.replay": { behaviour: "An assertion logs in once", section: "saml-profiles-2.0, 4.1.4.5" },
  "saml.encryption": { behaviour: "Encrypted assertions are decrypted; weak encryption is refused", section: saml },
  "saml.requests": { behaviour: "Requests go by redirect or form, signed where the provider's record says so", section: saml },
  "saml.provider": {
    behaviour: "Applications get signed assertions about users who logged in at the pages of the service",
    section: saml,
  },
  "saml.provider-requests": {
    behaviour: "A request is taken from its application alone, for a registered consumer",
    section: saml,
  },
  "saml.populate": { behaviour: "SAMLv2Populate changes what an assertion says of its user, and nothing else", section: saml },
  "saml.settings": { behaviour: "Settings of applications are checked, and their keys are in use", section: saml },
  "saml.metadata": { behaviour: "Metadata say what a peer needs", section: "saml-metadata-2.0" },
  "saml.users": { behaviour: "The record's claims say who the user is", section: saml },
};
