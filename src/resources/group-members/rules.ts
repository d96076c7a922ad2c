import { FieldErrorList, fieldError, generalError } from "../../errors/identity-error.js";
import { publishEvent } from "../../events/publish-event.js";
import { noteChanges, type Sides } from "../../operations/audit-change.js";
import {
  defineOperation,
  directoryContext,
  emptyResult,
  type Operation,
  type OperationCall,
  type WriteCall,
} from "../../operations/operation.js";
import { optionalId, presentRecords, requireId } from "../../operations/record-steps.js";
import { assertUsableTenant } from "../../operations/resolve-tenant.js";
import type { SearchableFamily } from "../../operations/search.js";
import { type Filter, type StoredRecord, tenantScope, UniqueViolation } from "../../ports/storage.js";
import { parseWith } from "../../schema/parse-with.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import type { OperationResult } from "../../transport/write-response.js";
import { toCanonicalJson } from "../../values/canonical-json.js";
import { formatPath } from "../../values/format-path.js";
import { lazily } from "../../values/lazily.js";
import { parseUuid } from "../../values/uuid.js";
import { groups } from "../groups/rules.js";
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

type StoredMember = GroupMember & { readonly groupId: string };

/** The members that are wanted in one group. */
interface WantedMembers {
  readonly group: StoredRecord;
  readonly members: readonly NewGroupMember[];
}

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
  writeGroup: (write: WriteCall, wanted: WantedMembers) => Promise<readonly StoredMember[]>,
): Promise<OperationResult> {
  const request = await parseWith(groupMembersRequest, call.body);
  if (Object.keys(request.members).length === 0) throw fieldError("empty", "members");
  return call.write(async (write) => {
    const answer: Record<string, unknown> = {};
    for (const wanted of await resolveGroups(write, request)) {
      const members = await writeGroup(write, wanted);
      answer[wanted.group.id] = members.map(({ groupId: _key, ...member }) => member);
    }
    return { status: 200, json: toCanonicalJson({ members: answer }) };
  });
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
    await checkUsers(call, { group, members }, errors);
    wanted.push({ group, members: withoutRepetitions(members) });
  }
  errors.throwIfAny();
  return wanted;
}

async function checkUsers(call: WriteCall, { group, members }: WantedMembers, errors: FieldErrorList): Promise<void> {
  const userIds = [...new Set(members.map((member) => member.userId))];
  const context = directoryContext(call, tenantScope(group.tenantId ?? ""));
  const known = new Set((await call.service.directory.findUsers(context, userIds)).map((user) => user.id));
  members.forEach((member, index) => {
    if (!known.has(member.userId)) errors.add("invalid", formatPath(["members", group.id, index, "userId"]));
  });
}

function withoutRepetitions(members: readonly NewGroupMember[]): readonly NewGroupMember[] {
  return [...new Map(members.map((member) => [member.userId, member])).values()];
}

/** Adds who is not a member yet; answers the members of the request as they are stored. */
async function mergeMembers(call: WriteCall, wanted: WantedMembers): Promise<readonly StoredMember[]> {
  const userIds = wanted.members.map((member) => member.userId);
  const stored = await findMembers(call, wanted.group, userIds);
  const added: StoredMember[] = [];
  const changes: MemberChanges = { before: new Map(), updated: [] };
  const now = call.service.runtime.clock();
  const members: StoredMember[] = [];
  for (const member of wanted.members) {
    const known = stored.get(member.userId);
    const kept = known && (await keepMember(call, known, member, changes));
    const present = kept ?? toMember(call, wanted.group, member, now);
    if (kept === undefined) added.push(present);
    members.push(present);
  }
  await insertMembers(call, wanted.group, added);
  await publishMembers(call, wanted.group, "group.member.add", added);
  await publishMembers(call, wanted.group, "group.member.update", changes.updated, changes.before);
  return members;
}

type MemberChanges = { readonly before: Map<string, StoredMember>; readonly updated: StoredMember[] };

async function keepMember(
  call: WriteCall,
  known: StoredRecord,
  wanted: NewGroupMember,
  { before, updated }: MemberChanges,
): Promise<StoredMember> {
  const member = JSON.parse(known.json) as StoredMember;
  if (wanted.data === undefined || toCanonicalJson(wanted.data) === toCanonicalJson(member.data)) return member;
  const changed = { ...member, data: wanted.data };
  const record = toStored(changed, known.tenantId, known.version + 1);
  await call.tx.update(tenantScope(known.tenantId ?? ""), groupMembersTable, record);
  before.set(member.userId, member);
  updated.push(changed);
  return changed;
}

async function findMembers(call: WriteCall, group: StoredRecord, userIds: readonly string[]): Promise<Map<string, StoredRecord>> {
  const filters: Filter[] = [equalsFilter("groupId", group.id), { op: "in", column: "userId", values: userIds }];
  const found = await call.reader.find(tenantScope(group.tenantId ?? ""), groupMembersTable, { op: "and", filters });
  return new Map(found.map((record) => [(JSON.parse(record.json) as StoredMember).userId, record]));
}

