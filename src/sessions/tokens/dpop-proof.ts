import { hash } from "node:crypto";
import type { CryptoKey, JWK } from "jose";
import type { BoundToken } from "../../http/authenticate/principal.js";
import { type CompactJws, isSignedBy, loadJose, parseJws } from "../../security/compact-jws.js";
import { normalizeUrl } from "../../shared/http.js";
import { isObjectOrList } from "../../shared/objects.js";

/** What a proof must be for. */
export interface ProofTarget {
  readonly method: string;
  /** The URL that the client called. */
  readonly url: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The token that is presented along with the proof, and the thumbprint of the key that it is bound to. */
  readonly bound?: BoundToken | undefined;
}

/** A proof that is right for its request; whether it was used before is not known yet. */
export interface Proof {
  /** Of the key that signed it (RFC 7638). */
  readonly thumbprint: string;
  readonly jti: string;
}

/** How far the instant of a proof may be from now, either way, in milliseconds (docs/reference/authentication.md#dpop). */
const proofWindowMs = 60_000;

const maxProofLength = 8_192;

const maxJtiLength = 256;

/** Signatures of key pairs and no others (RFC 9449, 4.2). */
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

/**
 * Verifies a proof of possession (RFC 9449, 4.3), except for replay: the caller records used proofs. Undefined
 * when it is wrong in any way.
 */
export async function verifyProof(keys: ProofKeys, proof: string, target: ProofTarget): Promise<Proof | undefined> {
  const jws = proof.length > maxProofLength ? undefined : await parseJws(proof);
  if (jws === undefined || !isMeantFor(jws.payload, target)) return undefined;
  const { alg, crit, jwk, typ } = jws.header;
  if (typ !== "dpop+jwt" || typeof alg !== "string" || !proofAlgorithms.has(alg) || crit !== undefined) return undefined;
  const key = await keys.find(alg, jwk);
  if (key === undefined || (target.bound !== undefined && target.bound.thumbprint !== key.thumbprint)) return undefined;
  // The signature comes last: it costs more than all the rest.
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

// `exp` and `nbf` are not asked for, but a JWT that has them must not be taken outside of them (RFC 7519, 4.1).
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

/** The public key of a proof. */
interface ProofKey {
  readonly key: CryptoKey;
  /** See RFC 7638. */
  readonly thumbprint: string;
}

const maxKeptKeys = 1_000;
const leastRsaBits = 2_048;
// The sender chooses the key's size and so the cost of verification: refuse keys that are larger than needed.
const mostRsaBits = 8_192;
const mostRsaExponentBytes = 4;

/** The members that make up a public key (RFC 7638, 3.2; RFC 8037, 2). */
const publicMembers: ReadonlyMap<unknown, readonly (keyof JWK)[]> = new Map([
  ["EC", ["crv", "kty", "x", "y"]],
  ["OKP", ["crv", "kty", "x"]],
  ["RSA", ["e", "kty", "n"]],
]);

/** The members that no public key has (RFC 7518, 6). */
const secretMembers = ["d", "dp", "dq", "k", "oth", "p", "priv", "q", "qi"];

/** The keys of proofs, imported once each and kept while they are in use: importing one costs about as much as half a signature. */
export class ProofKeys {
  readonly #kept = new Map<string, ProofKey>();

  /** The key that a JWK holds, for an algorithm; undefined for what is none, or none of the algorithm's. */
  async find(alg: string, jwk: unknown): Promise<ProofKey | undefined> {
    const members = toPublicMembers(jwk);
    if (members === undefined) return undefined;
    const name = JSON.stringify([alg, members]);
    const key = this.#kept.get(name) ?? (await importKey(alg, members));
    if (key !== undefined) this.#keep(name, key);
    return key;
  }

  // A Map keeps the order of insertion, so that the first is the one that was not asked for the longest.
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
    // A key has one spelling, and so one thumbprint: leading zeros and bits that are not looked at would make others.
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
