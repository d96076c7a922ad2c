import type { KeyObject } from "node:crypto";
import type { CryptoKey } from "jose";
import { lazily } from "../shared/async.js";

/** A parsed, unverified JWS in compact form (RFC 7515, 3.1). */
export interface CompactJws {
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The complete text. */
  readonly token: string;
}

/** The maximum length of a token, in characters. */
export const maxTokenLength = 16_384;

/** The JOSE library, loaded with the first token, proof or signature: most starts need none. */
export const loadJose: () => Jose | Promise<Jose> = lazily(() => import("jose"));
type Jose = typeof import("jose");

/**
 * Parses a compact JWS; undefined for an invalid one. The library accepts several spellings of a token, so this checks the
 * syntax first: three parts, each in canonical base64url, the first two JSON objects in UTF-8.
 */
export async function parseJws(token: string): Promise<CompactJws | undefined> {
  if (token.length > maxTokenLength) return undefined;
  const match = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(token);
  if (match === null || !match.slice(1).every(isCanonical) || match.slice(1, 3).some(hasByteOrderMark)) return undefined;
  const { decodeJwt, decodeProtectedHeader } = await loadJose();
  try {
    return { header: { ...decodeProtectedHeader(token) }, payload: { ...decodeJwt(token) }, token };
  } catch {
    return undefined;
  }
}

function isCanonical(part: string): boolean {
  return Buffer.from(part, "base64url").toString("base64url") === part;
}

// The library skips a byte order mark, which JSON does not allow.
function hasByteOrderMark(part: string): boolean {
  return part.startsWith("77u_");
}

/** A key to sign or verify: the bytes of a secret, a key of the runtime or one of the library. */
export type JwsKey = KeyObject | CryptoKey | Uint8Array;

/** Whether the key made the signature with this algorithm. Ignores the algorithm in the token's header. */
export async function isSignedBy(alg: string, key: JwsKey, { token }: CompactJws): Promise<boolean> {
  const { compactVerify } = await loadJose();
  try {
    await compactVerify(token, toImported(alg, key), { algorithms: [alg] });
    return true;
  } catch {
    return false;
  }
}

/** Signs claims. @throws Error when the key does not fit the algorithm. */
export async function signJws(alg: string, key: JwsKey, header: object, claims: object): Promise<string> {
  const { CompactSign } = await loadJose();
  const payload = Buffer.from(JSON.stringify(claims));
  return new CompactSign(payload).setProtectedHeader({ ...header, alg }).sign(toImported(alg, key));
}

const importedSecrets = new WeakMap<object, CryptoKey>();

/** A secret key of Node. Declared here because the types of browsers have a different `CryptoKey`. */
interface SecretKey {
  toCryptoKey(algorithm: object, isExtractable: boolean, usages: readonly string[]): CryptoKey;
}

function isSecretKey(key: object): key is SecretKey {
  return "type" in key && key.type === "secret" && "toCryptoKey" in key;
}

// The library caches imported key pairs, but imports secrets for each signature.
function toImported(alg: string, key: JwsKey): JwsKey {
  if (!isSecretKey(key)) return key;
  const known = importedSecrets.get(key);
  if (known !== undefined) return known;
  const secret: SecretKey = key;
  const imported = secret.toCryptoKey({ name: "HMAC", hash: `SHA-${alg.slice(2)}` }, false, ["sign", "verify"]);
  importedSecrets.set(key, imported);
  return imported;
}
