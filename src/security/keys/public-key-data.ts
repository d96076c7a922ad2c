import { hash, type KeyObject } from "node:crypto";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { type AlgorithmParameters, algorithms, type KeyAlgorithm, type KeyType, toJoseAlgorithm } from "./algorithms.js";
import type { CertificateInformation } from "./certificate.js";

/** The members of a JWK that form the public key and its thumbprint (RFC 7638, 3.2). */
export interface PublicMembers {
  /** The type of key: `RSA`, `EC` or `OKP`. */
  readonly kty?: string | undefined;
  /** The curve of an EC or OKP key. */
  readonly crv?: string | undefined;
  /** The exponent of an RSA key in base64url. */
  readonly e?: string | undefined;
  /** The modulus of an RSA key in base64url. */
  readonly n?: string | undefined;
  /** The x coordinate of an EC key, or the public key of an OKP key, in base64url. */
  readonly x?: string | undefined;
  /** The y coordinate of an EC key in base64url. */
  readonly y?: string | undefined;
}

/** The public half of a key pair. */
export interface PublicKeyData {
  /** SPKI in PEM, with LF and without a trailing one. */
  readonly publicKey: string;
  readonly type: KeyType;
  /** The default algorithm of keys of this kind. */
  readonly defaultAlgorithm: KeyAlgorithm;
  /** The size of an RSA modulus or an elliptic curve, in bits. */
  readonly length: number | undefined;
  readonly members: PublicMembers;
}

/** Returns the properties of a public key; undefined for types and curves without an algorithm here. */
export function toPublicKeyData(key: KeyObject): PublicKeyData | undefined {
  const kind = toKind(key);
  if (kind === undefined) return undefined;
  const { kty, crv, e, n, x, y } = key.export({ format: "jwk" });
  return { ...kind, publicKey: exportPem(key, "spki"), members: { kty, crv, e, n, x, y } };
}

function toKind(key: KeyObject): Pick<PublicKeyData, "type" | "defaultAlgorithm" | "length"> | undefined {
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === "rsa") return { type: "RSA", defaultAlgorithm: "RS256", length: modulusLength };
  if (key.asymmetricKeyType === "ed25519") return { type: "OKP", defaultAlgorithm: "Ed25519", length: undefined };
  if (key.asymmetricKeyType !== "ec") return undefined;
  for (const [algorithm, traits] of Object.entries(algorithms) as [KeyAlgorithm, AlgorithmParameters][])
    if (traits.type === "EC" && traits.curve === namedCurve)
      return { type: "EC", defaultAlgorithm: algorithm, length: traits.length };
  return undefined;
}

/** Exports half of a key pair as PEM. */
export function exportPem(key: KeyObject, type: "spki" | "pkcs8"): string {
  return key.export({ format: "pem", type }).toString().trimEnd();
}

/** The SHA-256 thumbprint of a public key in base64url (RFC 7638). */
export function toThumbprint(members: PublicMembers): string {
  return hash("sha256", toCanonicalJson(members), "base64url");
}

/** A public key as a JWK to verify signatures (RFC 7517). */
export interface PublicJwk extends PublicMembers {
  /** The algorithm (RFC 7518); `EdDSA` for Ed25519. */
  readonly alg: string;
  /** The key id in tokens. */
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

/** The properties of a key for its JWK. */
interface JwkSource {
  readonly algorithm: KeyAlgorithm;
  readonly kid: string;
  readonly publicMembers: PublicMembers;
  readonly certificate?: string | undefined;
  readonly certificateInformation?: CertificateInformation | undefined;
}

/** Converts the public half of a key to a JWK. */
export function toPublicJwk(source: JwkSource): PublicJwk {
  const { algorithm, kid, publicMembers, certificate, certificateInformation } = source;
  const jwk = { ...publicMembers, alg: toJoseAlgorithm(algorithm), kid, use: "sig" } as const;
  if (certificate === undefined || certificateInformation === undefined) return jwk;
  const { sha1Thumbprint, sha256Thumbprint } = certificateInformation;
  // The PEM block is the Base64 of the DER form that x5c requires (RFC 7517, 4.7).
  const der = certificate.split("\n").slice(1, -1).join("");
  return { ...jwk, x5c: [der], x5t: sha1Thumbprint, "x5t#S256": sha256Thumbprint };
}

/**
 * The material of a valid key: its halves belong together and fit its algorithm. Contains either the secret or the public half.
 * Texts are PEM with LF and without a trailing one.
 */
export interface KeyMaterial {
  readonly type: KeyType;
  readonly algorithm: KeyAlgorithm;
  /** The size of an RSA modulus or an elliptic curve, in bits. */
  readonly length?: number | undefined;
  /** SPKI. */
  readonly publicKey?: string | undefined;
  readonly publicMembers?: PublicMembers | undefined;
  readonly certificate?: string | undefined;
  readonly certificateInformation?: CertificateInformation | undefined;
  /** PKCS #8. Never show, log or store it unsealed, nor `secret`. */
  readonly privateKey?: string | undefined;
  readonly secret?: string | undefined;
}
