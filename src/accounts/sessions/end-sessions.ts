import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import { type Filter, type StoredRecord, tenantScope } from "../../ports/storage.js";
import { refreshTokensTable } from "../../resources/refresh-tokens/family.js";
import type { HiddenRefreshToken, RefreshToken } from "../../resources/refresh-tokens/schema.js";
import { usersTable } from "../../resources/users/family.js";
import { saveUser } from "../../resources/users/rules.js";
import type { User } from "../../resources/users/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { openIdRecordsTable } from "../openid/records.js";
import { endProofs, type ProofEnd, type ProofEnds, proofEndsOf, proofOf } from "../validity/proof.js";

/** Whose sessions end, and where. */
export interface EndedSessions {
  readonly tenantId: string;
  /** Undefined for those of all users. */
  readonly userId?: string | undefined;
  /** Undefined for those in all applications. */
  readonly applicationIds?: readonly string[] | undefined;
}

/** What a client of the OpenID provider was given, or can still exchange. */
const grantModels = ["AccessToken", "AuthorizationCode", "DeviceCode"];

/** Ends what the OpenID provider issued for a user, for applications, or both, beside refresh tokens: codes, and sessions without a refresh token. */
export async function endGrants(call: WriteCall, { applicationIds, tenantId, userId }: EndedSessions): Promise<void> {
  const filters: Filter[] = [{ op: "in", column: "model", values: grantModels }];
  if (userId !== undefined) filters.push(equalsFilter("userId", userId));
  if (applicationIds !== undefined) filters.push({ op: "in", column: "applicationId", values: applicationIds });
  await call.tx.remove(tenantScope(tenantId), openIdRecordsTable, { op: "and", filters });
  call.tx.afterCommit(call.service.forgetSessions);
}

/** Ends what a user proved up to now, where something other than the record of the user says so. Returns the user; undefined for none. */
export async function endProofsOf(
  call: WriteCall,
  { id, tenantId }: Pick<User, "id" | "tenantId">,
  end: ProofEnd,
): Promise<StoredRecord | undefined> {
  const user = await call.tx.retrieve(tenantScope(tenantId), usersTable, id);
  return user && saveUser(call, user, {}, withEndedProofs(call, user, end));
}

/** What the record of a user hides once something ends what the user proved up to now. */
export function withEndedProofs(
  { service }: Pick<WriteCall, "service">,
  user: StoredRecord,
  end: ProofEnd,
): { readonly proofEnds: ProofEnds } {
  return { proofEnds: endProofs(proofEndsOf(user), [end], service.runtime.clock()) };
}

/** Ends all that a user proved up to now, except for the session of one refresh token. */
export async function endSessions(
  call: WriteCall,
  { id, tenantId }: Pick<User, "id" | "tenantId">,
  keptTokenId?: string,
): Promise<void> {
  const scope = tenantScope(tenantId);
  const saved = await endProofsOf(call, { id, tenantId }, "sessions");
  if (saved === undefined) return;
  const kept = keptTokenId === undefined ? undefined : await call.tx.retrieve(scope, refreshTokensTable, keptTokenId);
  if (kept === undefined || parseRecord<RefreshToken>(kept).userId !== id) return;
  const hidden = parseHidden<HiddenRefreshToken>(kept) ?? {};
  const proof = proofOf(saved, hidden.proof?.by ?? []);
  await call.tx.replaceHidden(scope, refreshTokensTable, [{ ...kept, hidden: toCanonicalJson({ ...hidden, proof }) }]);
}
