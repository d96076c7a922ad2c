import fc from "fast-check";
import { globalScope } from "latchkey";
import { describe, expect } from "vitest";
import { eventsTable } from "../../src/events/table.js";
import { usersTable } from "../../src/resources/users/table.js";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeGroup, makeUser } from "../support/families.js";
import { memberPath } from "../support/members.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, readEvents, type Start, uuid, type World } from "../support/world.js";

const many = 20_000;
const userIds = Array.from({ length: 8 }, (_, index) => uuid(100 + index));
const severalIds = Array.from({ length: 2_500 }, (_, index) => uuid(1_000 + index));
const manyIds = Array.from({ length: many }, (_, index) => uuid(1_000 + ((index * 7_919) % many)));

/** Users made of one that was made as users are: through the storage, since many calls would take minutes. */
async function makeUsers(world: World, ids: readonly string[]): Promise<void> {
  const { defaultTenantId: tenantId, storage } = world;
  const id = await makeUser(world, tenantId, "template@example.com");
  const template = await storage.retrieve(globalScope, usersTable, id);
  const json = template?.json ?? "";
  const columns = Object.fromEntries(Object.keys(usersTable.columns).map((column) => [column, null]));
  const records = ids.map((userId, index) => ({
    ...{ id: userId, tenantId, version: 1, insertInstant: 0, lastUpdateInstant: 0, hidden: template?.hidden ?? null },
    json: json.replaceAll(id, userId).replaceAll("template@", `${index}@`),
    columns: { ...columns, active: true, email: `${index}@example.com` },
  }));
  await storage.transaction((tx) => tx.insert(globalScope, usersTable, records));
}

interface Crowd {
  readonly world: World;
  readonly group: string;
}

async function startCrowd(start: Start, ids: readonly string[]): Promise<Crowd> {
  const world = await start({ maxBodyBytes: 16_000_000 });
  await makeUsers(world, ids);
  return { world, group: await makeGroup(world, world.defaultTenantId, "Crowd") };
}

/** A member as a request names one. */
interface Named {
  readonly userId: string;
  readonly id?: string | undefined;
  readonly data?: object | undefined;
}

type Shown = Required<Named> & { readonly insertInstant: number };

/** What all that is known of a PUT says must become of the members: everybody goes, and those who are named come. */
function replaceByHand(before: readonly Shown[], named: readonly Named[], insertInstant: number): readonly Shown[] {
  const idOf = new Map(before.map(({ id, userId }) => [userId, id]));
  const wanted = new Map(named.map((member) => [member.userId, member]));
  return [...wanted.values()].map(({ data = {}, id, userId }) => ({
    ...{ data, insertInstant, userId },
    id: id ?? idOf.get(userId) ?? "fresh",
  }));
}

async function readMembers({ world, group }: Crowd): Promise<readonly Shown[]> {
  const found = expectOk(await world.caller.get(`${memberPath}/search?groupId=${group}&orderBy=userId`)).at("members");
  return (found as (Shown & { groupId: string })[]).map(({ groupId: _group, ...member }) => member);
}

/** The users that the events of each type name. */
async function readChanges({ storage }: World): Promise<Record<string, readonly string[]>> {
  const changes: Record<string, readonly string[]> = {};
  for (const { type, members } of await readEvents(storage))
    if (type.startsWith("group.member.") && !type.endsWith(".complete"))
      changes[type] = [...(changes[type] ?? []), ...sortedUsers(members as Shown[])];
  return changes;
}

