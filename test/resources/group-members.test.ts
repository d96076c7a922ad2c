import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeApplication, makeUser } from "../support/families.js";
import { memberPath, startClub, usersIn } from "../support/members.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, readEvents, uuid } from "../support/world.js";

forEachStorage((start) => {
  describe("adding members", () => {
    requirement(["member.add", "member.fields", "member.id"], "answers the members of each group", async () => {
      const { caller, world, red, blue, ann, bob } = await startClub(start);
      const members = {
        [red]: [{ userId: ann, id: uuid(1), data: { since: 1 } }, { userId: bob.toUpperCase() }],
        [blue]: [{ userId: ann }],
      };
      const answer = expectOk(await caller.post(memberPath, { members }));
      const member = { data: {}, id: expect.stringMatching(/^[0-9a-f-]{36}$/), insertInstant: world.clock.instant };
      expect(answer.body).toEqual({
        members: {
          [red]: [
            { ...member, userId: ann, id: uuid(1), data: { since: 1 } },
            { ...member, userId: bob },
          ],
          [blue]: [{ ...member, userId: ann }],
        },
      });
      const stored = await caller.get(`${memberPath}/search?groupId=${blue}`);
      expect(stored.at("members")).toEqual([{ ...member, userId: ann, groupId: blue }]);
      expect(stored.at("members.0.id")).toBe(answer.at(`members.${blue}.0.id`));
    });

    requirement("member.add-again", "keeps and answers the stored membership of who is a member already", async () => {
      const { caller, world, red, ann, bob } = await startClub(start);
      const first = { userId: ann, id: uuid(1), data: { a: 1 } };
      expectOk(await caller.post(memberPath, { members: { [red]: [first] } }));
      const { instant } = world.clock;
      world.clock.advance(1_000);
      const again = expectOk(
        await caller.post(memberPath, { members: { [red]: [{ userId: ann, id: uuid(2) }, { userId: bob }] } }),
      );
      const kept = { ...first, insertInstant: instant };
      expect(again.at(`members.${red}.0`)).toEqual(kept);
      const changed = expectOk(await caller.post(memberPath, { members: { [red]: [{ userId: ann, data: { b: 2 } }] } }));
      expect(changed.at(`members.${red}`)).toEqual([{ ...kept, data: { b: 2 } }]);
      const found = await caller.get(`${memberPath}/search?groupId=${red}`);
      expect(found.at("total")).toBe(2);
      expect(found.at("members.0")).toEqual({ ...kept, data: { b: 2 }, groupId: red });
    });

    requirement("member.add-again", "adds a user once who is named twice", async () => {
      const { caller, red, ann } = await startClub(start);
      const twice = [
        { userId: ann, data: { n: 1 } },
        { userId: ann, data: { n: 2 } },
      ];
      const answer = expectOk(await caller.post(memberPath, { members: { [red]: twice } }));
      expect(answer.each(`members.${red}`, "data")).toEqual([{ n: 2 }]);
      expect((await caller.get(`${memberPath}/search`)).at("total")).toBe(1);
    });

    requirement("member.id", "refuses an id that another membership has, in any group", async () => {
      const club = await startClub(start);
      const { caller, red, blue, ann, bob } = club;
      expectOk(await caller.post(memberPath, { members: { [red]: [{ userId: ann, id: uuid(1) }] } }));
      const taken = { userId: bob, id: uuid(1) };
      for (const group of [red, blue])
        expectRefusal(await caller.post(memberPath, { members: { [group]: [taken] } }), 400, `[duplicate]members[${group}]`);
      const twins = [
        { userId: ann, id: uuid(2) },
        { userId: bob, id: uuid(2) },
      ];
      expectRefusal(await caller.post(memberPath, { members: { [blue]: twins } }), 400, `[duplicate]members[${blue}]`);
      expectRefusal(await caller.put(memberPath, { members: { [blue]: twins } }), 400, `[duplicate]members[${blue}]`);
      expect(await usersIn(club, red)).toEqual([ann]);
      expect(await usersIn(club, blue)).toEqual([]);
    });

    requirement("member.required", "refuses a body without members, and members without a user", async () => {
      const { caller, red } = await startClub(start);
      for (const send of [caller.post.bind(caller), caller.put.bind(caller)]) {
        for (const body of [undefined, {}, { members: null }])
          expectRefusal(await send(memberPath, body), 400, "[missing]members");
        expectRefusal(await send(memberPath, { members: {} }), 400, "[empty]members");
        for (const members of [[], "x", 7]) expectRefusal(await send(memberPath, { members }), 400, "[invalidJSON]members");
        expectRefusal(await send(memberPath, { members: { [red]: {} } }), 400, `[invalidJSON]members[${red}]`);
        const wrong = [{}, { userId: "x" }, { userId: 7 }, 7, { userId: uuid(1), id: "x", data: [] }];
        expectRefusal(
          await send(memberPath, { members: { [red]: wrong } }),
          400,
          `[missing]members[${red}][0].userId`,
          `[couldNotConvert]members[${red}][1].userId`,
          `[invalidJSON]members[${red}][2].userId`,
          `[invalidJSON]members[${red}][3]`,
          `[couldNotConvert]members[${red}][4].id`,
          `[invalidJSON]members[${red}][4].data`,
        );
      }
    });

    requirement("member.unknown-group", "refuses groups that do not exist, naming each", async () => {
      const { caller, ann, red } = await startClub(start);
      const members = { [uuid(99)]: [{ userId: ann }], nonsense: [], [red]: [{ userId: uuid(98) }] };
      const codes = [`[invalid]members[${uuid(99)}]`, "[invalid]members.nonsense", `[invalid]members[${red}][0].userId`];
      expectRefusal(await caller.post(memberPath, { members }), 400, ...codes);
      expectRefusal(await caller.put(memberPath, { members }), 400, ...codes);
    });

    requirement(["member.unknown-user", "member.all-or-nothing"], "refuses unknown users and then adds nobody", async () => {
      const club = await startClub(start);
      const { caller, red, blue, ann } = club;
      const members = { [red]: [{ userId: ann }, { userId: uuid(99) }], [blue]: [{ userId: ann }] };
      const before = await readEvents(club.world.storage);
      expectRefusal(await caller.post(memberPath, { members }), 400, `[invalid]members[${red}][1].userId`);
      expectRefusal(await caller.put(memberPath, { members }), 400, `[invalid]members[${red}][1].userId`);
      expect((await caller.get(`${memberPath}/search`)).at("total")).toBe(0);
      expect(await readEvents(club.world.storage)).toEqual(before);
    });

    requirement("member.other-tenant", "refuses a user of another tenant than the group's", async () => {
      const { caller, world, red } = await startClub(start);
      const stranger = await makeUser(world, await makeTenant(world, "Other"), "ann@example.com");
      const members = { [red]: [{ userId: stranger }] };
      expectRefusal(await caller.post(memberPath, { members }), 400, `[invalid]members[${red}][0].userId`);
      expectRefusal(await caller.put(memberPath, { members }), 400, `[invalid]members[${red}][0].userId`);
      expect((await caller.get(`${memberPath}/search`)).at("total")).toBe(0);
    });
  });

  describe("replacing members", () => {
    requirement("member.replace", "leaves exactly the listed users in the listed groups, all with one instant", async () => {
      const club = await startClub(start);
      const { caller, world, red, blue, ann, bob, cy } = club;
      const both = { [red]: [{ userId: ann, id: uuid(1) }, { userId: bob }], [blue]: [{ userId: bob, id: uuid(4) }] };
      expectOk(await caller.post(memberPath, { members: both }));
      const untouched = (await caller.get(`${memberPath}/search?groupId=${blue}`)).text;
      const now = world.clock.advance(1_000);
      const answer = expectOk(
        await caller.put(memberPath, { members: { [red]: [{ userId: cy }, { userId: ann, data: { a: 1 } }] } }),
      );
      expect(answer.each(`members.${red}`, "userId")).toEqual([cy, ann]);
      expect(answer.each(`members.${red}`, "insertInstant")).toEqual([now, now]);
      expect(answer.at(`members.${red}.1`)).toMatchObject({ id: uuid(1), data: { a: 1 } });
      expect((await usersIn(club, red)).sort()).toEqual([ann, cy].sort());
      expect((await caller.get(`${memberPath}/search?groupId=${blue}`)).text).toBe(untouched);
    });

    requirement("member.replace-empty", "empties a group", async () => {
      const club = await startClub(start);
      const { caller, red, blue, ann } = club;
      expectOk(await caller.post(memberPath, { members: { [red]: [{ userId: ann }], [blue]: [{ userId: ann }] } }));
      expect(expectOk(await caller.put(memberPath, { members: { [red]: [] } })).body).toEqual({ members: { [red]: [] } });
      expect(await usersIn(club, red)).toEqual([]);
      expect(await usersIn(club, blue)).toEqual([ann]);
    });
  });

  describe("the events of members", () => {
    requirement("member.events", "list those who were added, changed or removed, and no others", async () => {
      const { caller, world, red, ann, bob, cy } = await startClub(start);
      const seen = async (type: string): Promise<unknown[]> =>
        (await readEvents(world.storage, `group.member.${type}`)).map((event) =>
          (event.members as { userId: string }[]).map((member) => member.userId),
        );
      expectOk(await caller.post(memberPath, { members: { [red]: [{ userId: ann }, { userId: bob }] } }));
      expect(await seen("add")).toEqual([[ann, bob]]);
      expectOk(await caller.post(memberPath, { members: { [red]: [{ userId: ann }, { userId: bob, data: { b: 1 } }] } }));
      expect([await seen("add"), await seen("update"), await seen("update.complete")]).toEqual([[[ann, bob]], [[bob]], [[bob]]]);
      expectOk(await caller.put(memberPath, { members: { [red]: [{ userId: bob, data: { b: 2 } }, { userId: cy }] } }));
      expect(await seen("remove")).toEqual([[ann]]);
      expect((await seen("add")).flat().sort()).toEqual([ann, bob, cy].sort());
      expect(await seen("update")).toEqual([[bob], [bob]]);
      const [event] = await readEvents(world.storage, "group.member.remove.complete");
      expect(event).toMatchObject({ tenantId: world.defaultTenantId, linkedObjectId: red, group: { id: red, name: "Red" } });
    });

    requirement("member.events", "show the group as the wire does, with its roles", async () => {
      const { caller, world, red, ann } = await startClub(start);
      await makeApplication(world, world.defaultTenantId, "Forum", [{ name: "editor" }]);
      const group = expectOk(await caller.patch(`/api/group/${red}`, { roleIds: [uuid(900)] })).at("group");
      expectOk(await caller.post(memberPath, { members: { [red]: [{ userId: ann }] } }));
      expectEmpty(await caller.delete(`${memberPath}?groupId=${red}`), 200);
      for (const type of ["add", "remove"]) {
        const events = await readEvents(world.storage, `group.member.${type}`);
        expect(events).toEqual([
          expect.objectContaining({ group, members: [expect.objectContaining({ userId: ann, groupId: red })] }),
        ]);
      }
    });
  });
});
