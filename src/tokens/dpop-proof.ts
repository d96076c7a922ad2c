import { hash } from "node:crypto";
import { normaliseUrl } from "../values/normalise-url.js";
import { type CompactJws, isSignedBy, parseJws } from "./compact-jws.js";
import type { ProofKey, ProofKeys } from "./proof-keys.js";

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

/** A token that is bound to a key. */
export interface BoundToken {
  readonly token: string;
  readonly thumbprint: string;
}

/** A proof that is right for its request; whether it was used before is not known yet. */
export interface Proof {
  /** Of the key that signed it (RFC 7638). */
  readonly thumbprint: string;
  readonly jti: string;
}

/** How far the instant of a proof may be from now, either way, in milliseconds (decisions.md, DPoP). */
export const proofWindowMs = 60_000;

const maxProofLength = 8_192;
const maxJtiLength = 256;

/** What the key must be, by `alg`: signatures of key pairs and no others (RFC 9449, 4.2). */
const keyKinds: ReadonlyMap<unknown, string> = new Map([
  ["ES256", "prime256v1"],
  ["ES384", "secp384r1"],
  ["ES512", "secp521r1"],
  ["Ed25519", "ed25519"],
  ["EdDSA", "ed25519"],
  ["PS256", "rsa"],
  ["PS384", "rsa"],
  ["PS512", "rsa"],
  ["RS256", "rsa"],
  ["RS384", "rsa"],
  ["RS512", "rsa"],
]);

/**
 * Verifies a proof of possession (RFC 9449, 4.3), all but that it comes for the first time: whoever asks keeps what was used. Undefined
 * when it is wrong in any way.
 */
export function verifyProof(keys: ProofKeys, proof: string, target: ProofTarget): Proof | undefined {
  const jws = proof.length > maxProofLength ? undefined : parseJws(proof);
  if (jws === undefined || !isMeantFor(jws.payload, target)) return undefined;
  const key = findKey(keys, jws.header);
  if (key === undefined || (target.bound !== undefined && target.bound.thumbprint !== key.thumbprint)) return undefined;
  // The signature comes last: it costs more than all the rest.
  if (!isSignedBy(String(jws.header.alg), key.key, jws)) return undefined;
  return { thumbprint: key.thumbprint, jti: String(jws.payload.jti) };
}

function findKey(keys: ProofKeys, { typ, alg, jwk, crit }: CompactJws["header"]): ProofKey | undefined {
  const kind = keyKinds.get(alg);
  if (typ !== "dpop+jwt" || kind === undefined || crit !== undefined) return undefined;
  const key = keys.find(jwk);
  return key?.kind === kind ? key : undefined;
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
  const normalised = normaliseUrl(htu);
  return normalised !== undefined && normalised === normaliseUrl(url);
}
