import { describe, expect } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, type Start, uuid, type World } from "../support/world.js";

const maxAnswerBytes = 100_000;
// 40,000 bytes, 13,334 UTF-16 units.
const large = "€".repeat(13_333);

async function startWithGroups(start: Start, count: number): Promise<World> {
  const world = await start({ maxAnswerBytes, maxBodyBytes: 200_000 });
  for (let index = 0; index < count; index++)
    expectOk(await world.caller.post(`/api/group/${uuid(index)}`, { group: { name: `Group ${index}`, data: { large } } }));
  return world;
}

forEachStorage((start) => {
  describe("an answer", () => {
    requirement("sizes.answers", "is refused where a list is larger, with the search that pages", async () => {
      const { caller, identity } = await startWithGroups(start, 2);
      expect(expectOk(await caller.get("/api/group")).at("groups")).toHaveLength(2);
      expectOk(await caller.post("/api/group", { group: { name: "Third", data: { large } } }));
      const refused = await caller.get("/api/group");
      expectRefusal(refused, 400, "[tooLarge]");
      expect(refused.text).toContain("/api/group/search");
      await expect(identity.groups.list()).rejects.toMatchObject({ status: 400, code: "[tooLarge]" });
    });

    requirement("sizes.answers", "is refused where a page is larger, naming how many were asked for", async () => {
      const { caller, identity } = await startWithGroups(start, 4);
      for (const query of ["", "?numberOfResults=3", "?numberOfResults=4&startRow=1", "?name=group&orderBy=insertInstant"])
        expectRefusal(await caller.get(`/api/group/search${query}`), 400, "[tooLarge]numberOfResults");
      await expect(identity.groups.search({ search: { numberOfResults: 3 } })).rejects.toMatchObject({
        code: "[tooLarge]numberOfResults",
      });
      const page = expectOk(await caller.get("/api/group/search?numberOfResults=2"));
      expect(page.each("groups", "name")).toEqual(["Group 0", "Group 1"]);
      const next = encodeURIComponent(page.textAt("nextResults"));
      expectOk(await caller.get(`/api/group/search?numberOfResults=2&nextResults=${next}`));
      expectOk(await caller.get("/api/group/search?startRow=3"));
    });

    requirement("sizes.answers", "may be as large as it is where few records are read", async () => {
      const { caller } = await start({ maxAnswerBytes: 1_000 });
      expectOk(await caller.post(`/api/group/${uuid(1)}`, { group: { name: "Small" } }));
      const big = { group: { name: "Big", data: { text: "x".repeat(1_000) } } };
      expectRefusal(await caller.post(`/api/group/${uuid(2)}`, big), 400, "[tooLarge]");
      expect((await caller.get(`/api/group/${uuid(2)}`)).status).toBe(404);
      expectRefusal(await caller.put(`/api/group/${uuid(1)}`, big), 400, "[tooLarge]");
      expectRefusal(await caller.patch(`/api/group/${uuid(1)}`, big), 400, "[tooLarge]");
      expect(expectOk(await caller.get(`/api/group/${uuid(1)}`)).at("group.name")).toBe("Small");
    });

    requirement("sizes.answers", "is refused where what belongs to a record makes it larger", async () => {
      const { caller } = await start({ maxAnswerBytes: 10_000 });
      const [user, path] = [uuid(1), "/api/group/member"];
      expectOk(await caller.post(`/api/user/${user}`, { user: { email: "one@example.com" } }));
      for (let index = 100; index < 200; index++) {
        expectOk(await caller.post(`/api/group/${uuid(index)}`, { group: { name: `Group ${index}` } }));
        expectOk(await caller.post(path, { members: { [uuid(index)]: [{ userId: user }] } }));
      }
      expectRefusal(await caller.get(`/api/user/${user}`), 400, "[tooLarge]");
      expectRefusal(await caller.get("/api/user/search?email=one@example.com"), 400, "[tooLarge]numberOfResults");
    });

    requirement("sizes.answers", "to a change of members is refused before anything is kept", async () => {
      const { caller } = await start({ maxAnswerBytes: 20_000 });
      const users = Array.from({ length: 200 }, (_, index) => uuid(1_000 + index));
      for (const user of users) expectOk(await caller.post(`/api/user/${user}`, { user: { email: `${user}@example.com` } }));
      expectOk(await caller.post(`/api/group/${uuid(1)}`, { group: { name: "All" } }));
      const members = { [uuid(1)]: users.map((userId) => ({ userId })) };
      expectRefusal(await caller.post("/api/group/member", { members }), 400, "[tooLarge]");
      expect(expectOk(await caller.get("/api/group/member/search?numberOfResults=0")).at("total")).toBe(0);
    });
  });
});
