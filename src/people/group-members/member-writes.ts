import type { RecordCount } from "../../operations/bulk-write.js";
import type { WriteCall } from "../../operations/operation.js";
import type { StoredRecord } from "../../ports/storage.js";
import type { NewGroupMember } from "../../records/group-members/schema.js";
import { filterInChunks, inChunks, mapInChunks, type Steps, sortInSteps } from "../../shared/in-steps.js";
import { type ChangedMembers, publishChanges } from "./membership-events.js";
import {
  findMembers,
  findMembersOfGroups,
  insertMembers,
  isEqualData,
  type KnownMember,
  type KnownMembers,
  makeMember,
  readMembers,
  readMembersOfGroups,
  removeMemberships,
  rewriteMembers,
  type StoredMember,
  scopeOf,
} from "./memberships.js";

/** The requested members of one group, each user once, in the order of the request. */
export interface MemberSet {
  readonly group: StoredRecord;
  readonly byUser: ReadonlyMap<string, NewGroupMember>;
}

/** The requested members of a group. For a repeated user, the last entry counts. */
export async function toMemberSet(steps: Steps, group: StoredRecord, members: readonly NewGroupMember[]): Promise<MemberSet> {
  const byUser = new Map<string, NewGroupMember>();
  await inChunks(steps, members, (chunk) => {
    for (const member of chunk) byUser.set(member.userId, member);
  });
  return { group, byUser };
}

/** A way to write members: which memberships to read first, and how to plan each group. */
export interface MemberWriting {
  /** The relevant memberships of each group; undefined where they are too many to read together. */
  readonly read: (
    call: WriteCall,
    groups: readonly MemberSet[],
    noteCount: RecordCount,
  ) => Promise<readonly KnownMembers[] | undefined>;
  readonly plan: (call: WriteCall, wanted: MemberSet, before: KnownMembers) => Promise<MemberPlan>;
}

/** Adds missing members; returns all requested ones. */
export const merging: MemberWriting = {
  async read(call, groups) {
    const [only, second] = groups;
    if (only !== undefined && second === undefined) return [await findMembers(call, only.group, [...only.byUser.keys()])];
    return findMembersOfGroups(call, groups);
  },
  async plan(call, wanted, before) {
    const { group, byUser } = wanted;
    const { meeting, missing } = await meet(call.service.runtime, byUser, before);
    const now = call.service.runtime.clock();
    return {
      ...{ wanted, before, goneIds: [], unwanted: [] },
      staying: await filterInChunks(
        call.service.runtime,
        meeting,
        ({ named, known }) => !isSameData(known, named.data ?? known.member.data),
      ),
      joining: inOrder(call.service.runtime, missing),
      toStaying: ({ named, known: { member } }) => ({ ...member, data: named.data ?? member.data }),
      toJoining: (named) => makeMember(call, group, named, now),
    };
  },
};

/**
 * Writes the differences, and removes all other members; returns all requested ones. Remaining memberships keep their id, so that
 * references stay valid, and all get the same new instant. Without any difference, writes nothing.
 */
export const replacing: MemberWriting = {
  async read(call, groups, noteCount) {
    const [only, second] = groups;
    if (only !== undefined && second === undefined) return [await readMembers(call, only.group, noteCount)];
    return readMembersOfGroups(
      call,
      groups.map(({ group }) => group),
    );
  },
  async plan(call, wanted, before) {
    const { group, byUser } = wanted;
    const { meeting, missing, unwanted } = await meet(call.service.runtime, byUser, before);
    const now = call.service.runtime.clock();
    const toStaying = ({ named, known }: MemberMatch): StoredMember =>
      makeMember(call, group, { ...named, id: known.member.id }, now);
    const toJoining = (named: NewGroupMember): StoredMember => makeMember(call, group, named, now);
    const common = { wanted, before, unwanted, toStaying, toJoining };
    const isReached = missing.length + unwanted.length === 0 && (await areSame(call.service.runtime, meeting));
    if (isReached) return { ...common, goneIds: [], staying: [], joining: [] };
    const staying = await filterInChunks(call.service.runtime, meeting, hasSameId);
    const renamed =
      staying.length === meeting.length ? [] : await filterInChunks(call.service.runtime, meeting, (one) => !hasSameId(one));
    // Remove all of them first: an id may move from one member to another.
    const gone = [...renamed.map(({ known }) => known.member), ...unwanted];
    const goneIds = await mapInChunks(call.service.runtime, gone, (chunk) => chunk.map(({ id }) => id));
    return {
      ...common,
      goneIds,
      staying,
      joining: inOrder(call.service.runtime, missing.concat(renamed.map(({ named }) => named))),
    };
  },
};

interface MemberMatch {
  readonly named: NewGroupMember;
  readonly known: KnownMember;
}

interface Met {
  /** In the order of the stored members. */
  readonly meeting: readonly MemberMatch[];
  readonly missing: readonly NewGroupMember[];
  readonly unwanted: readonly StoredMember[];
}

/** Splits members into requested and stored, only requested, and only stored ones. */
async function meet(steps: Steps, byUser: MemberSet["byUser"], before: KnownMembers): Promise<Met> {
  const meeting: MemberMatch[] = [];
  const unwanted: StoredMember[] = [];
  await inChunks(steps, [...before.values()], (chunk) => {
    for (const known of chunk) {
      const named = byUser.get(known.member.userId);
      if (named === undefined) unwanted.push(known.member);
      else meeting.push({ named, known });
    }
  });
  const missing: NewGroupMember[] = [];
  // When all requested members are stored, none is missing.
  if (meeting.length < byUser.size)
    await inChunks(steps, [...byUser.values()], (chunk) => {
      for (const named of chunk) if (!before.has(named.userId)) missing.push(named);
    });
  return { meeting, missing, unwanted };
}

