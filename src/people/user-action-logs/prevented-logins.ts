import { parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import { globalScope, type StoredRecord } from "../../ports/storage.js";
import type { UserActionLog } from "../../records/user-action-logs/schema.js";
import { usersTable } from "../../records/users/family.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { endGrants } from "../../sessions/ending/end-browser-sessions.js";
import { revokeTokens } from "../../sessions/ending/revoke-tokens.js";
import { findPreventing } from "../../sessions/validity/check-prevented.js";
import { findPresentedUser } from "../relations/present-user.js";
import { saveUser } from "../users/rules.js";
import { withEndedProofs } from "./end-sessions.js";

/**
 * Stores in the user's own record until when actions prevent logins, to save logins another read. `endsSessions` also invalidates
 * earlier proofs for good. Returns the user.
 */
async function recordEnd(call: WriteCall, userId: string, endsSessions: boolean): Promise<StoredRecord | undefined> {
  const user = await call.tx.retrieve(globalScope, usersTable, userId);
  const ends = (await findPreventing(call, userId)).map((log) => parseRecord<UserActionLog>(log).expiry ?? 0);
  const loginPreventedUntil = ends.toSorted((a, b) => b - a)[0];
  if (user === undefined) return undefined;
  const ended = endsSessions && withEndedProofs(call, user, "sessions");
  return saveUser(call, user, {}, { loginPreventedUntil, ...ended });
}

/** Follows a change of an action that prevents logins. Ends sessions too, unless the action has ended. */
export async function followPrevented(call: WriteCall, log: UserActionLog, hasEnded: boolean): Promise<void> {
  const { actioneeUserId: userId, applicationIds } = log;
  const stored = await recordEnd(call, userId, !hasEnded && applicationIds.length === 0);
  if (stored === undefined || hasEnded) return;
  const own = equalsFilter("userId", userId);
  const named = { op: "in", column: "applicationId", values: applicationIds } as const;
  const filter = applicationIds.length === 0 ? own : ({ op: "and", filters: [own, named] } as const);
  const user = await findPresentedUser(call, userId);
  const tenantId = stored.tenantId ?? "";
  await revokeTokens(call, { tenantId, filter, fields: { user, userId } });
  await endGrants(call, { tenantId, userId, applicationIds: applicationIds.length === 0 ? undefined : applicationIds });
}
