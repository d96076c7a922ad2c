import { fieldError } from "../../errors/identity-error.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { findInChunks, pagesOf, type RecordCount } from "../../operations/bulk-write.js";
import { assertRecordSize } from "../../operations/family/response-size.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import {
  type Filter,
  type RecordToStore,
  type StoredRecord,
  type TenantScope,
  tenantScope,
  UniqueViolation,
} from "../../ports/storage.js";
import { groupMembersTable } from "../../records/group-members/family.js";
import type { GroupMember, NewGroupMember } from "../../records/group-members/schema.js";
import { inChunks, inPreparedChunks } from "../../shared/in-steps.js";
import { formatPath } from "../../shared/text.js";

/** The stored form of a membership. */
export type StoredMember = GroupMember & { readonly groupId: string };

/** A stored membership, and the version of its record. */
export interface KnownMember {
  readonly member: StoredMember;
  readonly version: number;
}

/** Memberships of one group, by user id. */
export type KnownMembers = ReadonlyMap<string, KnownMember>;

/** The memberships of these users in a group, by user id. */
export async function findMembers(call: WriteCall, group: StoredRecord, userIds: readonly string[]): Promise<KnownMembers> {
  const list = { table: groupMembersTable, column: "userId", values: userIds, equals: { groupId: group.id } };
  const known = new Map<string, KnownMember>();
  await inChunks(call.service.runtime, await findInChunks(call, scopeOf(group), list), (chunk) => addKnown(known, chunk));
  return known;
}

/** All memberships of a group, by user id. */
export async function readMembers(call: WriteCall, group: StoredRecord, noteCount: RecordCount): Promise<KnownMembers> {
  const known = new Map<string, KnownMember>();
  const ofGroup: Filter = { op: "equals", column: "groupId", value: group.id };
  for await (const page of pagesOfMembers(call, scopeOf(group), ofGroup)) {
    addKnown(known, page);
    noteCount(known.size);
  }
  return known;
}

interface NamedMembers {
  readonly group: StoredRecord;
  readonly byUser: ReadonlyMap<string, unknown>;
}

/** A user in a group. */
export type MemberPair = Pick<StoredMember, "groupId" | "userId">;

/** The most pairs per statement, and the most combinations, since the filter matches all of these. */
const maxPairs = 1_000;
const maxCombinations = 2_500;

function* chunksOfPairs(pairs: readonly MemberPair[]): Generator<readonly MemberPair[]> {
  let chunk: MemberPair[] = [];
  let [groups, users] = [new Set<string>(), new Set<string>()];
  for (const pair of pairs) {
    groups.add(pair.groupId);
    users.add(pair.userId);
    if (chunk.length === maxPairs || (chunk.length > 0 && groups.size * users.size > maxCombinations)) {
      yield chunk;
      chunk = [];
      [groups, users] = [new Set([pair.groupId]), new Set([pair.userId])];
    }
    chunk.push(pair);
  }
  if (chunk.length > 0) yield chunk;
}

/** The records of memberships, for a few members each of many groups. */
export async function findPairs(call: WriteCall, scope: TenantScope, pairs: readonly MemberPair[]): Promise<StoredRecord[]> {
  const found: StoredRecord[] = [];
  const find = async (chunk: readonly MemberPair[]): Promise<void> => {
    const wanted = new Set(chunk.map(({ groupId, userId }) => `${groupId} ${userId}`));
    const filters = [
      { op: "in", column: "groupId", values: [...new Set(chunk.map(({ groupId }) => groupId))] },
      { op: "in", column: "userId", values: [...new Set(chunk.map(({ userId }) => userId))] },
    ] as const;
    for (const record of await call.reader.find(scope, groupMembersTable, { op: "and", filters })) {
      const { groupId, userId } = toMember(record);
      if (wanted.has(`${groupId} ${userId}`)) found.push(record);
    }
  };
  for (const chunk of chunksOfPairs(pairs)) {
    await find(chunk);
    await call.service.runtime.timers.nextTurn();
  }
  return found;
}

/** Like {@link findMembers}, for several groups of one tenant. */
export async function findMembersOfGroups(call: WriteCall, named: readonly NamedMembers[]): Promise<readonly KnownMembers[]> {
  const [first] = named;
  if (first === undefined) return [];
  const pairs = named.flatMap(({ group, byUser }) => Array.from(byUser.keys(), (userId) => ({ groupId: group.id, userId })));
  const found = await findPairs(call, scopeOf(first.group), pairs);
  return byGroup(
    named.map(({ group }) => group),
    found,
  );
}

const togetherSize = 2_000;

/** Like {@link readMembers}, for several groups of one tenant; undefined where they have too many members together. */
export async function readMembersOfGroups(
  call: WriteCall,
  groups: readonly StoredRecord[],
): Promise<readonly KnownMembers[] | undefined> {
  const [first] = groups;
  if (first === undefined) return [];
  const filter: Filter = { op: "in", column: "groupId", values: groups.map(({ id }) => id) };
  const found = await call.reader.find(scopeOf(first), groupMembersTable, filter, {
    limit: togetherSize + 1,
    sort: [
      { column: "groupId", direction: "asc" },
      { column: "userId", direction: "asc" },
    ],
  });
  return found.length > togetherSize ? undefined : byGroup(groups, found);
}

function byGroup(groups: readonly StoredRecord[], found: readonly StoredRecord[]): readonly KnownMembers[] {
  const known = Map.groupBy(found, (record) => toMember(record).groupId);
  return groups.map(({ id }) => {
    const ofGroup = new Map<string, KnownMember>();
    addKnown(ofGroup, known.get(id) ?? []);
    return ofGroup;
  });
}

