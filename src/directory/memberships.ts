import { fieldError } from "../errors/identity-error.js";
import { findInChunks, pagesOf } from "../operations/in-chunks.js";
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
import { inChunks } from "../values/in-steps.js";

/** How memberships are kept, read and removed, however many there are. */

/** A membership as its record says it. */
export type StoredMember = GroupMember & { readonly groupId: string };

/** A membership that is kept, and what it says. */
export interface KnownMember {
  readonly record: StoredRecord;
  readonly member: StoredMember;
}

/** The memberships that these users have in a group, by the id of the user. */
export async function findMembers(
  call: WriteCall,
  group: StoredRecord,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, KnownMember>> {
  const list = { table: groupMembersTable, column: "userId", values: userIds, equals: { groupId: group.id } };
  const known = new Map<string, KnownMember>();
  await inChunks(await findInChunks(call.reader, scopeOf(group), list), (chunk) => addKnown(known, chunk));
  return known;
}

/** All memberships of a group, by the id of the user. */
export async function readMembers(call: WriteCall, group: StoredRecord): Promise<ReadonlyMap<string, KnownMember>> {
  const known = new Map<string, KnownMember>();
  const ofGroup: Filter = { op: "equals", column: "groupId", value: group.id };
  for await (const page of pagesOfMembers(call, scopeOf(group), ofGroup)) addKnown(known, page);
  return known;
}

function addKnown(known: Map<string, KnownMember>, records: readonly StoredRecord[]): void {
  for (const record of records) {
    const member = toMember(record);
    known.set(member.userId, { record, member });
  }
}

/** The memberships that pass a filter, page by page in the order of the users. The filter lets each user through once. */
export function pagesOfMembers(call: WriteCall, scope: TenantScope, filter: Filter): AsyncGenerator<readonly StoredRecord[]> {
  const keyOf = (record: StoredRecord): string => toMember(record).userId;
  return pagesOf(call.reader, scope, { table: groupMembersTable, filter, column: "userId", keyOf });
}

/** Whether two memberships say the same beside who belongs where. */
export function isEqualData(a: StoredMember["data"], b: StoredMember["data"]): boolean {
  if (Object.keys(a).length === 0 && Object.keys(b).length === 0) return true;
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

/** How many records are written in one step. */
const writeSize = 500;

/** Keeps new memberships. @throws IdentityError 400 `[duplicate]members[…]` when one of their ids is taken. */
export function insertMembers(call: WriteCall, group: StoredRecord, records: readonly RecordToStore[]): Promise<void> {
  return inChunks(records, (chunk) => insertChunk(call, group, chunk), writeSize);
}

async function insertChunk(call: WriteCall, group: StoredRecord, records: readonly RecordToStore[]): Promise<void> {
  try {
    await call.tx.insert(scopeOf(group), groupMembersTable, records);
  } catch (error) {
    if (error instanceof UniqueViolation) throw fieldError("duplicate", formatPath(["members", group.id]));
    throw error;
  }
}

/** Keeps what has become of memberships whose ids, groups and users stay. */
export function rewriteMembers(call: WriteCall, group: StoredRecord, records: readonly RecordToStore[]): Promise<void> {
  return inChunks(records, (chunk) => call.tx.rewrite(scopeOf(group), groupMembersTable, chunk), writeSize);
}

/** Removes memberships. */
export function removeMemberships(call: WriteCall, scope: TenantScope, records: readonly StoredRecord[]): Promise<void> {
  const remove = async (chunk: readonly StoredRecord[]): Promise<void> => {
    const values = chunk.map((record) => record.id);
    await call.tx.remove(scope, groupMembersTable, { op: "in", column: "id", values });
  };
  return inChunks(records, remove, writeSize);
}

/** The tenant that a record is in. */
export function scopeOf({ tenantId }: StoredRecord): TenantScope {
  return tenantScope(tenantId ?? "");
}

/** A membership as a storage keeps it, and as it is answered: without the group, which is the key there. */
export interface WrittenMember {
  readonly record: RecordToStore;
  readonly shown: string;
}

/** Writes a membership. The texts are canonical, and put together, for there may be very many; ids have nothing to escape. */
export function writeMember(member: StoredMember, tenantId: string | null, version: number): WrittenMember {
  const { id, data, groupId, userId, insertInstant } = member;
  const begin = `{"data":${toCanonicalJson(data)},`;
  const end = `"id":"${id}","insertInstant":${insertInstant},"userId":"${userId}"}`;
  const json = `${begin}"groupId":"${groupId}",${end}`;
  const instants = { insertInstant, lastUpdateInstant: insertInstant };
  const record = { id, tenantId, version, ...instants, json, hidden: null, columns: { groupId, userId } };
  return { record, shown: begin + end };
}
