import { CanonicalText } from "../../json/canonical-json.js";
import type { NewEvent } from "../../operations/events/recorded-event.js";
import { parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import { presentWithRelations } from "../../people/relations/user-relations.js";
import { globalScope, type StoredRecord, type Table } from "../../ports/storage.js";
import { applicationsTable } from "../../records/applications/family.js";
import type { RefreshToken } from "../../records/refresh-tokens/schema.js";
import { usersTable } from "../../records/users/family.js";
import { findLifetimes } from "../../sessions/ending/lifetimes.js";
import { queueLogoutTokens } from "../../sessions/ending/logout-tokens.js";
import { loginsOfTokens } from "../../sessions/validity/refresh-records.js";

/**
 * The events of refresh tokens that are removed together: one per application when applications are removed, else one per user.
 */
export async function describeRevokedTokens(
  call: WriteCall,
  records: readonly StoredRecord[],
  removedWith?: Table,
): Promise<readonly NewEvent[]> {
  const tokens = records.map(parseRecord<RefreshToken>);
  for (const [tenantId, own] of Map.groupBy(records, (record) => record.tenantId ?? ""))
    await queueLogoutTokens(call, tenantId, loginsOfTokens(call, own));
  const isByUser = removedWith?.name !== applicationsTable.name;
  const shown = isByUser ? await showUsers(call, [...new Set(tokens.map(({ userId }) => userId))]) : undefined;
  const events: NewEvent[] = [];
  for (const [id, revoked] of Map.groupBy(tokens, ({ applicationId = "", userId }) => (isByUser ? userId : applicationId))) {
    const tenantId = revoked[0]?.tenantId ?? "";
    const applicationIds = [...new Set(revoked.flatMap(({ applicationId }) => applicationId ?? []))];
    const applicationTimeToLiveInSeconds = await findLifetimes(call, tenantId, applicationIds);
    const named = shown === undefined ? { applicationId: id } : { user: shown.get(id), userId: id };
    const fields = { ...named, applicationTimeToLiveInSeconds };
    events.push({ type: "jwt.refresh-token.revoke", tenantId, linkedObjectId: id, fields });
  }
  return events;
}

async function showUsers(call: WriteCall, ids: readonly string[]): Promise<ReadonlyMap<string, CanonicalText>> {
  const found = await call.reader.find(globalScope, usersTable, { op: "in", column: "id", values: ids });
  const texts = await presentWithRelations(call, found);
  return new Map(found.map(({ id }, index) => [id, new CanonicalText(texts[index] ?? "{}")]));
}
