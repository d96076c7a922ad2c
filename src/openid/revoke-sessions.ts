import { parseRecord } from "../operations/family/family.js";
import type { WriteCall } from "../operations/operation.js";
import type { ServiceContext } from "../operations/service-context.js";
import { toWriteCall } from "../operations/session.js";
import { findPresentedUser } from "../people/relations/present-user.js";
import { type Filter, type Transaction, tenantScope } from "../ports/storage.js";
import { refreshTokensTable } from "../records/refresh-tokens/family.js";
import type { RefreshToken } from "../records/refresh-tokens/schema.js";
import { equalsFilter } from "../search/parse-criteria.js";
import { revokeTokens } from "../sessions/ending/revoke-tokens.js";
import { toOpenIdCall } from "./openid-call.js";

/** Revokes the refresh tokens of a tenant that pass a filter, with an event for each. */
export async function revokeSessions(
  service: ServiceContext,
  tx: Transaction,
  { filter, tenantId }: { readonly filter: Filter; readonly tenantId: string },
): Promise<void> {
  const found = await tx.find(tenantScope(tenantId), refreshTokensTable, filter);
  const call: WriteCall = toWriteCall(toOpenIdCall(service, tenantId), tx);
  for (const token of found.map(parseRecord<RefreshToken>)) {
    const { applicationId, id, userId } = token;
    const fields = { applicationId, refreshToken: token, user: await findPresentedUser(call, userId), userId };
    await revokeTokens(call, { tenantId, filter: equalsFilter("id", id), fields });
  }
}
