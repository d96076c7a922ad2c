import { fieldError } from "../errors/identity-error.js";
import { publishEvent } from "../events/publish-event.js";
import { noteChanges, type Sides } from "../operations/audit-change.js";
import { findInChunks, inChunks, pagesOf } from "../operations/in-chunks.js";
import type { WriteCall } from "../operations/operation.js";
import { presentRecords } from "../operations/record-steps.js";
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
import { groups } from "../resources/groups/rules.js";
import { groupsTable } from "../resources/groups/table.js";
import { CanonicalText, toCanonicalJson, toListText } from "../values/canonical-json.js";
import { formatPath } from "../values/format-path.js";

/** How memberships are kept, read, removed and told of, however many there are. */

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

/** Tells of members of a group that were added, changed or removed; nothing when there are none. `before` is what changed ones were. */
export async function publishMembers(
  call: WriteCall,
  group: StoredRecord,
  type: string,
  records: readonly StoredRecord[],
  before: ReadonlyMap<string, StoredRecord> = new Map(),
): Promise<void> {
  if (records.length === 0) return;
  // The texts of the members are spliced: there may be very many. Events show a group as the wire does, with its roles.
  const [json = "{}"] = await presentRecords(call, groups, [group]);
  const fields = { group: new CanonicalText(json), members: toListText(records.map((record) => record.json)) };
  await publishEvent(call, { type, tenantId: group.tenantId ?? "", linkedObjectId: group.id, fields });
  if (call.service.auditing !== undefined) await noteMembers(call, group, type, records, before);
}

async function noteMembers(
  call: WriteCall,
  group: StoredRecord,
  type: string,
  records: readonly StoredRecord[],
  before: ReadonlyMap<string, StoredRecord>,
): Promise<void> {
  const isGone = type === "group.member.remove";
  const sides = records.map((record): Sides => {
    const member = toMember(record);
    const known = before.get(member.userId);
    return isGone ? [member, undefined] : [known && toMember(known), member];
  });
  await noteChanges(call, "groupMembers", group.tenantId, sides);
}

/** Tells of memberships that were removed, by group. */
export async function publishRemoved(call: WriteCall, removed: readonly StoredRecord[]): Promise<void> {
  const byGroup = Map.groupBy(removed, (record) => toMember(record).groupId);
  for (const [groupId, records] of byGroup) {
    const group = await call.reader.retrieve(call.scope, groupsTable, groupId);
    if (group !== undefined) await publishMembers(call, group, "group.member.remove", records);
  }
}
