import { hash } from "node:crypto";
import type { BoundToken } from "../../http/authenticate/principal.js";
import { type CompactJws, isSignedBy, parseJws } from "../../security/compact-jws.js";
import { normalizeUrl } from "../../shared/http.js";
import type { ProofKeys } from "./proof-keys.js";

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
