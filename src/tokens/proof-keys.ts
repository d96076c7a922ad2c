import { createPublicKey, type KeyObject } from "node:crypto";
import { type PublicMembers, toThumbprint } from "../keys/public-half.js";

/** The public key of a proof. */
export interface ProofKey {
  readonly key: KeyObject;
  /** What the key is: the name of its curve, or `rsa`. */
  readonly kind: string;
  /** See RFC 7638. */
  readonly thumbprint: string;
}

const maxKeptKeys = 1_000;
const leastRsaBits = 2_048;
// Whoever sends a key chooses how long its signatures take to verify: nobody needs longer ones.
const mostRsaBits = 8_192;
const mostRsaExponent = 2n ** 32n;

/** The members that make up a public key, in alphabetical order (RFC 7638, 3.2; RFC 8037, 2). */
const publicMembers: ReadonlyMap<unknown, readonly (keyof PublicMembers)[]> = new Map([
  ["EC", ["crv", "kty", "x", "y"]],
  ["OKP", ["crv", "kty", "x"]],
  ["RSA", ["e", "kty", "n"]],
]);

/** The members that no public key has (RFC 7518, 6). */
const secretMembers = ["d", "dp", "dq", "k", "oth", "p", "q", "qi"];

/** The keys of proofs, imported once each and kept while they are in use: importing one costs about as much as half a signature. */
export class ProofKeys {
  readonly #kept = new Map<string, ProofKey>();

  /** The key that a JWK holds; undefined for what is none, or none that proofs are signed with. */
  find(jwk: unknown): ProofKey | undefined {
    const members = toPublicMembers(jwk);
    if (members === undefined) return undefined;
    const thumbprint = toThumbprint(members);
    const key = this.#kept.get(thumbprint) ?? importKey(members, thumbprint);
    if (key !== undefined) this.#keep(key);
    return key;
  }

  // A Map keeps the order of insertion, so that the first is the one that was not asked for the longest.
  #keep(key: ProofKey): void {
    this.#kept.delete(key.thumbprint);
    this.#kept.set(key.thumbprint, key);
    if (this.#kept.size <= maxKeptKeys) return;
    for (const oldest of this.#kept.keys()) {
      this.#kept.delete(oldest);
      return;
    }
  }
}

function toPublicMembers(jwk: unknown): PublicMembers | undefined {
  if (typeof jwk !== "object" || jwk === null || secretMembers.some((name) => name in jwk)) return undefined;
  const given = new Map(Object.entries(jwk));
  const members = publicMembers.get(given.get("kty"))?.map((name) => [name, given.get(name)] as const);
  return members?.every(([, value]) => typeof value === "string") ? Object.fromEntries(members) : undefined;
}

function importKey(members: PublicMembers, thumbprint: string): ProofKey | undefined {
  try {
    const key = createPublicKey({ key: { ...members }, format: "jwk" });
    const { crv, e, kty, n, x, y } = key.export({ format: "jwk" });
    // A key has one spelling, and so one thumbprint: leading zeros and bits that are not looked at would make others.
    const kind = toThumbprint({ crv, e, kty, n, x, y }) === thumbprint ? kindOf(key) : undefined;
    return kind === undefined ? undefined : { key, kind, thumbprint };
  } catch {
    return undefined;
  }
}

function kindOf(key: KeyObject): string | undefined {
  if (key.asymmetricKeyType !== "rsa") return key.asymmetricKeyDetails?.namedCurve ?? key.asymmetricKeyType;
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  const isSound = modulusLength >= leastRsaBits && modulusLength <= mostRsaBits && publicExponent <= mostRsaExponent;
  return isSound ? "rsa" : undefined;
}
