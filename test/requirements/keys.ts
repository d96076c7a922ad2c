import type { RulesBySection } from "./rules.js";

/** The rules of signing keys. */
export const keyRequirements: RulesBySection = {
  "docs/reference/signing-keys.md": `
    key.generate key.generate-length key.generate-algorithm key.fields key.name key.import-pair key.import-certificate
    key.import-secret key.import-match key.import-claims key.import-weak key.import-pem key.kid key.hidden key.update key.remove
    key.reserved key.list key.default key.jwks key.public-key key.versions key.open key.kinds
  `,
  "docs/reference/api-keys.md#references": "key.in-use",
  "docs/reference/tokens.md#a-key-has-one-purpose": "key.one-purpose key.two-purposes",
  "docs/reference/tokens.md#jwts-accepted": "key.noted",
  "docs/reference/search.md": "key.search",
  "docs/reference/api-keys.md#global-endpoints": "key.global",
};
