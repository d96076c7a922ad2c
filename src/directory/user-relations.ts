import { addMembers, parseHidden } from "../operations/family.js";
import type { OperationCall } from "../operations/operation.js";
import type { StoredRecord } from "../ports/storage.js";
import { groupMembersTable } from "../resources/group-members/table.js";
import { registrationsTable } from "../resources/registrations/table.js";

/** Users in JSON with what belongs to them: two statements for all users of a page, however many groups and applications they are in. */
export async function presentWithRelations(call: OperationCall, records: readonly StoredRecord[]): Promise<readonly string[]> {
  if (records.length === 0) return [];
  const ofUsers = { op: "in", column: "userId", values: records.map((record) => record.id) } as const;
  const memberships = groupByUser(await call.reader.find(call.scope, groupMembersTable, ofUsers));
  const registrations = groupByUser(await call.reader.find(call.scope, registrationsTable, ofUsers));
  return records.map((record) => {
    const own = { memberships: memberships.get(record.id), registrations: registrations.get(record.id) };
    if (own.memberships === undefined && own.registrations === undefined) return record.json;
    return addMembers(record.json, { memberships: own.memberships ?? [], registrations: own.registrations ?? [] });
  });
}

function groupByUser(records: readonly StoredRecord[]): ReadonlyMap<string, readonly object[]> {
  const grouped = new Map<string, object[]>();
  for (const record of records) {
    const value = JSON.parse(record.json) as { readonly userId?: string };
    const userId = value.userId ?? parseHidden<{ readonly userId: string }>(record)?.userId ?? "";
    grouped.set(userId, [...(grouped.get(userId) ?? []), value]);
  }
  return grouped;
}
