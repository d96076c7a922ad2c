import type { ClientPrincipal, TokenClaims, TokenPrincipal, UserPrincipal } from "../../http/authenticate/principal.js";
import { parseRecord } from "../../operations/family/family.js";
import { findEach } from "../../operations/read-cache.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { tenantScope } from "../../ports/storage.js";
import { entitiesTable } from "../../records/entities/family.js";
import type { Proof } from "../../records/refresh-tokens/schema.js";
import { parseUuid } from "../../shared/text.js";
import { readTimedId } from "../tokens/timed-id.js";
import { findEnding, readsOfArtifact, toKnownRecords } from "./check-artifact.js";
import { type FoundSession, findSession, proofOfSession, readsOfSession } from "./live-session.js";

// Calls with user tokens need both modules.
export { createProofVerifier } from "../tokens/proof-verifier.js";

type ArtifactReader = Pick<ServiceContext, "runtime" | "sealer" | "storage">;

/**
 * Whether an access token with a verified signature is still valid: its user or entity exists and is the same, its session has
 * not ended, and no other reason ended it.
 */
export async function isCurrentToken(service: ArtifactReader, principal: TokenPrincipal): Promise<boolean> {
  return principal.kind === "client" ? isCurrentClient(service, principal) : isCurrentUser(service, principal);
}

// An entity with the same id may have been created after the token.
async function isCurrentClient({ storage }: ArtifactReader, { claims, entityId, tenantId }: ClientPrincipal): Promise<boolean> {
  const entity = await storage.retrieve(tenantScope(tenantId), entitiesTable, entityId);
  const { at, until = at } = proofOfToken(claims);
  return entity !== undefined && parseRecord<{ readonly insertInstant: number }>(entity).insertInstant <= until;
}

async function isCurrentUser(service: ArtifactReader, principal: UserPrincipal): Promise<boolean> {
  const { claims, tenantId, userId } = principal;
  const isOpenId = Array.isArray(claims.gty);
  const owner = {
    tenantId,
    userId,
    // A token for several applications is bound to none of them.
    applicationId: typeof claims.aud === "string" ? parseUuid(claims.aud) : undefined,
  };
  const reads = [...readsOfArtifact(owner), ...(hasSessionRecord(claims) ? readsOfSession(principal) : [])];
  const [users = [], applications = [], [refresh] = [], [own] = []] = await findEach(service.storage, reads);
  const proof = toProof(service, principal, { refresh, own });
  if (proof === undefined) return false;
  const artifact = {
    ...owner,
    kind: "accessToken",
    proof,
    // A login over the API needs no registration; the token then has no `applicationId`.
    registration: isOpenId || typeof claims.applicationId === "string" ? "asked" : undefined,
    ...(isOpenId && { grants: [claims.gty].flat().map(String), scope: String(claims.scope) }),
  } as const;
  // The signature check has verified the tenant.
  const known = { ...toKnownRecords(users, applications), tenant: { state: "Active" } } as const;
  return (await findEnding({ service, reader: service.storage }, artifact, known)) === undefined;
}

/** The application of a token. Without a registration, only `aud` names it. */
export function applicationIdOf({ applicationId, aud }: TokenClaims): string | undefined {
  const named = [applicationId, aud].flat().find((id) => typeof id === "string" && parseUuid(id) !== undefined);
  return typeof named === "string" ? parseUuid(named) : undefined;
}

/** The proof of a token's session; undefined if the session has ended. Without a session record, the proof is in the token. */
export async function findProof(service: ArtifactReader, principal: UserPrincipal): Promise<Proof | undefined> {
  const isKept = hasSessionRecord(principal.claims);
  return toProof(service, principal, isKept ? await findSession(service.storage, principal) : noSession);
}

const noSession: FoundSession = { own: undefined, refresh: undefined };

function hasSessionRecord({ gty, scope, sid }: TokenClaims): boolean {
  return (Array.isArray(gty) || String(scope).split(" ").includes("offline_access")) && typeof sid === "string";
}

function toProof({ sealer }: ArtifactReader, { claims }: UserPrincipal, { own, refresh }: FoundSession): Proof | undefined {
  if (!hasSessionRecord(claims)) return proofOfToken(claims);
  if (refresh === undefined && own === undefined) return undefined;
  return proofOfSession(sealer, { own, refresh }) ?? proofOfToken(claims);
}

// Tokens of earlier versions, and those with a `jti` from a lambda, have only `iat`, in seconds.
function proofOfToken({ authenticationType, iat, jti }: TokenClaims): Proof {
  const at = readTimedId(jti);
  const by = typeof authenticationType === "string" ? [authenticationType] : [];
  // Without `iat`, assume that the token is older than any change.
  const second = typeof iat === "number" ? iat * 1_000 : 0;
  return at === undefined ? { at: second, until: second + 999, by } : { at, by };
}
