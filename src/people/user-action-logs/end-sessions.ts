import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import { type StoredRecord, tenantScope } from "../../ports/storage.js";
import { refreshTokensTable } from "../../records/refresh-tokens/family.js";
import type { HiddenRefreshToken, RefreshToken } from "../../records/refresh-tokens/schema.js";
import { usersTable } from "../../records/users/family.js";
import type { User } from "../../records/users/schema.js";
import { removeLogoutToken } from "../../sessions/ending/logout-tokens.js";
import { endProofs, type ProofEnd, type ProofEnds, proofEndsOf, proofOf } from "../../sessions/validity/proof.js";
import { loginsOfTokens } from "../../sessions/validity/refresh-records.js";
import { saveUser } from "../users/rules.js";

/** Ends earlier proofs of a user for a reason outside of the user's record. Returns the user; undefined for none. */
export async function endProofsOf(
  call: WriteCall,
  { id, tenantId }: Pick<User, "id" | "tenantId">,
  end: ProofEnd,
): Promise<StoredRecord | undefined> {
  const user = await call.tx.retrieve(tenantScope(tenantId), usersTable, id);
  return user && saveUser(call, user, {}, withEndedProofs(call, user, end));
}

/** The hidden part of a user after ending earlier proofs. */
export function withEndedProofs(
  { service }: Pick<WriteCall, "service">,
  user: StoredRecord,
  end: ProofEnd,
): { readonly proofEnds: ProofEnds } {
  return { proofEnds: endProofs(proofEndsOf(user), [end], service.runtime.clock()) };
}

/** Ends all earlier proofs of a user, except for the session of one refresh token. */
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
  for (const login of loginsOfTokens(call, [kept])) await removeLogoutToken(call, login);
  const proof = proofOf(saved, hidden.proof?.by ?? []);
  await call.tx.replaceHidden(scope, refreshTokensTable, [{ ...kept, hidden: toCanonicalJson({ ...hidden, proof }) }]);
}
