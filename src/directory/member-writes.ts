import type { WriteCall } from "../operations/operation.js";
import type { RecordToStore, StoredRecord } from "../ports/storage.js";
import type { NewGroupMember } from "../resources/group-members/schema.js";
import { inChunks, mapInChunks, sortInSteps } from "../values/in-steps.js";
import { publishMembers } from "./membership-events.js";
import {
  findMembers,
  insertMembers,
  isEqualData,
  type KnownMember,
  makeMember,
  readMembers,
  removeMemberships,
  rewriteMembers,
  type StoredMember,
  scopeOf,
  writeMember,
} from "./memberships.js";

/** The members that are wanted in one group, each user once. */
export interface WantedMembers {
  readonly group: StoredRecord;
  readonly byUser: ReadonlyMap<string, NewGroupMember>;
  /** The users in the order of the request. */
  readonly userIds: readonly string[];
  /** The users in the order of their ids: the trees of a database are written fastest in order. */
  readonly sortedUserIds: readonly string[];
}

/** The members that a request names for a group. Who is named twice is what was said last. */
export async function toWanted(group: StoredRecord, members: readonly NewGroupMember[]): Promise<WantedMembers> {
  const byUser = new Map<string, NewGroupMember>();
  await inChunks(members, (chunk) => {
    for (const member of chunk) byUser.set(member.userId, member);
  });
  const userIds = [...byUser.keys()];
  return { group, byUser, userIds, sortedUserIds: await sortInSteps(userIds) };
}

/** A member of the answer: what it says, and its text. */
export interface AnsweredMember {
  readonly member: StoredMember;
  readonly shown: string;
}

/** What becomes of a member: how it is kept, and how it is answered. */
interface Outcome extends AnsweredMember {
  readonly record: StoredRecord;
  readonly change?: "added" | "updated" | undefined;
}

/** What is to be written for a group, and what becomes of each wanted user. */
class Changes {
  readonly inserted: RecordToStore[] = [];
  readonly rewritten: RecordToStore[] = [];
  readonly outcomes = new Map<string, Outcome>();
}

type Known = ReadonlyMap<string, KnownMember>;
type Decide = (member: NewGroupMember, known: KnownMember | undefined, changes: Changes) => Outcome;

/** Adds who is not a member yet; answers all who were named. */
export async function mergeMembers(call: WriteCall, wanted: WantedMembers): Promise<readonly AnsweredMember[]> {
  const { group } = wanted;
  const before = await findMembers(call, group, wanted.sortedUserIds);
  const now = call.service.runtime.clock();
  const changes = await decideAll(wanted, before, (member, known, { inserted, rewritten }) => {
    if (known === undefined) return add(inserted, group, makeMember(call, group, member, now));
    const changed = { ...known.member, data: member.data ?? known.member.data };
    const { record, shown } = writeMember(changed, group.tenantId, known.record.version + 1);
    if (record.json === known.record.json) return { record: known.record, member: changed, shown };
    rewritten.push(record);
    return { record, member: changed, shown, change: "updated" };
  });
  await insertMembers(call, group, changes.inserted);
  await rewriteMembers(call, group, changes.rewritten);
  return publishChanges(call, wanted, changes, before);
}

/**
 * Writes what differs, and takes out what is not wanted; answers all who were named. Who stays keeps the id of the membership,
 * so that it may go on being named by it.
 */
export async function replaceMembersOf(call: WriteCall, wanted: WantedMembers): Promise<readonly AnsweredMember[]> {
  const { group } = wanted;
  const before = await readMembers(call, group);
  const now = call.service.runtime.clock();
  const stale: StoredRecord[] = [];
  const changes = await decideAll(wanted, before, (member, known, { inserted, rewritten }) => {
    const id = member.id ?? known?.member.id;
    const made = makeMember(call, group, { ...member, id }, now);
    if (known === undefined) return add(inserted, group, made);
    const isKept = made.id === known.member.id;
    const { record, shown } = writeMember(made, group.tenantId, isKept ? known.record.version + 1 : 1);
    if (!isKept) stale.push(known.record);
    if (record.json !== known.record.json) (isKept ? rewritten : inserted).push(record);
    return { record, member: made, shown, change: isEqualData(known.member.data, made.data) ? undefined : "updated" };
  });
  const removed = await mapInChunks([...before.values()], (chunk) =>
    chunk.flatMap(({ member, record }) => (wanted.byUser.has(member.userId) ? [] : record)),
  );
  // Out with all of them first: an id may go from one member to another.
  await removeMemberships(call, scopeOf(group), stale.concat(removed));
  await rewriteMembers(call, group, changes.rewritten);
  await insertMembers(call, group, changes.inserted);
  await publishMembers(call, group, "group.member.remove", removed);
  return publishChanges(call, wanted, changes, before);
}

async function decideAll({ byUser, sortedUserIds }: WantedMembers, before: Known, decide: Decide): Promise<Changes> {
  const changes = new Changes();
  await inChunks(sortedUserIds, (chunk) => {
    for (const userId of chunk)
      changes.outcomes.set(userId, decide(byUser.get(userId) as NewGroupMember, before.get(userId), changes));
  });
  return changes;
}

function add(inserted: RecordToStore[], group: StoredRecord, member: StoredMember): Outcome {
  const written = writeMember(member, group.tenantId, 1);
  inserted.push(written.record);
  return { ...written, member, change: "added" };
}

/** Tells of those who were added and changed, in the order of the request, and answers all. */
async function publishChanges(
  call: WriteCall,
  { group, userIds }: WantedMembers,
  { outcomes }: Changes,
  before: Known,
): Promise<readonly AnsweredMember[]> {
  const changed = { added: [] as StoredRecord[], updated: [] as StoredRecord[] };
  const answered = await mapInChunks(userIds, (chunk) => chunk.map((userId) => outcomes.get(userId) as Outcome));
  await inChunks(answered, (chunk) => {
    for (const { change, record } of chunk) if (change !== undefined) changed[change].push(record);
  });
  await publishMembers(call, group, "group.member.add", changed.added);
  await publishMembers(call, group, "group.member.update", changed.updated, before);
  return answered;
}
