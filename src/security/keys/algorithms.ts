/** The types of keys (docs/reference/signing-keys.md). A `Secret` is a text for other parties that signs nothing. */
export const keyTypes = ["EC", "HMAC", "OKP", "RSA", "Secret"] as const;

/** The type of a key. */
export type KeyType = (typeof keyTypes)[number];

/** The algorithms of generated keys. A `Secret` comes from another party, so it is imported only. */
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

/** An algorithm of generated keys. */
export type GeneratedAlgorithm = (typeof generatedAlgorithms)[number];

/** The algorithm of a key; `None` for a `Secret`. */
export type KeyAlgorithm = GeneratedAlgorithm | "None";

/** All algorithms. */
export const keyAlgorithms: readonly [KeyAlgorithm, ...KeyAlgorithm[]] = [...generatedAlgorithms, "None"];

/** The requirements of an algorithm for its keys. */
export type AlgorithmParameters =
  | { readonly type: "EC"; readonly curve: string; readonly length: number }
  /** The size of the hash: a shorter secret is weaker than the signature (RFC 7518, 3.2). */
  | { readonly type: "HMAC"; readonly leastBytes: number }
  | { readonly type: "OKP" | "RSA" | "Secret" };

/** The requirements of each algorithm. Curves have their OpenSSL names. */
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

/** The name of an algorithm in JOSE headers and JWKs (RFC 8037, 3.1 for the one that differs). */
export function toJoseAlgorithm(algorithm: KeyAlgorithm): string {
  return algorithm === "Ed25519" ? "EdDSA" : algorithm;
}

/** The sizes of generated RSA keys, in bits. */
export const rsaLengths: readonly number[] = [2_048, 3_072, 4_096];
