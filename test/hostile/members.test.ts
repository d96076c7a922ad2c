import { globalScope } from "latchkey/ports";
import { describe, expect, onTestFinished } from "vitest";
import { groupMembersTable } from "../../src/records/group-members/family.js";
import { expectOk } from "../support/answer.js";
import { expectDocumented, hostileTexts, withTextAt } from "../support/hostile.js";
import { type Club, memberPath, startClub } from "../support/members.js";
import { cases, fc, steps } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, readEvents, type Start } from "../support/world.js";

/** The bodies of each method, the fields of which are attacked one by one. `red` stands for the id of a group. */
const attacked = [
  [
    "POST",
    [
      "members",
      "members.red",
      "members.red.0",
      "members.red.0.userId",
      "members.red.0.id",
      "members.red.0.data",
      "members.red.0.data.key",
    ],
  ],
  ["PUT", ["members", "members.red", "members.red.0", "members.red.0.userId", "members.red.0.id", "members.red.0.data"]],
  ["DELETE", ["memberIds", "memberIds.0", "members", "members.red", "members.red.0"]],
] as const;

/** Everything that a change of members leaves behind. */
async function snapshot({ world: { storage } }: Club): Promise<unknown> {
  return [await storage.find(globalScope, groupMembersTable, undefined), await readEvents(storage)];
}

async function startAttacked(start: Start): Promise<Club> {
  const club = await startClub(start);
  const { caller, red, ann, bob } = club;
  expectOk(await caller.post(memberPath, { members: { [red]: [{ userId: ann }, { userId: bob, data: { a: 1 } }] } }));
  onTestFinished(() => expect(club.world.log).toEqual([]));
  return club;
}

async function expectAllOrNothing(club: Club, method: string, text: string): Promise<void> {
  const before = await snapshot(club);
  const answer = await club.caller.send(method, memberPath, text);
  expectDocumented(answer, { method, text });
  if (answer.status >= 400) expect({ method, text, after: await snapshot(club) }).toEqual({ method, text, after: before });
}

forEachStorage((start) => {
  describe.each(attacked)("%s of members", (method, fields) => {
    requirement(["errors.never-500", "errors.nothing-half-done"], "withstands every hostile value in every field", async () => {
      const club = await startAttacked(start);
      const valid = method === "DELETE" ? {} : { members: { [club.red]: [{ userId: club.cy }] } };
      for (const [index, field] of fields.entries())
        for (const text of steps(hostileTexts, 8, index)) {
          const path = field.replace("red", club.red).split(".");
          await expectAllOrNothing(club, method, withTextAt(valid, path, text));
        }
    });

    requirement("errors.never-500", "withstands any JSON", async () => {
      const club = await startAttacked(start);
      const ids = fc.constantFrom(club.red, club.blue, club.ann, club.bob, "x", "", "constructor");
      const member = fc.oneof(
        fc.record({ userId: ids, id: ids, data: fc.jsonValue({ maxDepth: 2 }) }, { requiredKeys: [] }),
        ids,
        fc.jsonValue({ maxDepth: 1 }),
      );
      const members = fc.dictionary(ids, fc.oneof(fc.array(member, { maxLength: 3 }), fc.jsonValue({ maxDepth: 1 })), {
        maxKeys: 3,
      });
      const body = fc.oneof(fc.record({ members, memberIds: fc.array(ids) }, { requiredKeys: [] }), fc.jsonValue());
      await fc.assert(
        fc.asyncProperty(body, (value) => expectAllOrNothing(club, method, JSON.stringify(value))),
        cases(150),
      );
    });
  });
});
