import { describe, expect } from "vitest";
import { mapWithinLimit } from "../../src/operations/family/response-size.js";
import { ResultTooLarge } from "../../src/ports/storage.js";
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

requirement("sizes.answers", "is not made any further once its records are larger", () => {
  let made = 0;
  const makeLarge = (): string => {
    made++;
    return "x".repeat(1_000);
  };
  const service = { answerSize: { maxBytes: 10_000, unmeasured: 1 } };
  expect(() => mapWithinLimit(service, Array(1_000).fill(0), makeLarge)).toThrow(ResultTooLarge);
  expect(made).toBe(11);
  expect(mapWithinLimit(service, [1, 2], String)).toEqual(["1", "2"]);
});

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
      const { caller } = await start({ maxAnswerBytes: 5_000 });
      expectOk(await caller.post(`/api/group/${uuid(1)}`, { group: { name: "Small" } }));
      const big = { group: { name: "Big", data: { text: "x".repeat(5_000) } } };
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

    requirement("sizes.answers", "is refused where each of its records shows the same large one", async () => {
      const { caller } = await start({ maxAnswerBytes, maxBodyBytes: 200_000 });
      const [type, entity, consent] = [uuid(1), uuid(2), uuid(3)];
      expectOk(await caller.post(`/api/entity/type/${type}`, { entityType: { name: "Shop" } }));
      expectOk(await caller.post(`/api/entity/${entity}`, { entity: { name: "Till", type: { id: type }, data: { large } } }));
      const fields = { name: "News", defaultMinimumAgeForSelfConsent: 1, data: { large } };
      expectOk(await caller.post(`/api/consent/${consent}`, { consent: fields }));
      const grants = `/api/entity/${entity}/grant`;
      const consents = `/api/user/consent?userId=${uuid(11)}`;
      for (const count of [1, 2, 3]) {
        const userId = uuid(10 + count);
        expectOk(await caller.post(`/api/user/${userId}`, { user: { email: `${count}@example.com` } }));
        expectOk(await caller.post(grants, { grant: { userId } }));
        expectOk(
          await caller.post("/api/user/consent", { userConsent: { consentId: consent, giverUserId: userId, userId: uuid(11) } }),
        );
        if (count === 3) break;
        expect(expectOk(await caller.get(grants)).each("grants", "userId")).toHaveLength(count);
        expect(expectOk(await caller.get(consents)).each("userConsents", "giverUserId")).toHaveLength(count);
      }
      expectRefusal(await caller.get(grants), 400, "[tooLarge]");
      expectRefusal(await caller.get(consents), 400, "[tooLarge]");
    });

    requirement("sizes.answers", "to a change of members is refused before anything is stored", async () => {
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
