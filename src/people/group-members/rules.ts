import { FieldErrorList, fieldError, generalError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { type CanonicalText, toCanonicalJson, toListText } from "../../json/canonical-json.js";
import { listFilters, type RecordCount, runBulkWrite } from "../../operations/bulk-write.js";
import type { SearchableFamily } from "../../operations/family/family.js";
import type { FamilyExample, FamilyRulesModule } from "../../operations/family/family-row.js";
import { optionalId, requireId } from "../../operations/family/record-steps.js";
import { assertTextSize, checkResponseSize } from "../../operations/family/response-size.js";
import { directoryContext, emptyResult, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { assertUsableTenant } from "../../operations/references/references.js";
import type { Filter, StoredRecord } from "../../ports/storage.js";
import { groupMemberFamily } from "../../records/group-members/family.js";
import type {
  GroupMember,
  GroupMembersRequest,
  GroupMembersResponse,
  NewGroupMember,
} from "../../records/group-members/schema.js";
import { groupsTable } from "../../records/groups/family.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { hasManyItems, mapInChunks, type Steps } from "../../shared/in-steps.js";
import { formatPath, parseUuid } from "../../shared/text.js";
import { toBatches, writeGroups } from "./member-batches.js";
import { type MemberSet, type MemberWriting, merging, replacing, toMemberSet } from "./member-writes.js";
import { describeRemovedMembers, publishRemoved } from "./membership-events.js";
import {
  findPairs,
  type MemberPair,
  pagesOfMembers,
  removeMemberships,
  type StoredMember,
  scopeOf,
  toListedMemberJson,
  toMember,
} from "./memberships.js";
import { findUnknownUsers, parseMembers } from "./parse-members.js";

const groupMembersRequest = lazySchema("groups", "groupMembersRequest");
const removeMembersRequest = lazySchema("groups", "removeMembersRequest");

/** The definition of memberships for the shared search (docs/reference/groups.md#members). */
export const groupMembers: SearchableFamily<GroupMember & { lastUpdateInstant: number }, never> = groupMemberFamily;

async function writeMembers(call: OperationCall, writing: MemberWriting): Promise<OperationResult> {
  const request = await parseMembers(call.service.runtime, groupMembersRequest, call.body);
  if (Object.keys(request.members).length === 0) throw fieldError("empty", "members");
  const write = async (write: WriteCall, noteCount: RecordCount): Promise<OperationResult> => {
    const wanted = await resolveGroups(write, request);
    const answers = await writeGroups(writing, write, wanted, noteCount);
    const groups = wanted.map(({ group }, index): WrittenGroup => [group.id, answers[index] ?? []]);
    // Inside the transaction: a result that is too large to answer is not stored.
    return checkResponseSize(call.service, await toResult(call, groups));
  };
  return runBulkWrite(call, write, hasManyItems(request.members));
}

type WrittenGroup = readonly [groupId: string, members: readonly StoredMember[]];

// Texts for HTTP, values for callers in process: both in steps for very many members.
async function toResult(call: OperationCall, written: readonly WrittenGroup[]): Promise<OperationResult> {
  if (call.request === undefined) return { status: 200, json: "", toValue: () => toValue(call.service.runtime, written) };
  const lists: [string, CanonicalText][] = [];
  for (const [groupId, members] of written) {
    const texts = await mapInChunks(call.service.runtime, members, (chunk) => [chunk.map(toListedMemberJson).join(",")]);
    assertTextSize(call.service, texts);
    lists.push([groupId, toListText(texts)]);
  }
  return { status: 200, json: toCanonicalJson({ members: Object.fromEntries(lists) }) };
}

async function toValue(steps: Steps, written: readonly WrittenGroup[]): Promise<GroupMembersResponse> {
  const lists: [string, readonly GroupMember[]][] = [];
  for (const [groupId, members] of written)
    lists.push([groupId, await mapInChunks(steps, members, (chunk) => chunk.map(toShown))]);
  return { members: Object.fromEntries(lists) };
}

function toShown({ data, id, insertInstant, userId }: StoredMember): GroupMember {
  const isEmpty = Object.keys(data).length === 0;
  return { data: isEmpty ? {} : JSON.parse(toCanonicalJson(data)), id, insertInstant, userId };
}

/** Requested members of a group, with the group's key in the request. */
interface NamedGroup {
  readonly key: string;
  readonly id: string;
  readonly members: readonly NewGroupMember[];
}

/**
 * The groups and users of a request, all of which must exist in one tenant. @throws IdentityError 400 naming each that does not.
 */
async function resolveGroups(call: WriteCall, request: GroupMembersRequest): Promise<MemberSet[]> {
  const errors = new FieldErrorList();
  const wanted: MemberSet[] = [];
  const usable = new Set<string | null>();
  const seen = new Set<string>();
  const named = Object.entries(request.members).map(([key, members]) => ({ key, id: parseUuid(key) ?? "", members }));
  // In batches: one by one, very many would take long.
  for (const batch of toBatches(named, ({ id, key, members }) => ({ id: id || key, size: members.length }))) {
    if (errors.isFull) break;
    if (wanted.length > 0) await call.service.runtime.timers.nextTurn();
    const known = await findGroups(call, batch);
    const unknown = await findUnknown(call, batch, known);
    for (const { id, key, members } of batch) {
      if (errors.isFull) break;
      const group = known.get(id);
      if (group === undefined) {
        errors.add("invalid", formatPath(["members", key]), "There is no group with this id.");
        continue;
      }
      if (seen.has(id)) errors.add("duplicate", formatPath(["members", key]));
      seen.add(id);
      if (!usable.has(group.tenantId)) await assertUsableTenant(call, group.tenantId);
      usable.add(group.tenantId);
      addUnknown(errors, group, unknown.get(id) ?? []);
      // A refused request needs no preparation.
      if (errors.isEmpty) wanted.push(await toMemberSet(call.service.runtime, group, members));
    }
  }
  errors.throwIfAny();
  return wanted;
}

async function findGroups(call: WriteCall, named: readonly NamedGroup[]): Promise<ReadonlyMap<string, StoredRecord>> {
  const values = named.flatMap(({ id }) => (id === "" ? [] : [id]));
  if (values.length === 0) return new Map();
  const found = await call.reader.find(call.scope, groupsTable, { op: "in", column: "id", values });
  return new Map(found.map((group) => [group.id, group]));
}

/** The indexes of unknown users, by group id. */
async function findUnknown(
  call: WriteCall,
  batch: readonly NamedGroup[],
  known: ReadonlyMap<string, StoredRecord>,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const unknown = new Map<string, number[]>();
  for (const ofTenant of Map.groupBy(batch, ({ id }) => known.get(id)?.tenantId).values()) {
    const [first, second] = ofTenant;
    const group = first && known.get(first.id);
    if (group === undefined) continue;
    const members = second === undefined ? (first?.members ?? []) : ofTenant.flatMap((one) => one.members);
    const places = await findUnknownUsers(call.service, directoryContext(call, scopeOf(group)), members);
    let [at, start] = [0, 0];
    for (const { id, members } of ofTenant) {
      const ofGroup: number[] = [];
      for (let place = places[at]; place !== undefined && place < start + members.length; place = places[++at])
        ofGroup.push(place - start);
      unknown.set(id, ofGroup);
      start += members.length;
    }
  }
  return unknown;
}

function addUnknown(errors: FieldErrorList, group: StoredRecord, places: readonly number[]): void {
  for (const index of places) {
    errors.add("invalid", formatPath(["members", group.id, index, "userId"]));
    if (errors.isFull) break;
  }
}

/** DELETE: removes memberships. An unknown id or pair is 404; lists skip unknown ones. */
async function removeMembers(call: OperationCall): Promise<OperationResult> {
  const targets = await toTargets(call);
  return runBulkWrite(call, async (write, noteCount) => {
    for (const { filters, pairs, mustExist } of targets) {
      const removed = pairs === undefined ? await removeMatching(write, filters, noteCount) : await removePairs(write, pairs);
      if (removed.length === 0 && mustExist) throw generalError("notFound");
      await publishRemoved(write, removed);
    }
    return emptyResult;
  });
}

interface RemovalTarget {
  readonly filters: readonly Filter[];
  /** Few members of each of several groups, instead of filters. */
  readonly pairs?: readonly MemberPair[];
  readonly mustExist: boolean;
}

/** @returns the removed records, in the order of the groups and, in each, of the users. */
async function removePairs(call: WriteCall, pairs: readonly MemberPair[]): Promise<readonly StoredRecord[]> {
  const removed = await findPairs(call, call.scope, pairs);
  await removeMemberships(
    call,
    call.scope,
    removed.map(({ id }) => id),
  );
  const toPair = ({ groupId, userId }: MemberPair): string => `${groupId} ${userId}`;
  const byPair = new Map(removed.map((record) => [toPair(toMember(record)), record]));
  return pairs.flatMap((pair) => byPair.get(toPair(pair)) ?? []);
}

async function removeMatching(
  call: WriteCall,
  filters: readonly Filter[],
  noteCount: RecordCount,
): Promise<readonly StoredRecord[]> {
  const removed: StoredRecord[] = [];
  for (const filter of filters)
    for await (const page of pagesOfMembers(call, call.scope, filter)) {
      await removeMemberships(
        call,
        call.scope,
        page.map(({ id }) => id),
      );
      for (const record of page) removed.push(record);
      noteCount(removed.length);
      if (filters.length > 1) await call.service.runtime.timers.nextTurn();
    }
  return removed;
}

async function toTargets(call: OperationCall): Promise<readonly RemovalTarget[]> {
  const memberId = optionalId(call, "memberId");
  if (memberId !== undefined) return [{ filters: [equalsFilter("id", memberId)], mustExist: true }];
  const userId = optionalId(call, "userId");
  const groupId = optionalId(call, "groupId");
  if (userId !== undefined) {
    const filters = [equalsFilter("groupId", requireId(call, "groupId")), equalsFilter("userId", userId)];
    return [{ filters: [{ op: "and", filters }], mustExist: true }];
  }
  return groupId === undefined ? bodyTargets(call) : [{ filters: [equalsFilter("groupId", groupId)], mustExist: false }];
}

async function bodyTargets(call: OperationCall): Promise<readonly RemovalTarget[]> {
  const { memberIds, members } = await parseWith(removeMembersRequest, call.body);
  if (memberIds === undefined && members === undefined) throw fieldError("missing", "memberId");
  const named = Object.entries(members ?? {}).map(([key, userIds]) => ({ groupId: parseUuid(key) ?? "", userIds }));
  const batches = toBatches(named, ({ groupId, userIds }) => ({ id: groupId, size: userIds.length }));
  const targets = batches.map(removalOf);
  if (memberIds !== undefined) targets.push({ filters: listFilters("id", memberIds), mustExist: false });
  return targets;
}

type NamedUsers = { readonly groupId: string; readonly userIds: readonly string[] };

function removalOf(batch: readonly NamedUsers[]): RemovalTarget {
  const [first, second] = batch;
  if (second !== undefined) {
    const known = batch.filter(({ groupId }) => groupId !== "");
    const pairs = known.flatMap(({ groupId, userIds }) => userIds.toSorted().map((userId) => ({ groupId, userId })));
    return { filters: [], pairs, mustExist: false };
  }
  const ofGroup = equalsFilter("groupId", first?.groupId ?? "");
  const filters = listFilters("userId", first?.userIds ?? []).map(
    (listed): Filter => ({ op: "and", filters: [ofGroup, listed] }),
  );
  return { filters, mustExist: false };
}

/** Custom operations. */
export const operations: FamilyRulesModule["operations"] = {
  // Existing members stay with the stored id; given `data` replaces theirs.
  add: (call) => writeMembers(call, merging),
  // The listed groups get exactly the members of the body, all with the same instant (docs/reference/groups.md#members).
  replace: (call) => writeMembers(call, replacing),
  remove: removeMembers,
};

/** The events of removed memberships. */
export const describeRemoved: FamilyRulesModule["describeRemoved"] = { groupMembers: describeRemovedMembers };

export const example: FamilyExample<GroupMembersRequest> = async ({ has, make }) =>
  has("members") ? { members: {} } : { members: { [await make("groups")]: [{ userId: await make("users") }] } };
