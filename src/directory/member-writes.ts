import type { WriteCall } from "../operations/operation.js";
import type { NoteCount } from "../operations/write-however-long.js";
import type { StoredRecord } from "../ports/storage.js";
import type { NewGroupMember } from "../resources/group-members/schema.js";
import { IdMap } from "../values/id-map.js";
import { filterInChunks, inChunks, mapInChunks, sortInSteps } from "../values/in-steps.js";
import { publishMembers } from "./membership-events.js";
import {
  findMembers,
  insertMembers,
  isEqualData,
  type KnownMember,
  type KnownMembers,
  makeMember,
  readMembers,
  removeMemberships,
  rewriteMembers,
  type StoredMember,
  scopeOf,
} from "./memberships.js";

/** The members that are wanted in one group, each user once, in the order of the request. */
export interface WantedMembers {
  readonly group: StoredRecord;
  readonly byUser: Pick<IdMap<NewGroupMember>, "get" | "has" | "ids" | "size" | "values">;
}

/** The members that a request names for a group. Who is named twice is what was said last. */
export async function toWanted(group: StoredRecord, members: readonly NewGroupMember[]): Promise<WantedMembers> {
  const byUser = new IdMap<NewGroupMember>();
  await inChunks(members, (chunk) => {
    for (const member of chunk) byUser.set(member.userId, member);
  });
  return { group, byUser };
}

/** Adds who is not a member yet; answers all who were named. */
export async function mergeMembers(call: WriteCall, wanted: WantedMembers): Promise<readonly StoredMember[]> {
  const { group, byUser } = wanted;
  const before = await findMembers(call, group, byUser.ids);
  const { meeting, missing } = await meet(byUser, before);
  const now = call.service.runtime.clock();
  return keep(call, wanted, before, {
    staying: await filterInChunks(meeting, ({ named, known }) => !isSameData(known, named.data ?? known.member.data)),
    joining: await inOrder(missing),
    toStaying: ({ named, known: { member } }) => ({ ...member, data: named.data ?? member.data }),
    toJoining: (named) => makeMember(call, group, named, now),
  });
}

/**
 * Writes what differs, and takes out what is not wanted; answers all who were named. Who stays keeps the id of the membership, so that it
 * may go on being named by it, and all get the same new instant. Where they have the same already and nothing differs, nothing is written.
 */
export async function replaceMembersOf(
  call: WriteCall,
  wanted: WantedMembers,
  noteCount: NoteCount,
): Promise<readonly StoredMember[]> {
  const { group, byUser } = wanted;
  const before = await readMembers(call, group, noteCount);
  const { meeting, missing, unwanted } = await meet(byUser, before);
  const isReached = missing.length + unwanted.length === 0 && (await areSame(meeting));
  if (isReached) return mapInChunks(byUser.ids, (users) => users.map((userId) => (before.get(userId) as KnownMember).member));
  const staying = await filterInChunks(meeting, hasSameId);
  const renamed = staying.length === meeting.length ? [] : await filterInChunks(meeting, (one) => !hasSameId(one));
  // Out with all of them first: an id may go from one member to another.
  const gone = [...renamed.map(({ known }) => known.member), ...unwanted];
  const goneIds = await mapInChunks(gone, (chunk) => chunk.map(({ id }) => id));
  const sorting = inOrder(missing.concat(renamed.map(({ named }) => named)));
  await removeMemberships(call, scopeOf(group), goneIds);
  await publishMembers(call, group, "group.member.remove", unwanted);
  const now = call.service.runtime.clock();
  return keep(call, wanted, before, {
    staying,
    joining: await sorting,
    toStaying: ({ named, known }) => makeMember(call, group, { ...named, id: known.member.id }, now),
    toJoining: (named) => makeMember(call, group, named, now),
  });
}

/** A member that is wanted and known. */
interface Meeting {
  readonly named: NewGroupMember;
  readonly known: KnownMember;
}

interface Met {
  /** In the order in which they are known. */
  readonly meeting: readonly Meeting[];
  readonly missing: readonly NewGroupMember[];
  readonly unwanted: readonly StoredMember[];
}

/** Who is wanted and known, wanted alone, known alone. */
async function meet(byUser: WantedMembers["byUser"], before: KnownMembers): Promise<Met> {
  const meeting: Meeting[] = [];
  const unwanted: StoredMember[] = [];
  await inChunks(before.values, (chunk) => {
    for (const known of chunk) {
      const named = byUser.get(known.member.userId);
      if (named === undefined) unwanted.push(known.member);
      else meeting.push({ named, known });
    }
  });
  const missing: NewGroupMember[] = [];
  // Where as many meet as are wanted, nobody is missing.
  if (meeting.length < byUser.size)
    await inChunks(byUser.values, (chunk) => {
      for (const named of chunk) if (!before.has(named.userId)) missing.push(named);
    });
  return { meeting, missing, unwanted };
}

// Whether all are already as they are wanted, and since the same instant.
async function areSame(meeting: readonly Meeting[]): Promise<boolean> {
  const instant = meeting[0]?.known.member.insertInstant;
  const isOther = (one: Meeting): boolean =>
    one.known.member.insertInstant !== instant || !hasSameId(one) || !isSameData(one.known, one.named.data ?? {});
  return (await filterInChunks(meeting, isOther)).length === 0;
}

function hasSameId({ named, known }: Meeting): boolean {
  return named.id === undefined || named.id === known.member.id;
}

function isSameData({ member }: KnownMember, data: StoredMember["data"]): boolean {
  return isEqualData(member.data, data);
}

/** What is written, and as what. */
interface Changes {
  readonly staying: readonly Meeting[];
  /** The users. */
  readonly joining: readonly string[];
  readonly toStaying: (meeting: Meeting) => StoredMember;
  readonly toJoining: (named: NewGroupMember) => StoredMember;
}

async function inOrder(named: readonly NewGroupMember[]): Promise<readonly string[]> {
  return sortInSteps(await mapInChunks(named, (chunk) => chunk.map(({ userId }) => userId)));
}

// What is written is made while it is: all of it before would be much to hold at once. The trees of a database are written fastest in order,
// so that members come in the order of their users, new ones with growing ids.
async function keep(
  call: WriteCall,
  { group, byUser }: WantedMembers,
  before: KnownMembers,
  { staying, joining, toStaying, toJoining }: Changes,
): Promise<readonly StoredMember[]> {
  const written = new IdMap<StoredMember>();
  const changed = new IdMap<true>();
  const note = (member: StoredMember, known: KnownMember | undefined): StoredMember => {
    written.set(member.userId, member);
    if (known === undefined || !isSameData(known, member.data)) changed.set(member.userId, true);
    return member;
  };
  await rewriteMembers(call, group, staying, (one) => ({ member: note(toStaying(one), one.known), version: one.known.version }));
  await insertMembers(call, group, joining, (userId) =>
    note(toJoining(byUser.get(userId) as NewGroupMember), before.get(userId)),
  );
  const toAnswer = (userId: string): StoredMember => written.get(userId) ?? (before.get(userId) as KnownMember).member;
  const members = await mapInChunks(byUser.ids, (users) => users.map(toAnswer));
  const told = changed.size === 0 ? [] : await filterInChunks(members, ({ userId }) => changed.has(userId));
  const added = await filterInChunks(told, ({ userId }) => !before.has(userId));
  const updated = added.length === told.length ? [] : await filterInChunks(told, ({ userId }) => before.has(userId));
  await publishMembers(call, group, "group.member.add", added);
  await publishMembers(call, group, "group.member.update", updated, before);
  return members;
}
