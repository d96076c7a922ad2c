import { fieldError } from "../errors/identity-error.js";
import { findInChunks, inChunks, pagesOf } from "../operations/in-chunks.js";
import type { WriteCall } from "../operations/operation.js";
import {
  type Filter,
  type RecordToStore,
  type StoredRecord,
  type TenantScope,
  tenantScope,
  UniqueViolation,
} from "../ports/storage.js";
import type { GroupMember, NewGroupMember } from "../resources/group-members/schema.js";
import { groupMembersTable } from "../resources/group-members/table.js";
import { toCanonicalJson } from "../values/canonical-json.js";
import { formatPath } from "../values/format-path.js";

/** How memberships are kept, read and removed, however many there are. */

/** A membership as its record says it. */
export type StoredMember = GroupMember & { readonly groupId: string };

/** The memberships that these users have in a group, by the id of the user. */
export async function findMembers(
  call: WriteCall,
  group: StoredRecord,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, StoredRecord>> {
  const list = { table: groupMembersTable, column: "userId", values: userIds, equals: { groupId: group.id } };
  const found = await findInChunks(call.reader, scopeOf(group), list);
  return new Map(found.map((record) => [toMember(record).userId, record]));
}

/** All memberships of a group, by the id of the user. */
export async function readMembers(call: WriteCall, group: StoredRecord): Promise<ReadonlyMap<string, StoredRecord>> {
  const found = new Map<string, StoredRecord>();
  for await (const page of pagesOfMembers(call, scopeOf(group), { op: "equals", column: "groupId", value: group.id }))
    for (const record of page) found.set(toMember(record).userId, record);
  return found;
}

/** The memberships that pass a filter, page by page in the order of the users. The filter lets each user through once. */
export function pagesOfMembers(call: WriteCall, scope: TenantScope, filter: Filter): AsyncGenerator<readonly StoredRecord[]> {
  const keyOf = (record: StoredRecord): string => toMember(record).userId;
  return pagesOf(call.reader, scope, { table: groupMembersTable, filter, column: "userId", keyOf });
}

/** Whether two memberships say the same beside who belongs where. */
export function isEqualData(a: StoredMember["data"], b: StoredMember["data"]): boolean {
  return toCanonicalJson(a) === toCanonicalJson(b);
}

/** A membership that begins at an instant; its id is fresh unless one is wanted. */
export function makeMember(call: WriteCall, group: StoredRecord, member: NewGroupMember, insertInstant: number): StoredMember {
  const { userId, data = {}, id = call.service.runtime.newId() } = member;
  return { data, groupId: group.id, id, insertInstant, userId };
}

/** What a record says. */
export function toMember(record: StoredRecord): StoredMember {
  return JSON.parse(record.json) as StoredMember;
}

/** A membership as it is answered: without the group, which is the key there. */
export function showMember({ groupId: _key, ...member }: StoredMember): string {
  return toCanonicalJson(member);
}

/** Keeps new memberships. @throws IdentityError 400 `[duplicate]members[…]` when one of their ids is taken. */
export async function insertMembers(call: WriteCall, group: StoredRecord, records: readonly RecordToStore[]): Promise<void> {
  if (records.length === 0) return;
  try {
    await call.tx.insert(scopeOf(group), groupMembersTable, records);
  } catch (error) {
    if (error instanceof UniqueViolation) throw fieldError("duplicate", formatPath(["members", group.id]));
    throw error;
  }
}

/** Removes memberships. */
export function removeMemberships(call: WriteCall, scope: TenantScope, records: readonly StoredRecord[]): Promise<void> {
  return inChunks(records, async (chunk) => {
    const values = chunk.map((record) => record.id);
    await call.tx.remove(scope, groupMembersTable, { op: "in", column: "id", values });
  });
}

/** The tenant that a record is in. */
export function scopeOf({ tenantId }: StoredRecord): TenantScope {
  return tenantScope(tenantId ?? "");
}

/** A membership as a storage keeps it. */
export function toRecord(member: StoredMember, tenantId: string | null, version: number): RecordToStore {
  const { id, groupId, userId, insertInstant } = member;
  const json = toCanonicalJson(member);
  const instants = { insertInstant, lastUpdateInstant: insertInstant };
  return { id, tenantId, version, ...instants, json, hidden: null, columns: { groupId, userId } };
}
