import { findKnownUsers } from "../../directory/known-users.js";
import { publishMembers, publishRemoved } from "../../directory/membership-events.js";
import {
  findMembers,
  insertMembers,
  isEqualData,
  makeMember,
  pagesOfMembers,
  readMembers,
  removeMemberships,
  type StoredMember,
  scopeOf,
  showMember,
  toMember,
  toRecord,
} from "../../directory/memberships.js";
import { FieldErrorList, fieldError, generalError } from "../../errors/identity-error.js";
import { inChunks, listFilters, nextTurn } from "../../operations/in-chunks.js";
import {
  defineOperation,
  directoryContext,
  emptyResult,
  type Operation,
  type OperationCall,
  type WriteCall,
} from "../../operations/operation.js";
import { optionalId, requireId } from "../../operations/record-steps.js";
import { assertUsableTenant } from "../../operations/resolve-tenant.js";
import type { SearchableFamily } from "../../operations/search.js";
import type { Filter, RecordToStore, StoredRecord } from "../../ports/storage.js";
import { parseWith } from "../../schema/parse-with.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import type { OperationResult } from "../../transport/write-response.js";
import { type CanonicalText, toCanonicalJson, toListText } from "../../values/canonical-json.js";
import { formatPath } from "../../values/format-path.js";
import { lazily } from "../../values/lazily.js";
import { parseUuid } from "../../values/uuid.js";
import { groupsTable } from "../groups/table.js";
import type { GroupMember, GroupMembersRequest, GroupMembersResponse, NewGroupMember, RemoveMembersRequest } from "./schema.js";
import { groupMemberSearch, groupMembersTable } from "./table.js";

const groupMembersRequest = lazily(async () => (await import("../schemas.js")).groupMembersRequest);
const removeMembersRequest = lazily(async () => (await import("../schemas.js")).removeMembersRequest);

/** What the shared search needs to know of memberships (facts.md 4.2). */
export const groupMembers: SearchableFamily<GroupMember & { lastUpdateInstant: number }, never> = {
  name: "groupMembers",
  wrapper: "member",
  plural: "members",
  table: groupMembersTable,
  search: groupMemberSearch,
};

/** The members that are wanted in one group, each user once. */
interface WantedMembers {
  readonly group: StoredRecord;
  /** In the order of the ids of the users: the trees of a database are written fastest in order. */
  readonly members: readonly NewGroupMember[];
  /** The users in the order of the request. */
  readonly userIds: readonly string[];
}

/** What becomes of a member: how it is kept, and how it is answered. */
interface Outcome {
  readonly record: StoredRecord;
  readonly shown: string;
  readonly change?: "added" | "updated" | undefined;
}

/** Outcomes by the id of the user. */
type Outcomes = ReadonlyMap<string, Outcome>;

/** POST: adds members. Who is a member already stays one, with the stored id, and `data` is replaced when it is given. */
export const addMembers: Operation<GroupMembersRequest, GroupMembersResponse> = defineOperation("groupMembers.add", [], (call) =>
  writeMembers(call, mergeMembers),
);

/** PUT: the members of the listed groups are those of the body and no others; all of them get the same instant (facts.md 4.3). */
export const replaceMembers: Operation<GroupMembersRequest, GroupMembersResponse> = defineOperation(
  "groupMembers.replace",
  [],
  (call) => writeMembers(call, replaceGroup),
);

async function writeMembers(
  call: OperationCall,
  writeGroup: (write: WriteCall, wanted: WantedMembers) => Promise<Outcomes>,
): Promise<OperationResult> {
  const request = await parseWith(groupMembersRequest, call.body);
  if (Object.keys(request.members).length === 0) throw fieldError("empty", "members");
  return call.write(async (write) => {
    const answer: Record<string, CanonicalText> = {};
    for (const wanted of await resolveGroups(write, request)) {
      const outcomes = await writeGroup(write, wanted);
      answer[wanted.group.id] = toListText(inOrder(wanted, outcomes).map(({ shown }) => shown));
    }
    return { status: 200, json: toCanonicalJson({ members: answer }) };
  });
}

