// node:crypto instead of a library for JOSE: what it costs beside the signatures themselves is what PERFORMANCE's goals for tokens and
// proofs ask for. The tests hold it against such a library.
import { constants, createHmac, type KeyObject, type SignKeyObjectInput, sign, timingSafeEqual, verify } from "node:crypto";
import { promisify } from "node:util";
import { fromDer, toDer } from "./ecdsa-signature.js";

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

interface SignatureAlgorithm {
  /** EdDSA has a digest of its own. */
  readonly digest: string | null;
  readonly keyType: string;
  /** The length of each of the two numbers that an ECDSA signature is. */
  readonly numberBytes?: number;
  /** Whether it takes no longer than to hand it to another thread. */
  readonly isQuick?: boolean;
  readonly padding?: { readonly padding: number; readonly saltLength: number };
}

// The salt is as long as the digest (RFC 7518, 3.5).
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };

/** How each `alg` signs: the digest, and what the key must be. `Ed25519` is the exact name of EdDSA on that curve (RFC 9864). */
const signatureAlgorithms: Readonly<Record<string, SignatureAlgorithm>> = {
  ES256: { digest: "sha256", keyType: "ec", numberBytes: 32, isQuick: true },
  ES384: { digest: "sha384", keyType: "ec", numberBytes: 48 },
  ES512: { digest: "sha512", keyType: "ec", numberBytes: 66 },
  Ed25519: { digest: null, keyType: "ed25519", isQuick: true },
  EdDSA: { digest: null, keyType: "ed25519", isQuick: true },
  PS256: { digest: "sha256", keyType: "rsa", padding: pss },
  PS384: { digest: "sha384", keyType: "rsa", padding: pss },
  PS512: { digest: "sha512", keyType: "rsa", padding: pss },
  RS256: { digest: "sha256", keyType: "rsa" },
  RS384: { digest: "sha384", keyType: "rsa" },
  RS512: { digest: "sha512", keyType: "rsa" },
};

/** Signs claims. @throws Error when the key is not one of the algorithm's. */
export async function signJws(alg: string, key: KeyObject, header: object, claims: object): Promise<string> {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signingInput = `${encode({ ...header, alg })}.${encode(claims)}`;
  const signature = alg.startsWith("HS") ? toMac(alg, key, signingInput) : await toSignature(alg, key, signingInput);
  return `${signingInput}.${signature.toString("base64url")}`;
}

// In the thread pool: a signature by RSA would hold up everybody else for up to a millisecond.
const signAside = promisify<string | null, Uint8Array, KeyObject | SignKeyObjectInput, Buffer>(sign);

async function toSignature(alg: string, key: KeyObject, signingInput: string): Promise<Buffer> {
  const { digest, isQuick, keyType, numberBytes, padding } = signatureAlgorithms[alg] ?? {};
  if (digest === undefined || key.asymmetricKeyType !== keyType) throw new Error(`The key does not sign by ${alg}.`);
  // A key without options spares node:crypto a third of an Ed25519 signature.
  const by = padding === undefined ? key : { key, ...padding };
  const bytes = Buffer.from(signingInput);
  const signature = isQuick ? sign(digest, bytes, by) : await signAside(digest, bytes, by);
  return numberBytes === undefined ? signature : fromDer(signature, numberBytes);
}

/** Whether the signature is the key's, by this algorithm and no other: what the token says of its algorithm is not asked. */
export function isSignedBy(alg: string, key: KeyObject, { signingInput, signature }: CompactJws): boolean {
  if (alg.startsWith("HS")) {
    const mac = toMac(alg, key, signingInput);
    return mac.length === signature.length && timingSafeEqual(mac, signature);
  }
  const { digest, keyType, numberBytes, padding } = signatureAlgorithms[alg] ?? {};
  if (digest === undefined || key.asymmetricKeyType !== keyType) return false;
  if (numberBytes !== undefined && signature.length !== 2 * numberBytes) return false;
  try {
    const given = numberBytes === undefined ? signature : toDer(signature);
    return verify(digest, Buffer.from(signingInput), padding === undefined ? key : { key, ...padding }, given);
  } catch {
    return false;
  }
}

function toMac(alg: string, key: KeyObject, signingInput: string): Buffer {
  return createHmac(`sha${alg.slice(2)}`, key)
    .update(signingInput)
    .digest();
}
