import { type KeyAlgorithm, toJoseAlgorithm } from "./algorithms.js";
import type { CertificateInformation } from "./certificate.js";
import type { PublicMembers } from "./public-key-data.js";

/** A public key as a JWK for verifying signatures (RFC 7517). */
export interface PublicJwk extends PublicMembers {
  /** The algorithm (RFC 7518); `EdDSA` for Ed25519. */
  readonly alg: string;
  /** The id that tokens name the key by. */
  readonly kid: string;
  /** The use of the key: signatures. */
  readonly use: "sig";
  /** The certificate in DER, as Base64; absent without one. */
  readonly x5c?: readonly string[];
  /** The SHA-1 digest of the certificate in base64url; absent without one. */
  readonly x5t?: string;
  /** The SHA-256 digest of the certificate in base64url; absent without one. */
  readonly "x5t#S256"?: string;
}

/** What a JWK is made from. */
export interface JwkSource {
  readonly algorithm: KeyAlgorithm;
  readonly kid: string;
  readonly publicMembers: PublicMembers;
  readonly certificate?: string | undefined;
  readonly certificateInformation?: CertificateInformation | undefined;
}

/** The public half of a key as a JWK. */
export function toPublicJwk(source: JwkSource): PublicJwk {
  const { algorithm, kid, publicMembers, certificate, certificateInformation } = source;
  const jwk = { ...publicMembers, alg: toJoseAlgorithm(algorithm), kid, use: "sig" } as const;
  if (certificate === undefined || certificateInformation === undefined) return jwk;
  const { sha1Thumbprint, sha256Thumbprint } = certificateInformation;
  // The Base64 of the block is that of the DER form, which is what x5c holds (RFC 7517, 4.7).
  const der = certificate.split("\n").slice(1, -1).join("");
  return { ...jwk, x5c: [der], x5t: sha1Thumbprint, "x5t#S256": sha256Thumbprint };
}