function inOrder({ userIds }: WantedMembers, outcomes: Outcomes): Outcome[] {
  return userIds.map((userId) => outcomes.get(userId) as Outcome);
}

/** The groups and users of a request, all of which must be there and of one tenant. @throws IdentityError 400 naming each that is not. */
async function resolveGroups(call: WriteCall, request: GroupMembersRequest): Promise<WantedMembers[]> {
  const errors = new FieldErrorList();
  const wanted: WantedMembers[] = [];
  for (const [key, members] of Object.entries(request.members)) {
    const group = await call.reader.retrieve(call.scope, groupsTable, parseUuid(key) ?? "");
    if (group === undefined) {
      errors.add("invalid", formatPath(["members", key]), "There is no group with this id.");
      continue;
    }
    await assertUsableTenant(call, group.tenantId);
    await checkUsers(call, group, members, errors);
    wanted.push(toWanted(group, members));
  }
  errors.throwIfAny();
  return wanted;
}

async function checkUsers(
  call: WriteCall,
  group: StoredRecord,
  members: readonly NewGroupMember[],
  errors: FieldErrorList,
): Promise<void> {
  const context = directoryContext(call, scopeOf(group));
  const userIds = members.map((member) => member.userId);
  const known = await findKnownUsers(call.service.directory, context, userIds);
  members.forEach((member, index) => {
    if (!known.has(member.userId)) errors.add("invalid", formatPath(["members", group.id, index, "userId"]));
  });
}

// Who is named twice is what was said last.
function toWanted(group: StoredRecord, members: readonly NewGroupMember[]): WantedMembers {
  const byUser = new Map(members.map((member) => [member.userId, member]));
  const userIds = [...byUser.keys()];
  return { group, members: userIds.toSorted().map((userId) => byUser.get(userId) as NewGroupMember), userIds };
}

/** Adds who is not a member yet. */
async function mergeMembers(call: WriteCall, wanted: WantedMembers): Promise<Outcomes> {
  const { group } = wanted;
  const stored = await findMembers(call, group, wanted.userIds);
  const now = call.service.runtime.clock();
  const outcomes = new Map<string, Outcome>();
  await inChunks(wanted.members, async (chunk) => {
    const added: RecordToStore[] = [];
    for (const member of chunk) {
      const known = stored.get(member.userId);
      const outcome = known === undefined ? addMember(call, group, member, now, added) : await keepMember(call, known, member);
      outcomes.set(member.userId, outcome);
    }
    await insertMembers(call, group, added);
  });
  await publishChanges(call, wanted, outcomes, stored);
  return outcomes;
}

function addMember(call: WriteCall, group: StoredRecord, member: NewGroupMember, now: number, added: RecordToStore[]): Outcome {
  const made = makeMember(call, group, member, now);
  const record = toRecord(made, group.tenantId, 1);
  added.push(record);
  return { record, shown: showMember(made), change: "added" };
}

async function keepMember(call: WriteCall, known: StoredRecord, { data }: NewGroupMember): Promise<Outcome> {
  const member = toMember(known);
  if (data === undefined || isEqualData(data, member.data)) return { record: known, shown: showMember(member) };
  const changed = { ...member, data };
  const record = toRecord(changed, known.tenantId, known.version + 1);
  await call.tx.update(scopeOf(known), groupMembersTable, record);
  return { record, shown: showMember(changed), change: "updated" };
}

