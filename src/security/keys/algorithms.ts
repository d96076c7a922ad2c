/** The kinds of keys (docs/reference/signing-keys.md). A `Secret` is a text that is stored for other parties and signs nothing. */
export const keyTypes = ["EC", "HMAC", "OKP", "RSA", "Secret"] as const;

/** What kind of key one is. */
export type KeyType = (typeof keyTypes)[number];

/** The algorithms of the keys that can be generated: a `Secret` is somebody else's, and only imported. */
export const generatedAlgorithms = [
  "ES256",
  "ES384",
  "ES512",
  "Ed25519",
  "HS256",
  "HS384",
  "HS512",
  "RS256",
  "RS384",
  "RS512",
] as const;

/** An algorithm of a key that can be generated. */
export type GeneratedAlgorithm = (typeof generatedAlgorithms)[number];

/** The algorithm that a key signs by; `None` is that of a `Secret`. */
export type KeyAlgorithm = GeneratedAlgorithm | "None";

/** Every algorithm. */
export const keyAlgorithms: readonly [KeyAlgorithm, ...KeyAlgorithm[]] = [...generatedAlgorithms, "None"];

/** What an algorithm asks of its keys. */
export type AlgorithmParameters =
  | { readonly type: "EC"; readonly curve: string; readonly length: number }
  /** As many bytes as the hash has: a shorter secret is weaker than the signature looks (RFC 7518, 3.2). */
  | { readonly type: "HMAC"; readonly leastBytes: number }
  | { readonly type: "OKP" | "RSA" | "Secret" };

/** Every algorithm with what it asks of its keys. Curves are named as OpenSSL does. */
export const algorithms: Readonly<Record<KeyAlgorithm, AlgorithmParameters>> = {
  ES256: { type: "EC", curve: "prime256v1", length: 256 },
  ES384: { type: "EC", curve: "secp384r1", length: 384 },
  ES512: { type: "EC", curve: "secp521r1", length: 521 },
  Ed25519: { type: "OKP" },
  HS256: { type: "HMAC", leastBytes: 32 },
  HS384: { type: "HMAC", leastBytes: 48 },
  HS512: { type: "HMAC", leastBytes: 64 },
  None: { type: "Secret" },
  RS256: { type: "RSA" },
  RS384: { type: "RSA" },
  RS512: { type: "RSA" },
};

/** The name that JOSE headers and JWKs have for an algorithm (RFC 8037, 3.1 for the one that differs). */
export function toJoseAlgorithm(algorithm: KeyAlgorithm): string {
  return algorithm === "Ed25519" ? "EdDSA" : algorithm;
}

/** The bits that a generated RSA key can have. */
export const rsaLengths: readonly number[] = [2_048, 3_072, 4_096];
