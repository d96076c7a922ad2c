import type { Requirement } from "./requirement.js";

const facts = "docs/reference/signing-keys.md";

/** The rules of signing keys. */
export const keyRequirements: Readonly<Record<string, Requirement>> = {
  "key.generate": { behaviour: "POST generate makes a key of each algorithm but None", section: facts },
  "key.generate-length": { behaviour: "RSA needs a length of 2048, 3072 or 4096; others ignore it", section: facts },
  "key.generate-algorithm": { behaviour: "An algorithm is required and one of the list", section: facts },
  "key.fields": { behaviour: "A key shows exactly its public fields", section: facts },
  "key.name": { behaviour: "A name is required and unique in any case", section: facts },
  "key.import-pair": { behaviour: "POST import takes halves of a pair in PEM and finds out what it is", section: facts },
  "key.import-certificate": { behaviour: "A certificate is described and gives the key its end", section: facts },
  "key.import-secret": { behaviour: "POST import takes a secret for HMAC, or one that signs nothing", section: facts },
  "key.import-match": { behaviour: "The parts of a pair must belong together, else 400 [invalid]key.<part>", section: facts },
  "key.import-claims": { behaviour: "Type and algorithm must be those of the parts", section: facts },
  "key.import-weak": { behaviour: "RSA below 2048 bits and short secrets are refused", section: facts },
  "key.import-pem": { behaviour: "A part is one PEM block of its kind; line ends become LF", section: facts },
  "key.kid": { behaviour: "kid is unique; by default a thumbprint, or random for a secret", section: facts },
  "key.hidden": { behaviour: "Private halves and secrets are sealed, and never shown, logged or in an event", section: facts },
  "key.update": { behaviour: "PUT and PATCH change the name alone", section: facts },
  "key.remove": { behaviour: "DELETE removes a key that nothing uses", section: facts },
  "key.in-use": {
    behaviour: "DELETE of a key in use is 400 [inUse]keyId and names who uses it",
    section: "docs/reference/api-keys.md#references",
  },
  "key.one-purpose": {
    behaviour: "A key that a webhook named cannot be named for tokens, nor the other way round: 400 [invalid]<path>",
    section: "docs/reference/tokens.md#a-key-has-one-purpose",
  },
  "key.two-purposes": {
    behaviour: "A database in which a key has both purposes starts with a warning; a secret signs and verifies no tokens then",
    section: "docs/reference/tokens.md#a-key-has-one-purpose",
  },
  "key.noted": {
    behaviour: "What keys are named for in a database of an earlier version is noted at the first start",
    section: "docs/reference/tokens.md#jwts-accepted",
  },
  "key.reserved": { behaviour: "The ids of product-owned keys can be neither made, changed nor removed", section: facts },
  "key.list": { behaviour: "GET without an id answers all keys by name", section: facts },
  "key.search": { behaviour: "Search by algorithm, name and type; sortable as listed", section: "docs/reference/search.md" },
  "key.default": {
    behaviour: "A key is there from the first start; it signs what names no other and cannot be removed",
    section: "docs/reference/signing-keys.md",
  },
  "key.global": {
    behaviour: "Keys are outside of tenants: a tenant's key or header is 401",
    section: "docs/reference/api-keys.md#global-endpoints",
  },
  "key.jwks": { behaviour: "JWKS shows the public halves of pairs that sign here, to everybody", section: facts },
  "key.public-key": { behaviour: "public-key answers PEM by key, kid or application, or all by kid", section: facts },
  "key.versions": { behaviour: "Search since 1.45, Ed25519 since 1.62, Secret since 1.64", section: facts },
  "key.open": { behaviour: "A stored key signs and verifies with what was generated or imported", section: facts },
};