/** Writes what differs, and takes out what is not wanted. Who stays keeps the id of the membership, so that it may go on being named by it. */
async function replaceGroup(call: WriteCall, wanted: WantedMembers): Promise<Outcomes> {
  const { group } = wanted;
  const before = await readMembers(call, group);
  const now = call.service.runtime.clock();
  const outcomes = new Map<string, Outcome>();
  const written: RecordToStore[] = [];
  await inChunks(wanted.members, (chunk) => {
    for (const member of chunk) {
      const known = before.get(member.userId);
      const outcome = replaceMember(call, group, member, known && toMember(known), now);
      outcomes.set(member.userId, outcome);
      if (known?.json !== outcome.record.json) written.push(outcome.record);
    }
  });
  // Out with all of them first: an id may go from one member to another.
  const isKept = (record: StoredRecord, userId: string): boolean => outcomes.get(userId)?.record.json === record.json;
  const stale = [...before].flatMap(([userId, record]) => (isKept(record, userId) ? [] : record));
  await removeMemberships(call, scopeOf(group), stale);
  await inChunks(written, (chunk) => insertMembers(call, group, chunk));
  const removed = [...before].flatMap(([userId, record]) => (outcomes.has(userId) ? [] : record));
  await publishMembers(call, group, "group.member.remove", removed);
  await publishChanges(call, wanted, outcomes, before);
  return outcomes;
}

function replaceMember(
  call: WriteCall,
  group: StoredRecord,
  member: NewGroupMember,
  known: StoredMember | undefined,
  now: number,
): Outcome & { readonly record: RecordToStore } {
  const made = makeMember(call, group, { ...member, id: member.id ?? known?.id }, now);
  const change = known === undefined ? "added" : isEqualData(known.data, made.data) ? undefined : "updated";
  return { record: toRecord(made, group.tenantId, 1), shown: showMember(made), change };
}

async function publishChanges(
  call: WriteCall,
  wanted: WantedMembers,
  outcomes: Outcomes,
  before: ReadonlyMap<string, StoredRecord>,
): Promise<void> {
  const all = inOrder(wanted, outcomes);
  const changed = (change: Outcome["change"]): StoredRecord[] =>
    all.flatMap((outcome) => (outcome.change === change ? outcome.record : []));
  await publishMembers(call, wanted.group, "group.member.add", changed("added"));
  await publishMembers(call, wanted.group, "group.member.update", changed("updated"), before);
}

/** The five forms of DELETE (reference 4.5): by membership id, by group and user, by group, and two bodies. */
export type RemoveMembersInput = RemoveMembersRequest & {
  readonly memberId?: string;
  readonly groupId?: string;
  readonly userId?: string;
};

/** DELETE: removes memberships. By id or pair an unknown one is 404; lists skip what is not there. */
export const removeMembers: Operation<RemoveMembersInput, undefined> = defineOperation(
  "groupMembers.remove",
  ["memberId", "groupId", "userId"],
  async (call) => {
    const targets = await toTargets(call);
    return call.write(async (write) => {
      for (const { filters, mustExist } of targets) {
        const removed = await removeMatching(write, filters);
        if (removed.length === 0 && mustExist) throw generalError("notFound");
        await publishRemoved(write, removed);
      }
      return emptyResult;
    });
  },
);

/** Memberships that are told of together. */
type RemovalTarget = { readonly filters: readonly Filter[]; readonly mustExist: boolean };

async function removeMatching(call: WriteCall, filters: readonly Filter[]): Promise<readonly StoredRecord[]> {
  const removed: StoredRecord[] = [];
  for (const filter of filters)
    for await (const page of pagesOfMembers(call, call.scope, filter)) {
      await removeMemberships(call, call.scope, page);
      for (const record of page) removed.push(record);
      if (filters.length > 1) await nextTurn();
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
  const targets: RemovalTarget[] = Object.entries(members ?? {}).map(([groupId, userIds]) => {
    const ofGroup = equalsFilter("groupId", parseUuid(groupId) ?? "");
    const filters = listFilters("userId", userIds).map((listed) => ({ op: "and", filters: [ofGroup, listed] }) as const);
    return { filters, mustExist: false };
  });
  if (memberIds !== undefined) targets.push({ filters: listFilters("id", memberIds), mustExist: false });
  return targets;
}