function addKnown(known: Map<string, KnownMember>, records: readonly StoredRecord[]): void {
  // Parsing one text for all is faster than parsing each.
  const members: readonly StoredMember[] = JSON.parse(`[${records.map(({ json }) => json).join(",")}]`);
  for (const [index, { version }] of records.entries()) {
    const member = members[index] as StoredMember;
    known.set(member.userId, { member, version });
  }
}

/** The memberships that pass a filter, page by page in the order of the users. The filter must match each user at most once. */
export function pagesOfMembers(call: WriteCall, scope: TenantScope, filter: Filter): AsyncGenerator<readonly StoredRecord[]> {
  const keyOf = (record: StoredRecord): string => toMember(record).userId;
  return pagesOf(call, scope, { table: groupMembersTable, filter, column: "userId", keyOf });
}

/** Whether two memberships have the same `data`. */
export function isEqualData(a: StoredMember["data"], b: StoredMember["data"]): boolean {
  if (Object.keys(a).length === 0 && Object.keys(b).length === 0) return true;
  return toCanonicalJson(a) === toCanonicalJson(b);
}

const noData: StoredMember["data"] = Object.freeze({});

/** A new membership with a start instant; generates an id unless one is requested. */
export function makeMember(
  call: OperationCall,
  group: StoredRecord,
  member: NewGroupMember,
  insertInstant: number,
): StoredMember {
  const { userId, data = noData, id = call.service.runtime.newId() } = member;
  return { data, groupId: group.id, id, insertInstant, userId };
}

/** What a record says. */
export function toMember(record: StoredRecord): StoredMember {
  return JSON.parse(record.json) as StoredMember;
}

/** The canonical text of a membership; concatenated for speed, since ids need no escaping. */
export function toMemberJson(member: StoredMember): string {
  return `{"data":${dataOf(member)},"groupId":"${member.groupId}",${restOf(member)}}`;
}

/** The text of a membership in its group's list: without the group, which is the key there. */
export function toListedMemberJson(member: StoredMember): string {
  return `{"data":${dataOf(member)},${restOf(member)}}`;
}

function dataOf({ data }: StoredMember): string {
  for (const _name in data) return toCanonicalJson(data);
  return "{}";
}

function restOf({ id, insertInstant, userId }: StoredMember): string {
  return `"id":"${id}","insertInstant":${insertInstant},"userId":"${userId}"`;
}

const writeSize = 500;

/**
 * Inserts new memberships in groups of one tenant, building the next ones, in order, while others are written.
 * @throws IdentityError 400 `[duplicate]members[…]` when one of their ids is taken.
 */
export function insertMembers<Item>(
  call: WriteCall,
  group: StoredRecord,
  items: readonly Item[],
  toMember: (item: Item) => StoredMember,
): Promise<void> {
  const insert = async (records: readonly RecordToStore[]): Promise<void> => {
    try {
      await call.tx.insert(scopeOf(group), groupMembersTable, records);
    } catch (error) {
      if (error instanceof UniqueViolation) throw fieldError("duplicate", formatPath(["members", group.id]));
      throw error;
    }
  };
  const steps = { ...call.service.runtime, size: writeSize };
  return inPreparedChunks(steps, items, (item) => toMemberRecord(call, group, toMember(item)), insert);
}

/** Rewrites memberships with unchanged ids, each with its known version, and built as above. */
export function rewriteMembers<Known>(
  call: WriteCall,
  group: StoredRecord,
  known: readonly Known[],
  toChanged: (known: Known) => KnownMember,
): Promise<void> {
  const rewrite = (records: readonly RecordToStore[]): Promise<void> =>
    call.tx.rewrite(scopeOf(group), groupMembersTable, records);
  const prepare = (one: Known): RecordToStore => {
    const { member, version } = toChanged(one);
    return checkSize(call, toRecord(member, group, version + 1), group);
  };
  return inPreparedChunks({ ...call.service.runtime, size: writeSize }, known, prepare, rewrite);
}

/** The record of a new membership. @throws IdentityError 400 for one that is too large. */
export function toMemberRecord(call: OperationCall, group: StoredRecord, member: StoredMember): RecordToStore {
  return checkSize(call, toRecord(member, group, 1), group);
}

function checkSize(call: OperationCall, record: RecordToStore, group: StoredRecord): RecordToStore {
  assertRecordSize(call.service, record, formatPath(["members", group.id]));
  return record;
}

function toRecord(member: StoredMember, { tenantId }: StoredRecord, version: number): RecordToStore {
  const { id, groupId, userId, insertInstant } = member;
  const instants = { insertInstant, lastUpdateInstant: insertInstant };
  return { id, tenantId, version, ...instants, json: toMemberJson(member), hidden: null, columns: { groupId, userId } };
}

/** Removes memberships by their ids. */
export function removeMemberships(call: WriteCall, scope: TenantScope, ids: readonly string[]): Promise<void> {
  const remove = async (values: readonly string[]): Promise<void> => {
    await call.tx.remove(scope, groupMembersTable, { op: "in", column: "id", values });
  };
  return inChunks({ ...call.service.runtime, size: writeSize }, ids, remove);
}

/** The scope of a record's tenant. */
export function scopeOf({ tenantId }: StoredRecord): TenantScope {
  return tenantScope(tenantId ?? "");
}
