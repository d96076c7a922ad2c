import { hash, type KeyObject } from "node:crypto";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { type AlgorithmParameters, algorithms, type KeyAlgorithm, type KeyType } from "./algorithms.js";

/** The members of a JWK that are the public key itself: those that its thumbprint is made of (RFC 7638, 3.2). */
export interface PublicMembers {
  /** The kind of key: `RSA`, `EC` or `OKP`. */
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

/** The public half of a pair of keys. */
export interface PublicKeyData {
  /** SPKI in PEM, with LF and without a last one. */
  readonly publicKey: string;
  readonly type: KeyType;
  /** The algorithm of a key of this kind that nobody named one for. */
  readonly defaultAlgorithm: KeyAlgorithm;
  /** The bits of an RSA modulus or of an elliptic curve. */
  readonly length: number | undefined;
  readonly members: PublicMembers;
}

/** What a public key is; undefined for kinds and curves that no algorithm here signs with. */
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

/** A half of a pair of keys in PEM. */
export function exportPem(key: KeyObject, type: "spki" | "pkcs8"): string {
  return key.export({ format: "pem", type }).toString().trimEnd();
}

/** The SHA-256 thumbprint of a public key in base64url (RFC 7638). */
export function toThumbprint(members: PublicMembers): string {
  return hash("sha256", toCanonicalJson(members), "base64url");
}
