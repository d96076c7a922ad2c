import type { KeyObject } from "node:crypto";
import type { CryptoKey } from "jose";
import { lazily } from "../shared/async.js";

/** A JWS in compact form, taken apart and not verified (RFC 7515, 3.1). */
export interface CompactJws {
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
  /** All of it. */
  readonly token: string;
}

/** The longest token that is looked at, in characters. */
export const maxTokenLength = 16_384;

/** The library for JOSE, loaded with the first token, proof or signature: most starts need none. */
export const loadJose: () => Jose | Promise<Jose> = lazily(() => import("jose"));
type Jose = typeof import("jose");

/**
 * Takes a compact JWS apart; undefined for what is none. The library would take several spellings of one token, so the syntax is checked
 * before: three parts, each the only base64url spelling of its bytes, the first two JSON objects in UTF-8.
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

// The library passes over such a mark, which is no part of JSON.
function hasByteOrderMark(part: string): boolean {
  return part.startsWith("77u_");
}

/** A key for signing or verifying: a secret in bytes, a key of the runtime or one of the library. */
export type JwsKey = KeyObject | CryptoKey | Uint8Array;

/** Whether the signature is the key's, by this algorithm and no other: what the token says of its algorithm is not asked. */
export async function isSignedBy(alg: string, key: JwsKey, { token }: CompactJws): Promise<boolean> {
  const { compactVerify } = await loadJose();
  try {
    await compactVerify(token, toImported(alg, key), { algorithms: [alg] });
    return true;
  } catch {
    return false;
  }
}

/** Signs claims. @throws Error when the key is not one of the algorithm's. */
export async function signJws(alg: string, key: JwsKey, header: object, claims: object): Promise<string> {
  const { CompactSign } = await loadJose();
  const payload = Buffer.from(JSON.stringify(claims));
  return new CompactSign(payload).setProtectedHeader({ ...header, alg }).sign(toImported(alg, key));
}

const importedSecrets = new WeakMap<object, CryptoKey>();

/** A secret of Node; said here, because browsers' types know another `CryptoKey` than Node's. */
interface SecretKey {
  toCryptoKey(algorithm: object, isExtractable: boolean, usages: readonly string[]): CryptoKey;
}

function isSecretKey(key: object): key is SecretKey {
  return "type" in key && key.type === "secret" && "toCryptoKey" in key;
}

// The library keeps key pairs that it has imported, and imports a secret for each signature.
function toImported(alg: string, key: JwsKey): JwsKey {
  if (!isSecretKey(key)) return key;
  const known = importedSecrets.get(key);
  if (known !== undefined) return known;
  const secret: SecretKey = key;
  const imported = secret.toCryptoKey({ name: "HMAC", hash: `SHA-${alg.slice(2)}` }, false, ["sign", "verify"]);
  importedSecrets.set(key, imported);
  return imported;
}