// Whether all are already as requested, and since the same instant.
async function areSame(steps: Steps, meeting: readonly MemberMatch[]): Promise<boolean> {
  const instant = meeting[0]?.known.member.insertInstant;
  const isOther = (one: MemberMatch): boolean =>
    one.known.member.insertInstant !== instant || !hasSameId(one) || !isSameData(one.known, one.named.data ?? {});
  return (await filterInChunks(steps, meeting, isOther)).length === 0;
}

function hasSameId({ named, known }: MemberMatch): boolean {
  return named.id === undefined || named.id === known.member.id;
}

function isSameData({ member }: KnownMember, data: StoredMember["data"]): boolean {
  return isEqualData(member.data, data);
}

/** The planned changes of one group. */
export interface MemberPlan {
  readonly wanted: MemberSet;
  readonly before: KnownMembers;
  readonly goneIds: readonly string[];
  readonly unwanted: readonly StoredMember[];
  readonly staying: readonly MemberMatch[];
  /** The users, which are sorted while others are removed. */
  readonly joining: readonly string[] | Promise<readonly string[]>;
  readonly toStaying: (meeting: MemberMatch) => StoredMember;
  readonly toJoining: (named: NewGroupMember) => StoredMember;
}

async function inOrder(steps: Steps, named: readonly NewGroupMember[]): Promise<readonly string[]> {
  return sortInSteps(steps, await mapInChunks(steps, named, (chunk) => chunk.map(({ userId }) => userId)));
}

/** Runs the plans for groups of one tenant in shared statements; returns the requested members, by group. */
export async function applyMemberPlans(
  call: WriteCall,
  plans: readonly MemberPlan[],
): Promise<readonly (readonly StoredMember[])[]> {
  const [only, second] = plans;
  if (only === undefined) return [];
  const { group } = only.wanted;
  const isOne = second === undefined;
  const noting = plans.map((plan) => noteWritten(call.service.runtime, plan));
  await removeMemberships(call, scopeOf(group), isOne ? only.goneIds : plans.flatMap(({ goneIds }) => goneIds));
  const [one] = noting;
  if (isOne && one !== undefined) {
    // Builds records while others are written, to save memory. Databases write their trees fastest in order: members by user, new
    // ones with growing ids.
    await rewriteMembers(call, group, only.staying, one.toRewritten);
    await insertMembers(call, group, await only.joining, one.toInserted);
  } else await writeAll(call, plans, noting);
  const answers: (readonly StoredMember[])[] = [];
  const changes: ChangedMembers[] = [];
  for (const { describe } of noting) {
    const described = await describe();
    answers.push(described.members);
    for (const change of described.changes) changes.push(change);
  }
  await publishChanges(call, changes);
  return answers;
}

async function writeAll(call: WriteCall, plans: readonly MemberPlan[], noting: readonly Noting[]): Promise<void> {
  const [first] = plans;
  if (first === undefined) return;
  const rewritten: (() => KnownMember)[] = [];
  const inserted: (() => StoredMember)[] = [];
  for (const [index, { toInserted, toRewritten }] of noting.entries()) {
    for (const met of plans[index]?.staying ?? []) rewritten.push(() => toRewritten(met));
    for (const userId of (await plans[index]?.joining) ?? []) inserted.push(() => toInserted(userId));
  }
  await rewriteMembers(call, first.wanted.group, rewritten, (make) => make());
  await insertMembers(call, first.wanted.group, inserted, (make) => make());
}

/** Builds the records of one group, and collects them for the answer and the events. */
interface Noting {
  readonly toRewritten: (one: MemberMatch) => KnownMember;
  readonly toInserted: (userId: string) => StoredMember;
  readonly describe: () => Promise<{ readonly members: readonly StoredMember[]; readonly changes: readonly ChangedMembers[] }>;
}

function noteWritten(steps: Steps, { wanted, before, unwanted, toStaying, toJoining }: MemberPlan): Noting {
  const { group, byUser } = wanted;
  const written = new Map<string, StoredMember>();
  // Without joining members: growing a large set blocks the process.
  const updatedIds = new Set<string>();
  let joined = 0;
  const note = (member: StoredMember, known: KnownMember | undefined): StoredMember => {
    written.set(member.userId, member);
    if (known === undefined) joined++;
    else if (!isSameData(known, member.data)) updatedIds.add(member.userId);
    return member;
  };
  const toAnswer = (userId: string): StoredMember => written.get(userId) ?? (before.get(userId) as KnownMember).member;
  return {
    toRewritten: (one) => ({ member: note(toStaying(one), one.known), version: one.known.version }),
    toInserted: (userId) => note(toJoining(byUser.get(userId) as NewGroupMember), before.get(userId)),
    async describe() {
      const members = await mapInChunks(steps, [...byUser.keys()], (users) => users.map(toAnswer));
      const added = joined === 0 ? [] : await filterInChunks(steps, members, ({ userId }) => !before.has(userId));
      const updated = updatedIds.size === 0 ? [] : await filterInChunks(steps, members, ({ userId }) => updatedIds.has(userId));
      const changes = [
        { group, type: "group.member.remove", members: unwanted },
        { group, type: "group.member.add", members: added },
        { group, type: "group.member.update", members: updated, before },
      ];
      return { members, changes };
    },
  };
}
