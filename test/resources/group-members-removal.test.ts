import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { fillClub, memberPath, startClub, usersIn } from "../support/members.js";
import { requirement } from "../support/requirement.js";
import { searchBoth } from "../support/search.js";
import { forEachStorage, readEvents, uuid } from "../support/world.js";

forEachStorage((start) => {
  describe("removing members", () => {
    requirement("member.delete-by-id", "removes one membership by its id, once", async () => {
      const club = await startClub(start);
      const { caller, red, blue, ann, bob, cy } = club;
      await fillClub(club);
      expectEmpty(await caller.delete(`${memberPath}/${uuid(2)}`), 200);
      expectEmpty(await caller.delete(`${memberPath}/${uuid(2)}`), 404);
      expectEmpty(await caller.delete(`${memberPath}?memberId=${uuid(1)}`), 200);
      expect(await usersIn(club, red)).toEqual([cy]);
      expect((await usersIn(club, blue)).sort()).toEqual([ann, bob, cy].sort());
      expectRefusal(await caller.delete(`${memberPath}/x`), 400, "[couldNotConvert]memberId");
    });

    requirement("member.delete-by-pair", "removes one user from one group, once", async () => {
      const club = await startClub(start);
      const { caller, red, blue, ann, bob } = club;
      await fillClub(club);
      const path = `${memberPath}?groupId=${red}&userId=${ann.toUpperCase()}`;
      expectEmpty(await caller.delete(path), 200);
      expectEmpty(await caller.delete(path), 404);
      expectEmpty(await caller.delete(`${memberPath}?groupId=${uuid(99)}&userId=${bob}`), 404);
      expect(await usersIn(club, red)).not.toContain(ann);
      expect(await usersIn(club, blue)).toContain(ann);
      expectRefusal(await caller.delete(`${memberPath}?userId=${bob}`), 400, "[missing]groupId");
      expectRefusal(await caller.delete(`${memberPath}?groupId=x&userId=${bob}`), 400, "[couldNotConvert]groupId");
      expectRefusal(await caller.delete(`${memberPath}?groupId=${red}&userId=x`), 400, "[couldNotConvert]userId");
    });

    requirement("member.delete-by-group", "removes all members of one group", async () => {
      const club = await startClub(start);
      await fillClub(club);
      expectEmpty(await club.caller.delete(`${memberPath}?groupId=${club.red}`), 200);
      expect(await usersIn(club, club.red)).toEqual([]);
      expect(await usersIn(club, club.blue)).toHaveLength(3);
      expectEmpty(await club.caller.delete(`${memberPath}?groupId=${club.red}`), 200);
    });

    requirement("member.delete-by-ids", "removes the listed memberships and skips unknown ones", async () => {
      const club = await startClub(start);
      await fillClub(club);
      expectEmpty(await club.caller.delete(memberPath, { memberIds: [uuid(1), uuid(5), uuid(99), uuid(1)] }), 200);
      expect((await usersIn(club, club.red)).sort()).toEqual([club.bob, club.cy].sort());
      expect((await usersIn(club, club.blue)).sort()).toEqual([club.ann, club.cy].sort());
      expectEmpty(await club.caller.delete(memberPath, { memberIds: [] }), 200);
      expect((await club.caller.get(`${memberPath}/search`)).at("total")).toBe(4);
    });

    requirement("member.delete-by-users", "removes the listed users of the listed groups and skips unknown ones", async () => {
      const club = await startClub(start);
      const { caller, red, blue, ann, bob, cy } = club;
      await fillClub(club);
      const members = { [red.toUpperCase()]: [ann, bob, uuid(99)], [blue]: [cy], [uuid(98)]: [ann], nonsense: [ann] };
      expectEmpty(await caller.delete(memberPath, { members }), 200);
      expect(await usersIn(club, red)).toEqual([cy]);
      expect((await usersIn(club, blue)).sort()).toEqual([ann, bob].sort());
    });

    requirement("member.delete-by-users", "applies both bodies when both are sent", async () => {
      const club = await startClub(start);
      await fillClub(club);
      expectEmpty(await club.caller.delete(memberPath, { memberIds: [uuid(1)], members: { [club.blue]: [club.bob] } }), 200);
      expect((await usersIn(club, club.red)).sort()).toEqual([club.bob, club.cy].sort());
      expect((await usersIn(club, club.blue)).sort()).toEqual([club.ann, club.cy].sort());
    });

    requirement("member.delete-nothing", "is refused when nothing is named, or with a wrong type", async () => {
      const club = await startClub(start);
      const { caller, red } = club;
      await fillClub(club);
      for (const body of [undefined, {}, { memberIds: null }])
        expectRefusal(await caller.delete(memberPath, body), 400, "[missing]memberId");
      expectRefusal(await caller.delete(memberPath, { memberIds: "x" }), 400, "[invalidJSON]memberIds");
      expectRefusal(await caller.delete(memberPath, { memberIds: ["x"] }), 400, "[couldNotConvert]memberIds[0]");
      expectRefusal(await caller.delete(memberPath, { members: [] }), 400, "[invalidJSON]members");
      expectRefusal(await caller.delete(memberPath, { members: { [red]: ["x"] } }), 400, `[couldNotConvert]members[${red}][0]`);
      expect((await caller.get(`${memberPath}/search`)).at("total")).toBe(6);
    });

    requirement("member.events", "publishes each removal with those who left, by group", async () => {
      const club = await startClub(start);
      const { caller, world, red, blue, ann, bob } = club;
      await fillClub(club);
      expectEmpty(await caller.delete(memberPath, { memberIds: [uuid(1), uuid(5), uuid(99)] }), 200);
      const events = await readEvents(world.storage, "group.member.remove");
      const left = Object.fromEntries(
        events.map((event) => [event.linkedObjectId, (event.members as { userId: string }[]).map((member) => member.userId)]),
      );
      expect(left).toEqual({ [red]: [ann], [blue]: [bob] });
      expectEmpty(await caller.delete(memberPath, { memberIds: [uuid(99)] }), 200);
      expect(await readEvents(world.storage, "group.member.remove")).toHaveLength(2);
    });
  });

  describe("searching members", () => {
    requirement("member.search", "filters by group, user and tenant", async () => {
      const club = await startClub(start);
      const { world, red, ann } = club;
      await fillClub(club);
      const total = async (criteria: Record<string, string>): Promise<unknown> =>
        expectOk(await searchBoth(world, memberPath, criteria)).at("total");
      expect(await total({})).toBe(6);
      expect(await total({ groupId: red })).toBe(3);
      expect(await total({ userId: ann })).toBe(2);
      expect(await total({ groupId: red.toUpperCase(), userId: ann })).toBe(1);
      expect(await total({ tenantId: world.defaultTenantId })).toBe(6);
      expect(await total({ tenantId: uuid(99) })).toBe(0);
      for (const name of ["groupId", "userId", "tenantId"])
        expectRefusal(await searchBoth(world, memberPath, { [name]: "x" }), 400, `[couldNotConvert]${name}`);
    });

    requirement(["member.search", "search.default-order"], "orders by instant, then user, then group", async () => {
      const club = await startClub(start);
      const { caller, world, red, blue, ann, bob, cy } = club;
      expectOk(await caller.post(memberPath, { members: { [red]: [{ userId: cy }] } }));
      world.clock.advance(1);
      expectOk(
        await caller.post(memberPath, { members: { [red]: [{ userId: bob }, { userId: ann }], [blue]: [{ userId: ann }] } }),
      );
      const later = [ann, bob]
        .sort()
        .flatMap((userId) => (userId === ann ? [red, blue].sort().map((groupId) => [ann, groupId]) : [[bob, red]]));
      const pairs = (await searchBoth(world, memberPath, {})).at("members") as { userId: string; groupId: string }[];
      expect(pairs.map(({ userId, groupId }) => [userId, groupId])).toEqual([[cy, red], ...later]);
    });

    requirement(["member.search", "search.order"], "orders by each sortable field", async () => {
      const club = await startClub(start);
      await fillClub(club);
      for (const field of ["id", "groupId", "userId"]) {
        const ascending = expectOk(await searchBoth(club.world, memberPath, { orderBy: field })).each("members", field);
        expect(ascending).toEqual([...ascending].sort());
        const descending = expectOk(await searchBoth(club.world, memberPath, { orderBy: `${field} DESC` })).each(
          "members",
          field,
        );
        expect(descending).toEqual([...descending].sort().reverse());
      }
      expectOk(await searchBoth(club.world, memberPath, { orderBy: "tenantId, insertInstant DESC" }));
      expectRefusal(await searchBoth(club.world, memberPath, { orderBy: "name" }), 400, "[invalid]orderBy");
    });

    requirement("search.next-results", "walks all members by nextResults", async () => {
      const club = await startClub(start);
      await fillClub(club);
      const first = expectOk(await searchBoth(club.world, memberPath, { numberOfResults: 4 }));
      const second = expectOk(
        await searchBoth(club.world, memberPath, { numberOfResults: 4, nextResults: first.textAt("nextResults") }),
      );
      expect([...first.each("members", "id"), ...second.each("members", "id")].sort()).toEqual([1, 2, 3, 4, 5, 6].map(uuid));
      expect(second.at("nextResults")).toBeUndefined();
    });
  });

  describe("the memberships of a user", () => {
    requirement(["member.of-user", "user.search-by-group"], "are shown with the user, and find the user by group", async () => {
      const club = await startClub(start);
      const { caller, red, blue, ann, bob, cy } = club;
      await fillClub(club);
      expectEmpty(await caller.delete(`${memberPath}?groupId=${red}&userId=${cy}`), 200);
      const memberships = (await caller.get(`/api/user/${ann}`)).at("user.memberships") as { groupId: string }[];
      expect(memberships.map((membership) => membership.groupId).sort()).toEqual([red, blue].sort());
      expect(memberships[0]).toEqual({
        data: {},
        groupId: expect.any(String),
        id: expect.any(String),
        insertInstant: expect.any(Number),
        userId: ann,
      });
      const byText = await caller.get(`/api/user/search?queryString=${encodeURIComponent(`memberships.groupId:${red}`)}`);
      const query = { nested: { path: "memberships", query: { term: { "memberships.groupId": red } } } };
      const byDocument = await caller.post("/api/user/search", { search: { query: JSON.stringify(query) } });
      for (const answer of [byText, byDocument]) expect(expectOk(answer).each("users", "id").sort()).toEqual([ann, bob].sort());
    });

    requirement("member.user-gone", "end when the user goes for good, and stay while the user is inactive", async () => {
      const club = await startClub(start);
      const { caller, red, ann } = club;
      await fillClub(club);
      expectEmpty(await caller.delete(`/api/user/${ann}`), 200);
      expect(await usersIn(club, red)).toContain(ann);
      expectEmpty(await caller.delete(`/api/user/${ann}?hardDelete=true`), 200);
      expect(await usersIn(club, red)).not.toContain(ann);
      expect((await caller.get(`${memberPath}/search`)).at("total")).toBe(4);
    });
  });
});
