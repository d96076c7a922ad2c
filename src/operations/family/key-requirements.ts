import type { KeyType } from "../../security/keys/algorithms.js";

/** The properties of a key that requirements check (docs/reference/signing-keys.md). */
export interface StoredKey {
  readonly type: KeyType;
  readonly hasPrivateKey: boolean;
  readonly certificate?: string | undefined;
}

/** The kind of key that a place needs. */
export type KeyRequirement =
  | "certificate"
  | "clientCertificate"
  | "ecPrivate"
  | "pair"
  | "rsa"
  | "rsaPrivate"
  | "signs"
  | "verifies";

/** The name of each kind in a refusal, and its test. */
export const keyRequirements: Readonly<
  Record<KeyRequirement, { readonly text: string; readonly fits: (key: StoredKey) => boolean }>
> = {
  certificate: { text: "a key with a certificate", fits: ({ certificate }) => certificate !== undefined },
  clientCertificate: {
    text: "a key with a certificate and its private half",
    fits: ({ certificate, hasPrivateKey }) => certificate !== undefined && hasPrivateKey,
  },
  ecPrivate: { text: "an EC key with its private half", fits: ({ hasPrivateKey, type }) => type === "EC" && hasPrivateKey },
  pair: { text: "an EC, OKP or RSA key", fits: ({ type }) => type !== "HMAC" && type !== "Secret" },
  rsa: { text: "an RSA key", fits: ({ type }) => type === "RSA" },
  rsaPrivate: { text: "an RSA key with its private half", fits: ({ hasPrivateKey, type }) => type === "RSA" && hasPrivateKey },
  signs: {
    text: "an HMAC key, or one with its private half",
    fits: ({ hasPrivateKey, type }) => type === "HMAC" || (type !== "Secret" && hasPrivateKey),
  },
  verifies: { text: "a key that verifies signatures", fits: ({ type }) => type !== "Secret" },
};