async function replaceGroup(call: WriteCall, wanted: WantedMembers): Promise<readonly StoredMember[]> {
  const { group } = wanted;
  const scope = tenantScope(group.tenantId ?? "");
  const ofGroup = equalsFilter("groupId", group.id);
  const stored = await call.reader.find(scope, groupMembersTable, ofGroup);
  const before = new Map(
    stored.map((record) => JSON.parse(record.json) as StoredMember).map((member) => [member.userId, member]),
  );
  const now = call.service.runtime.clock();
  // Who stays keeps the id of the membership, so that it may go on being named by it.
  const after = wanted.members.map((member) =>
    toMember(call, group, { ...member, id: member.id ?? before.get(member.userId)?.id }, now),
  );
  await call.tx.remove(scope, groupMembersTable, ofGroup);
  await insertMembers(call, group, after);
  await publishReplaced(call, group, before, after);
  return after;
}

async function publishReplaced(
  call: WriteCall,
  group: StoredRecord,
  before: ReadonlyMap<string, StoredMember>,
  after: readonly StoredMember[],
): Promise<void> {
  const staying = new Set(after.map((member) => member.userId));
  const removed = [...before.values()].filter((member) => !staying.has(member.userId));
  const added = after.filter((member) => !before.has(member.userId));
  const updated = after.filter((member) => {
    const known = before.get(member.userId);
    return known !== undefined && toCanonicalJson(known.data) !== toCanonicalJson(member.data);
  });
  await publishMembers(call, group, "group.member.remove", removed);
  await publishMembers(call, group, "group.member.add", added);
  await publishMembers(call, group, "group.member.update", updated, before);
}

function toMember(call: WriteCall, group: StoredRecord, member: NewGroupMember, insertInstant: number): StoredMember {
  const { userId, data = {}, id = call.service.runtime.newId() } = member;
  return { id, userId, groupId: group.id, data, insertInstant };
}

async function insertMembers(call: WriteCall, group: StoredRecord, members: readonly StoredMember[]): Promise<void> {
  if (members.length === 0) return;
  try {
    const records = members.map((member) => toStored(member, group.tenantId, 1));
    await call.tx.insert(tenantScope(group.tenantId ?? ""), groupMembersTable, records);
  } catch (error) {
    if (error instanceof UniqueViolation) throw fieldError("duplicate", formatPath(["members", group.id]));
    throw error;
  }
}

function toStored(member: StoredMember, tenantId: string | null, version: number): Parameters<WriteCall["tx"]["update"]>[2] {
  const { id, groupId, userId, insertInstant } = member;
  const instants = { insertInstant, lastUpdateInstant: insertInstant };
  return { id, tenantId, version, ...instants, json: toCanonicalJson(member), hidden: null, columns: { groupId, userId } };
}

async function publishMembers(
  call: WriteCall,
  group: StoredRecord,
  type: string,
  members: readonly StoredMember[],
  before: ReadonlyMap<string, StoredMember> = new Map(),
): Promise<void> {
  if (members.length === 0) return;
  // Events show a group as the wire does, with its roles.
  const [json = "{}"] = await presentRecords(call, groups, [group]);
  const fields = { group: JSON.parse(json), members };
  await publishEvent(call, { type, tenantId: group.tenantId ?? "", linkedObjectId: group.id, fields });
  const isGone = type === "group.member.remove";
  const sidesOf = (member: StoredMember): Sides => (isGone ? [member, undefined] : [before.get(member.userId), member]);
  await noteChanges(call, groupMembers.name, group.tenantId, members.map(sidesOf));
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
      for (const { filter, mustExist } of targets) {
        const removed = await write.reader.find(write.scope, groupMembersTable, filter);
        if (removed.length === 0 && mustExist) throw generalError("notFound");
        await write.tx.remove(write.scope, groupMembersTable, filter);
        await publishRemoved(write, removed);
      }
      return emptyResult;
    });
  },
);

type RemovalTarget = { readonly filter: Filter; readonly mustExist: boolean };

async function toTargets(call: OperationCall): Promise<readonly RemovalTarget[]> {
  const memberId = optionalId(call, "memberId");
  if (memberId !== undefined) return [{ filter: equalsFilter("id", memberId), mustExist: true }];
  const userId = optionalId(call, "userId");
  const groupId = optionalId(call, "groupId");
  if (userId !== undefined) {
    const filters = [equalsFilter("groupId", requireId(call, "groupId")), equalsFilter("userId", userId)];
    return [{ filter: { op: "and", filters }, mustExist: true }];
  }
  return groupId === undefined ? bodyTargets(call) : [{ filter: equalsFilter("groupId", groupId), mustExist: false }];
}

async function bodyTargets(call: OperationCall): Promise<readonly RemovalTarget[]> {
  const { memberIds, members } = await parseWith(removeMembersRequest, call.body);
  if (memberIds === undefined && members === undefined) throw fieldError("missing", "memberId");
  const targets: RemovalTarget[] = Object.entries(members ?? {}).map(([groupId, userIds]) => {
    const ofGroup = equalsFilter("groupId", parseUuid(groupId) ?? "");
    const filters: Filter[] = [ofGroup, { op: "in", column: "userId", values: userIds }];
    return { filter: { op: "and", filters }, mustExist: false };
  });
  if (memberIds !== undefined) targets.push({ filter: { op: "in", column: "id", values: memberIds }, mustExist: false });
  return targets;
}

async function publishRemoved(call: WriteCall, removed: readonly StoredRecord[]): Promise<void> {
  const members = removed.map((record) => JSON.parse(record.json) as StoredMember);
  const values = [...new Set(members.map((member) => member.groupId))];
  for (const group of await call.reader.find(call.scope, groupsTable, { op: "in", column: "id", values })) {
    const left = members.filter((member) => member.groupId === group.id);
    await publishMembers(call, group, "group.member.remove", left);
  }
}
