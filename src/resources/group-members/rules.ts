import { findUnknownUsers } from "../../directory/known-users.js";
import { mergeMembers, replaceMembersOf, toWanted, type WantedMembers } from "../../directory/member-writes.js";
import { publishRemoved } from "../../directory/membership-events.js";
import {
  pagesOfMembers,
  removeMemberships,
  type StoredMember,
  scopeOf,
  toListedMemberJson,
} from "../../directory/memberships.js";
import { parseMembers } from "../../directory/parse-members.js";
import { FieldErrorList, fieldError, generalError } from "../../errors/identity-error.js";
import { assertTextsFit, withinAnswerSize } from "../../operations/answer-size.js";
import { listFilters } from "../../operations/in-chunks.js";
import {
  defineOperation,
  directoryContext,
  emptyResult,
  type Operation,
  type OperationCall,
  type WriteCall,
  withBulkLists,
} from "../../operations/operation.js";
import { optionalId, requireId } from "../../operations/record-steps.js";
import { assertUsableTenant } from "../../operations/resolve-tenant.js";
import type { SearchableFamily } from "../../operations/search.js";
import { type NoteCount, writeHoweverLong } from "../../operations/write-however-long.js";
import type { Filter, StoredRecord } from "../../ports/storage.js";
import { parseWith } from "../../schema/parse-with.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import type { OperationResult } from "../../transport/write-response.js";
import { type CanonicalText, toCanonicalJson, toListText } from "../../values/canonical-json.js";
import { formatPath } from "../../values/format-path.js";
import { inChunks, isVeryLong, mapInChunks, nextTurn } from "../../values/in-steps.js";
import { lazily } from "../../values/lazily.js";
import type { BulkPath } from "../../values/size-limits.js";
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

// A group may have any number of members, and a body any that fit into its bytes.
const memberLists: readonly BulkPath[] = [["members", "*"]];

/** POST: adds members. Who is a member already stays one, with the stored id, and `data` is replaced when it is given. */
export const addMembers: Operation<GroupMembersRequest, GroupMembersResponse> = withBulkLists(
  defineOperation("groupMembers.add", [], (call) => writeMembers(call, mergeMembers)),
  memberLists,
);

/** PUT: the members of the listed groups are those of the body and no others; all of them have the same instant (facts.md 4.3). */
export const replaceMembers: Operation<GroupMembersRequest, GroupMembersResponse> = withBulkLists(
  defineOperation("groupMembers.replace", [], (call) => writeMembers(call, replaceMembersOf)),
  memberLists,
);

async function writeMembers(
  call: OperationCall,
  writeGroup: (write: WriteCall, wanted: WantedMembers, noteCount: NoteCount) => Promise<readonly StoredMember[]>,
): Promise<OperationResult> {
  const request = await parseMembers(groupMembersRequest, call.body);
  if (Object.keys(request.members).length === 0) throw fieldError("empty", "members");
  const write = async (write: WriteCall, noteCount: NoteCount): Promise<OperationResult> => {
    const groups: WrittenGroup[] = [];
    for (const wanted of await resolveGroups(write, request))
      groups.push([wanted.group.id, await writeGroup(write, wanted, noteCount)]);
    // Inside of the transaction: what cannot be answered is not kept.
    return withinAnswerSize(call.service, await toResult(call, groups));
  };
  return writeHoweverLong(call, write, isVeryLong(request.members));
}

/** The members of a group that a call has written. */
type WrittenGroup = readonly [groupId: string, members: readonly StoredMember[]];

// Texts for HTTP, values for callers in process: of very many members, both are made in steps.
async function toResult(call: OperationCall, written: readonly WrittenGroup[]): Promise<OperationResult> {
  if (call.request === undefined) return { status: 200, json: "", toValue: () => toValue(written) };
  const lists: [string, CanonicalText][] = [];
  for (const [groupId, members] of written) {
    const texts = await mapInChunks(members, (chunk) => [chunk.map(toListedMemberJson).join(",")]);
    assertTextsFit(call.service, texts);
    lists.push([groupId, toListText(texts)]);
  }
  return { status: 200, json: toCanonicalJson({ members: Object.fromEntries(lists) }) };
}

async function toValue(written: readonly WrittenGroup[]): Promise<GroupMembersResponse> {
  const lists: [string, readonly GroupMember[]][] = [];
  for (const [groupId, members] of written) lists.push([groupId, await mapInChunks(members, (chunk) => chunk.map(toShown))]);
  return { members: Object.fromEntries(lists) };
}

function toShown({ data, id, insertInstant, userId }: StoredMember): GroupMember {
  const isEmpty = Object.keys(data).length === 0;
  return { data: isEmpty ? {} : JSON.parse(toCanonicalJson(data)), id, insertInstant, userId };
}

/** The groups and users of a request, all of which must be there and of one tenant. @throws IdentityError 400 naming each that is not. */
async function resolveGroups(call: WriteCall, request: GroupMembersRequest): Promise<WantedMembers[]> {
  const errors = new FieldErrorList();
  const wanted: WantedMembers[] = [];
  const known = await findGroupIds(call, Object.keys(request.members));
  for (const [key, members] of Object.entries(request.members)) {
    if (errors.isFull) break;
    const id = parseUuid(key) ?? "";
    const group = known.has(id) ? await call.reader.retrieve(call.scope, groupsTable, id) : undefined;
    if (group === undefined) {
      errors.add("invalid", formatPath(["members", key]), "There is no group with this id.");
      continue;
    }
    await assertUsableTenant(call, group.tenantId);
    await checkUsers(call, group, members, errors);
    // What is refused need not be prepared.
    if (errors.isEmpty) wanted.push(await toWanted(group, members));
  }
  errors.throwIfAny();
  return wanted;
}

// By sets: one by one, very many that are not there would take long.
async function findGroupIds(call: WriteCall, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  await inChunks(keys, async (chunk) => {
    const values = chunk.flatMap((key) => parseUuid(key) ?? []);
    for (const id of await call.reader.findIds(call.scope, groupsTable, "id", { op: "in", column: "id", values })) known.add(id);
  });
  return known;
}

async function checkUsers(
  call: WriteCall,
  group: StoredRecord,
  members: readonly NewGroupMember[],
  errors: FieldErrorList,
): Promise<void> {
  const context = directoryContext(call, scopeOf(group));
  for (const index of await findUnknownUsers(call.service.directory, context, members)) {
    errors.add("invalid", formatPath(["members", group.id, index, "userId"]));
    if (errors.isFull) break;
  }
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
    return writeHoweverLong(call, async (write, noteCount) => {
      for (const { filters, mustExist } of targets) {
        const removed = await removeMatching(write, filters, noteCount);
        if (removed.length === 0 && mustExist) throw generalError("notFound");
        await publishRemoved(write, removed);
      }
      return emptyResult;
    });
  },
);

/** Memberships that are told of together. */
type RemovalTarget = { readonly filters: readonly Filter[]; readonly mustExist: boolean };

async function removeMatching(
  call: WriteCall,
  filters: readonly Filter[],
  noteCount: NoteCount,
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