const sortedUsers = (members: readonly Shown[]): readonly string[] => members.map(({ userId }) => userId).sort();

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
        { numRuns: 40 },
      );
    });
  });

  describe("very many members", () => {
    requirement(["member.many", "service.same-values"], "are answered in process as over HTTP", async () => {
      const { world, group } = await startCrowd(start, severalIds);
      const named = severalIds.map((userId, index) => ({
        userId,
        data: index % 7 === 0 ? { z: index, a: null, b: [index] } : {},
      }));
      const over = expectOk(await world.caller.post(memberPath, { members: { [group]: named } })).body;
      expect(await world.identity.groupMembers.add({ members: { [group]: named } })).toEqual(over);
      world.clock.advance(5);
      const replaced = await world.identity.groupMembers.replace({ members: { [group]: named } });
      expect(replaced.members[group]?.map(({ insertInstant }) => insertInstant)).toEqual(named.map(() => world.clock.instant));
      expect(expectOk(await world.caller.put(memberPath, { members: { [group]: named } })).body).toEqual(replaced);
    });

    requirement(["member.required", "member.unknown-user"], "are refused as few are, each where it stands", async () => {
      const { world, group } = await startCrowd(start, severalIds);
      const named: unknown[] = severalIds.map((userId) => ({ userId }));
      const refused = async (place: number, wrong: unknown): Promise<Answer> =>
        world.caller.put(memberPath, { members: { [group]: named.with(place, wrong) } });
      const at = (place: number): string => `members[${group}][${place}]`;
      expectRefusal(await refused(2_400, {}), 400, `[missing]${at(2_400)}.userId`);
      expectRefusal(await refused(1_999, null), 400, `[invalidJSON]${at(1_999)}`);
      expectRefusal(await refused(2_400, { userId: uuid(9) }), 400, `[invalid]${at(2_400)}.userId`);
      expectRefusal(await refused(2_400, { userId: "\u0000" }), 400, `[invalid]${at(2_400)}.userId`);
      named[7] = { userId: 7 };
      expectRefusal(
        await refused(1_500, { userId: "x" }),
        400,
        `[invalidJSON]${at(7)}.userId`,
        `[couldNotConvert]${at(1_500)}.userId`,
      );
      const twice = { [group]: named, other: 7 };
      expectRefusal(
        await world.caller.put(memberPath, { members: twice }),
        400,
        `[invalidJSON]${at(7)}.userId`,
        "[invalidJSON]members.other",
      );
      expect((await world.caller.get(`${memberPath}/search`)).at("total")).toBe(0);
    });

    requirement("member.many", `are added, replaced and removed while other requests are answered`, async () => {
      const crowd = await startCrowd(start, manyIds);
      const { world, group } = crowd;
      const { caller } = world;
      const total = async (): Promise<unknown> => (await caller.get(`${memberPath}/search?groupId=${group}`)).at("total");
      /** How many other requests are answered before this one. */
      const countOthers = async (running: Promise<unknown>): Promise<number> => {
        let isOver = false;
        const over = running.finally(() => {
          isOver = true;
        });
        let answered = 0;
        // A request that waits for nothing leaves nobody else a turn.
        for (; !isOver; answered++) {
          expectOk(await caller.get(`/api/group/${group}`));
          await new Promise((resolve) => setImmediate(resolve));
        }
        await over;
        return answered;
      };
      const send = async (method: string, members: unknown): Promise<void> => {
        const answer = await caller.send(method, memberPath, JSON.stringify({ members: { [group]: members } }));
        if (method === "DELETE") expectEmpty(answer, 200);
        else
          expect(expectOk(answer).each(`members.${group}`, "userId")).toEqual((members as Named[]).map(({ userId }) => userId));
      };
      const all = manyIds.map((userId) => ({ userId }));
      expect(await countOthers(send("POST", all))).toBeGreaterThan(10);
      expect(await total()).toBe(many);
      world.clock.advance(1);
      const changed = all.slice(many / 10).map((member, index) => (index < 100 ? { ...member, data: { n: index } } : member));
      expect(await countOthers(send("PUT", changed))).toBeGreaterThan(10);
      expect(await total()).toBe(many * 0.9);
      expect(await countOthers(send("DELETE", manyIds.slice(0, 10_000)))).toBeGreaterThan(3);
      expect(await total()).toBe(many / 2);
      const counts = Object.entries(await readChanges(world)).map(([type, users]) => [type, users.length]);
      expect(Object.fromEntries(counts)).toEqual({
        "group.member.add": many,
        "group.member.remove": many / 10 + 10_000 - many / 10,
        "group.member.update": 100,
      });
      expectEmpty(await caller.delete(`${memberPath}?groupId=${group}`), 200);
      expect(await total()).toBe(0);
    });
  });
});
