import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect } from "vitest";
import { temporaryFiles } from "../storage/support/temporary-files.js";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { type Named, readChanges, type Shown, startCrowd, usersOf } from "../support/crowd.js";
import { memberPath } from "../support/members.js";
import { isLong } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, readEvents, type Start, uuid } from "../support/world.js";

const many = isLong ? 20_000 : 2_500;
const severalIds = Array.from({ length: 2_500 }, (_, index) => uuid(1_000 + index));
const manyIds = Array.from({ length: many }, (_, index) => uuid(1_000 + ((index * 7_919) % many)));

const newFile = temporaryFiles();

const tests = (start: Start): void => {
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
      // Somebody who comes gives all of them the new instant.
      const others = named.slice(1);
      expectOk(await world.caller.put(memberPath, { members: { [group]: others } }));
      const replaced = await world.identity.groupMembers.replace({ members: { [group]: named } });
      expect(replaced.members[group]?.map(({ insertInstant }) => insertInstant)).toEqual(named.map(() => world.clock.instant));
      expect(expectOk(await world.caller.put(memberPath, { members: { [group]: named } })).body).toEqual(replaced);
    });

    requirement("member.replace-same", "are not written when they are there already, and answered as they are", async () => {
      const { world, group } = await startCrowd(start, severalIds);
      const put = async (named: readonly Named[]): Promise<readonly Shown[]> =>
        expectOk(await world.caller.put(memberPath, { members: { [group]: named } })).at(`members.${group}`) as Shown[];
      const data = { a: { b: 1 } };
      const first = await put(severalIds.map((userId) => ({ userId, data })));
      const counted = (await readEvents(world.storage)).length;
      world.clock.advance(5);
      expect(await put(severalIds.toReversed().map((userId) => ({ userId, data })))).toEqual(first.toReversed());
      expect(await readEvents(world.storage)).toHaveLength(counted);
      const changed = await put(first.map((member, index) => (index === 7 ? { ...member, data: {} } : member)));
      expect(new Set(changed.map(({ insertInstant }) => insertInstant))).toEqual(new Set([world.clock.instant]));
      expect(changed.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
    });

    requirement(
      "member.many-events",
      "are published in events of a thousand members each, in the order of the request",
      async () => {
        const { world, group } = await startCrowd(start, severalIds);
        const named = severalIds.toReversed().map((userId) => ({ userId }));
        expectOk(await world.caller.post(memberPath, { members: { [group]: named } }));
        const told = (await readEvents(world.storage)).filter(({ type }) => type === "group.member.add");
        const places = new Map(named.map(({ userId }, place) => [userId, place]));
        const placeOf = ([first = ""]: readonly string[]): number => places.get(first) ?? -1;
        // Read in the order of their ids, which is none within a millisecond.
        const lists = told.map(({ members }) => usersOf(members as Shown[])).sort((a, b) => placeOf(a) - placeOf(b));
        expect(lists.map((list) => list.length)).toEqual([1_000, 1_000, 500]);
        expect(lists.flat()).toEqual(named.map(({ userId }) => userId));
      },
    );

    requirement("group.delete", "go with their group", async () => {
      const { world, group } = await startCrowd(start, severalIds);
      expectOk(await world.caller.post(memberPath, { members: { [group]: severalIds.map((userId) => ({ userId })) } }));
      expectEmpty(await world.caller.delete(`/api/group/${group}`), 200);
      expect((await world.caller.get(`${memberPath}/search`)).at("total")).toBe(0);
    });

    requirement("tenant.delete", "go with their tenant", async () => {
      const { world, tenantId, group } = await startCrowd(start, severalIds, true);
      expectOk(await world.caller.post(memberPath, { members: { [group]: severalIds.map((userId) => ({ userId })) } }));
      expectEmpty(await world.caller.delete(`/api/tenant/${tenantId}`), 200);
      expectEmpty(await world.caller.get(`/api/group/${group}`), 404);
      expect((await world.caller.get(`${memberPath}/search`)).at("total")).toBe(0);
    });

    requirement("dry-run.stores-nothing", "are not written by a dry run", async () => {
      const { world, group } = await startCrowd(start, severalIds);
      const named = severalIds.map((userId) => ({ userId }));
      const answer = expectOk(await world.caller.post(`${memberPath}?dryRun=true`, { members: { [group]: named } }));
      expect(answer.at(`members.${group}`)).toHaveLength(severalIds.length);
      expect((await world.caller.get(`${memberPath}/search`)).at("total")).toBe(0);
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
      expect(await countOthers(send("DELETE", manyIds.slice(0, many / 2)))).toBeGreaterThan(3);
      expect(await total()).toBe(many / 2);
      const counts = Object.entries(await readChanges(world)).map(([type, users]) => [type, users.length]);
      expect(Object.fromEntries(counts)).toEqual({
        "group.member.add": many,
        "group.member.remove": many / 2,
        "group.member.update": 100,
      });
      expectEmpty(await caller.delete(`${memberPath}?groupId=${group}`), 200);
      expect(await total()).toBe(0);
    });
  });
};

// Only in a file it is a thread that writes very many.
forEachStorage(tests, [["SQLite in a file", () => sqliteStorage({ filename: newFile() })]]);
