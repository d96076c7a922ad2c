import { expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { auditing, entriesOf } from "../support/audit-entries.js";
import { makeUser } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, uuid } from "../support/world.js";

const path = "/api/user/comment";

forEachStorage((start) => {
  requirement("user-action.comments", "comments on a user are stored, listed and searched", async () => {
    const world = await auditing(start)();
    const { caller, clock, defaultTenantId } = world;
    const userId = await makeUser(world, defaultTenantId, "a@example.com");
    const commenterId = await makeUser(world, await makeTenant(world, "Office"), "b@example.com");
    const first = { comment: "Was rude", commenterId, userId };
    const entries = await entriesOf(world, async () => {
      const answer = expectOk(await caller.post(path, { userComment: first }));
      expect(answer.at("userComment")).toMatchObject({ ...first, insertInstant: clock.instant });
    });
    expect(entries).toMatchObject([{ message: expect.stringContaining("Created the user comment"), tenantId: defaultTenantId }]);
    clock.advance(1);
    expectOk(await caller.post(path, { userComment: { ...first, comment: "Was kind" } }));
    expect(expectOk(await caller.get(`${path}/${userId}`)).each("userComments", "comment")).toEqual(["Was rude", "Was kind"]);
    const found = expectOk(await caller.post(`${path}/search`, { search: { comment: "kind", commenterId } }));
    expect(found.body).toMatchObject({ total: 1, userComments: [{ comment: "Was kind" }] });
    const unknown = { userComment: { comment: "x", commenterId: uuid(1), userId: uuid(2) } };
    const codes = ["[invalid]userComment.commenterId", "[invalid]userComment.userId"];
    expectRefusal(await caller.post(path, unknown), 400, ...codes);
    expectRefusal(await caller.post(path, { userComment: { commenterId, userId } }), 400, "[blank]userComment.comment");
    expectEmpty(await caller.delete(`/api/user/${userId}?hardDelete=true`), 200);
    expect((await caller.get(`${path}/${userId}`)).at("userComments")).toEqual([]);
  });
});
