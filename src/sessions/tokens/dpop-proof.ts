import { hash } from "node:crypto";
import type { CryptoKey, JWK } from "jose";
import type { BoundToken } from "../../http/authenticate/principal.js";
import { type CompactJws, isSignedBy, loadJose, parseJws } from "../../security/compact-jws.js";
import { normalizeUrl } from "../../shared/http.js";
import { isObjectOrList } from "../../shared/objects.js";

/** The request that a proof must match. */
export interface ProofTarget {
  readonly method: string;
  /** The URL that the client called. */
  readonly url: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The presented token, and the thumbprint of its key. */
  readonly bound?: BoundToken | undefined;
}

/** A valid proof; a replay is not excluded yet. */
export interface Proof {
  /** The thumbprint of its key (RFC 7638). */
  readonly thumbprint: string;
  readonly jti: string;
}

/** The maximum difference between `iat` and now, either way, in milliseconds (docs/reference/authentication.md#dpop). */
const proofWindowMs = 60_000;

const maxProofLength = 8_192;

const maxJtiLength = 256;

/** Asymmetric signatures only (RFC 9449, 4.2). */
const proofAlgorithms: ReadonlySet<unknown> = new Set([
  "ES256",
  "ES384",
  "ES512",
  "Ed25519",
  "EdDSA",
  "PS256",
  "PS384",
  "PS512",
  "RS256",
  "RS384",
  "RS512",
]);

/** Verifies a DPoP proof (RFC 9449, 4.3), except for replay: the caller records used proofs. Undefined for an invalid proof. */
export async function verifyProof(keys: ProofKeys, proof: string, target: ProofTarget): Promise<Proof | undefined> {
  const jws = proof.length > maxProofLength ? undefined : await parseJws(proof);
  if (jws === undefined || !isMeantFor(jws.payload, target)) return undefined;
  const { alg, crit, jwk, typ } = jws.header;
  if (typ !== "dpop+jwt" || typeof alg !== "string" || !proofAlgorithms.has(alg) || crit !== undefined) return undefined;
  const key = await keys.find(alg, jwk);
  if (key === undefined || (target.bound !== undefined && target.bound.thumbprint !== key.thumbprint)) return undefined;
  // Last, because it is the most expensive check.
  if (!(await isSignedBy(alg, key.key, jws))) return undefined;
  return { thumbprint: key.thumbprint, jti: String(jws.payload.jti) };
}

function isMeantFor(claims: CompactJws["payload"], { method, url, now, bound }: ProofTarget): boolean {
  const { jti, htm, htu, ath } = claims;
  if (typeof jti !== "string" || jti === "" || jti.length > maxJtiLength) return false;
  if (htm !== method || typeof htu !== "string" || !isSameUrl(htu, url)) return false;
  if (bound !== undefined && ath !== hash("sha256", bound.token, "base64url")) return false;
  return isRecent(claims, now);
}

// `exp` and `nbf` are optional, but must hold if present (RFC 7519, 4.1).
function isRecent({ iat, exp = iat, nbf = iat }: CompactJws["payload"], now: number): boolean {
  if (typeof iat !== "number" || typeof exp !== "number" || typeof nbf !== "number") return false;
  const [earliest, latest] = [now - proofWindowMs, now + proofWindowMs];
  return iat * 1_000 >= earliest && iat * 1_000 <= latest && exp * 1_000 >= earliest && nbf * 1_000 <= latest;
}

function isSameUrl(htu: string, url: string): boolean {
  if (htu === url) return true;
  const normalised = normalizeUrl(htu);
  return normalised !== undefined && normalised === normalizeUrl(url);
}

interface ProofKey {
  readonly key: CryptoKey;
  readonly thumbprint: string;
}

const maxKeptKeys = 1_000;
const leastRsaBits = 2_048;
// The sender chooses the key's size and so the cost of verification: refuse keys that are larger than needed.
const mostRsaBits = 8_192;
const mostRsaExponentBytes = 4;

/** The members of a public key (RFC 7638, 3.2; RFC 8037, 2). */
const publicMembers: ReadonlyMap<unknown, readonly (keyof JWK)[]> = new Map([
  ["EC", ["crv", "kty", "x", "y"]],
  ["OKP", ["crv", "kty", "x"]],
  ["RSA", ["e", "kty", "n"]],
]);

/** The members that no public key has (RFC 7518, 6). */
const secretMembers = ["d", "dp", "dq", "k", "oth", "p", "priv", "q", "qi"];

/** An LRU cache of imported proof keys: an import costs about half as much as a signature. */
export class ProofKeys {
  readonly #kept = new Map<string, ProofKey>();

  /** The key of a JWK for an algorithm; undefined for an invalid JWK, or one of another algorithm. */
  async find(alg: string, jwk: unknown): Promise<ProofKey | undefined> {
    const members = toPublicMembers(jwk);
    if (members === undefined) return undefined;
    const name = JSON.stringify([alg, members]);
    const key = this.#kept.get(name) ?? (await importKey(alg, members));
    if (key !== undefined) this.#keep(name, key);
    return key;
  }

  // A Map keeps the order of insertion, so the first entry is the least recently used.
  #keep(name: string, key: ProofKey): void {
    this.#kept.delete(name);
    this.#kept.set(name, key);
    if (this.#kept.size <= maxKeptKeys) return;
    for (const oldest of this.#kept.keys()) {
      this.#kept.delete(oldest);
      return;
    }
  }
}

function toPublicMembers(jwk: unknown): JWK | undefined {
  if (!isObjectOrList(jwk) || secretMembers.some((name) => name in jwk)) return undefined;
  const given = new Map(Object.entries(jwk));
  const members = publicMembers.get(given.get("kty"))?.map((name) => [name, given.get(name)] as const);
  return members?.every(([, value]) => typeof value === "string") ? Object.fromEntries(members) : undefined;
}

async function importKey(alg: string, members: JWK): Promise<ProofKey | undefined> {
  const { calculateJwkThumbprint, exportJWK, importJWK } = await loadJose();
  try {
    const key = await importJWK(members, alg, { extractable: true });
    if (key instanceof Uint8Array || !isSound(key)) return undefined;
    const thumbprint = await calculateJwkThumbprint(members);
    // One thumbprint per key: refuse leading zeros and ignored bits, which would make others.
    return (await calculateJwkThumbprint(await exportJWK(key))) === thumbprint ? { key, thumbprint } : undefined;
  } catch {
    return undefined;
  }
}

function isSound({ algorithm }: CryptoKey): boolean {
  if (!("modulusLength" in algorithm && "publicExponent" in algorithm)) return true;
  const { modulusLength, publicExponent } = algorithm;
  const isShort = publicExponent instanceof Uint8Array && publicExponent.length <= mostRsaExponentBytes;
  return Number(modulusLength) >= leastRsaBits && Number(modulusLength) <= mostRsaBits && isShort;
}
