// node:crypto instead of a library for JOSE: its synchronous signatures are what PERFORMANCE's goals for tokens and proofs ask for. The tests
// hold it against such a library.
import { createHmac, type KeyObject, type SignKeyObjectInput, sign, timingSafeEqual, verify } from "node:crypto";

/** A JWS in compact form, taken apart and not verified (RFC 7515, 3.1). */
export interface CompactJws {
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly signingInput: string;
  readonly signature: Buffer;
}

/** The longest token that is looked at, in characters. */
export const maxTokenLength = 16_384;

/**
 * Takes a compact JWS apart; undefined for what is none: three parts, each the only base64url spelling of its bytes, the first two JSON
 * objects in UTF-8.
 */
export function parseJws(token: string): CompactJws | undefined {
  if (token.length > maxTokenLength) return undefined;
  const match = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(token);
  if (match === null) return undefined;
  const [, first = "", second = "", third = ""] = match;
  const [header, payload, signature] = [parseObject(first), parseObject(second), decode(third)];
  if (header === undefined || payload === undefined || signature === undefined) return undefined;
  return { header, payload, signingInput: `${first}.${second}`, signature };
}

function decode(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = decode(text);
  if (bytes === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** How each `alg` signs: the digest, and what the key must be. EdDSA has a digest of its own. */
const signatureAlgorithms: Readonly<Record<string, { readonly digest: string | null; readonly keyType: string }>> = {
  ES256: { digest: "sha256", keyType: "ec" },
  ES384: { digest: "sha384", keyType: "ec" },
  ES512: { digest: "sha512", keyType: "ec" },
  EdDSA: { digest: null, keyType: "ed25519" },
  RS256: { digest: "sha256", keyType: "rsa" },
  RS384: { digest: "sha384", keyType: "rsa" },
  RS512: { digest: "sha512", keyType: "rsa" },
};

/** Signs claims. @throws Error when the key is not one of the algorithm's. */
export function signJws(alg: string, key: KeyObject, header: object, claims: object): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signingInput = `${encode({ ...header, alg })}.${encode(claims)}`;
  return `${signingInput}.${toSignature(alg, key, signingInput).toString("base64url")}`;
}

function toSignature(alg: string, key: KeyObject, signingInput: string): Buffer {
  if (alg.startsWith("HS")) return toMac(alg, key, signingInput);
  const { digest, keyType } = signatureAlgorithms[alg] ?? {};
  if (digest === undefined || key.asymmetricKeyType !== keyType) throw new Error(`The key does not sign by ${alg}.`);
  return sign(digest, Buffer.from(signingInput), withEncoding(key, keyType));
}

/** Whether the signature is the key's, by this algorithm and no other: what the token says of its algorithm is not asked. */
export function isSignedBy(alg: string, key: KeyObject, { signingInput, signature }: CompactJws): boolean {
  if (alg.startsWith("HS")) {
    const mac = toMac(alg, key, signingInput);
    return mac.length === signature.length && timingSafeEqual(mac, signature);
  }
  const { digest, keyType } = signatureAlgorithms[alg] ?? {};
  if (digest === undefined || key.asymmetricKeyType !== keyType) return false;
  try {
    return verify(digest, Buffer.from(signingInput), withEncoding(key, keyType), signature);
  } catch {
    return false;
  }
}

// Only signatures on curves of NIST have two encodings. A key without options spares node:crypto a third of an Ed25519 signature.
function withEncoding(key: KeyObject, keyType: string | undefined): KeyObject | SignKeyObjectInput {
  return keyType === "ec" ? { key, dsaEncoding: "ieee-p1363" } : key;
}

function toMac(alg: string, key: KeyObject, signingInput: string): Buffer {
  return createHmac(`sha${alg.slice(2)}`, key)
    .update(signingInput)
    .digest();
}
