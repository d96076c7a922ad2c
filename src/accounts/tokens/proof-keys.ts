import type { CryptoKey, JWK } from "jose";
import { loadJose } from "../../security/compact-jws.js";
import { isObjectOrList } from "../../shared/objects.js";

/** The public key of a proof. */
export interface ProofKey {
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
