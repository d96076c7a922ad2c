import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { eventsTable } from "../../src/operations/outbox/tables.js";
import { expectOk, expectRefusal } from "../support/answer.js";
import { type Named, readChanges, readMembers, type Shown, sortedUsers, startCrowd } from "../support/crowd.js";
import { memberPath } from "../support/members.js";
import { cases, fc } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid } from "../support/world.js";

const userIds = Array.from({ length: 8 }, (_, index) => uuid(100 + index));

/** What all that is known of a PUT says must become of the members: everybody goes, and those who are named come. */
function replaceByHand(before: readonly Shown[], named: readonly Named[], insertInstant: number): readonly Shown[] {
  const idOf = new Map(before.map(({ id, userId }) => [userId, id]));
  const wanted = new Map(named.map((member) => [member.userId, member]));
  const after = [...wanted.values()].map(({ data = {}, id, userId }) => ({
    ...{ data, insertInstant, userId },
    id: id ?? idOf.get(userId) ?? "fresh",
  }));
  const known = new Map(before.map((member) => [member.userId, member]));
  const isKept = ({ userId, id, data }: Shown): boolean =>
    known.get(userId)?.id === id && JSON.stringify(known.get(userId)?.data) === JSON.stringify(data);
  // A PUT gave all of them the same instant, and one that changes nothing leaves it.
  const isReached = before.length === after.length && after.every(isKept);
  return isReached ? after.map(({ userId }) => known.get(userId) as Shown) : after;
}

function changesByHand(before: readonly Shown[], after: readonly Shown[]): Record<string, readonly string[]> {
  const stays = (list: readonly Shown[], userId: string): Shown | undefined => list.find((other) => other.userId === userId);
  const updated = after.filter((member) => {
    const known = stays(before, member.userId);
    return known !== undefined && JSON.stringify(known.data) !== JSON.stringify(member.data);
  });
  const changes = {
    "group.member.add": sortedUsers(after.filter(({ userId }) => stays(before, userId) === undefined)),
    "group.member.remove": sortedUsers(before.filter(({ userId }) => stays(after, userId) === undefined)),
    "group.member.update": sortedUsers(updated),
  };
  return Object.fromEntries(Object.entries(changes).filter(([, users]) => users.length > 0));
}

const named = fc.record(
  {
    userId: fc.constantFrom(...userIds),
    id: fc.integer({ min: 1, max: 12 }).map(uuid),
    data: fc.constantFrom({}, { a: 1 }, { a: 2 }),
  },
  { requiredKeys: ["userId"] },
);

/** Lists in which some users are named again; ids are taken once. */
const namedLists = fc.array(named, { maxLength: 10 }).map((members) => {
  const last = new Map(members.map((member) => [member.userId, member]));
  const taken = new Set<string | undefined>();
  const withId = (member: Named): Named => {
    const isFree = last.get(member.userId) === member && !taken.has(member.id);
    taken.add(isFree ? member.id : undefined);
    return isFree ? member : { userId: member.userId, data: member.data ?? {} };
  };
  return members.map(withId);
});
forEachStorage((start) => {
  describe("replacing members by difference", () => {
    requirement("member.replace-difference", "leaves what removing all and adding the named would leave", async () => {
      const crowd = await startCrowd(start, userIds);
      const { world, group } = crowd;
      const put = (members: readonly Named[]) => world.caller.put(memberPath, { members: { [group]: members } });
      await fc.assert(
        fc.asyncProperty(namedLists, namedLists, fc.constantFrom(0, 1), async (first, second, passed) => {
          expectOk(await put([]));
          if ((await put(first)).status !== 200) return;
          const before = await readMembers(crowd);
          await world.storage.transaction((tx) => tx.remove(globalScope, eventsTable, undefined));
          const instant = world.clock.advance(passed);
          const answer = await put(second);
          // An id that somebody keeps cannot be another's too.
          const expected = replaceByHand(before, second, instant);
          const ids = expected.map(({ id }) => id).filter((id) => id !== "fresh");
          if (new Set(ids).size < ids.length) {
            expectRefusal(answer, 400, `[duplicate]members[${group}]`);
            expect(await readMembers(crowd)).toEqual(before);
            return;
          }
          const fresh = expected.map((member) => (member.id === "fresh" ? { ...member, id: expect.any(String) } : member));
          expect(expectOk(answer).at(`members.${group}`)).toEqual(fresh);
          const after = await readMembers(crowd);
          expect(after).toEqual(fresh.toSorted((a, b) => (a.userId < b.userId ? -1 : 1)));
          expect(await readChanges(world)).toEqual(changesByHand(before, after));
        }),
        cases(40),
      );
    });
  });
});
