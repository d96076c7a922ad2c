import { describe, expect } from "vitest";
import { type Answer, codesOf, expectOk, expectRefusal } from "../support/answer.js";
import { Caller } from "../support/caller.js";
import { memberPath, startClub } from "../support/members.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid } from "../support/world.js";

const path = `/api/user/${uuid(1)}`;
const email = "one@example.com";
const manyOf = <Item>(count: number, item: Item): Item[] => Array<Item>(count).fill(item);
const mapOf = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));

function expectHundred(answer: Answer): void {
  expect(answer.status).toBe(400);
  expect(codesOf(answer)).toHaveLength(101);
  expect(codesOf(answer)).toContain("[tooManyErrors]");
}

forEachStorage((start) => {
  describe("the size of a body", () => {
    requirement("sizes.lists", "is 10,000 items for a list or map at any depth", async () => {
      const { caller, identity } = await start();
      const withData = (data: object): object => ({ user: { email, data } });
      expectOk(await caller.post(path, withData({ list: manyOf(9_999, 1), map: { deep: mapOf(9_000) } })));
      for (const [data, at] of [
        [{ map: mapOf(10_001) }, "user.data.map"],
        [{ list: manyOf(10_001, 1) }, "user.data.list"],
        [{ a: [{ b: mapOf(10_001) }] }, "user.data.a[0].b"],
        [mapOf(10_001), "user.data"],
      ] as const) {
        expectRefusal(await caller.put(path, withData(data)), 400, `[tooMany]${at}`);
        expectRefusal(await caller.mergePatch(path, withData(data)), 400, `[tooMany]${at}`);
        const value = { op: "add", path: "/user/data", value: data };
        expectRefusal(await caller.jsonPatch(path, [value]), 400, `[tooMany]${at.replace("user.data", "[0].value")}`);
        await expect(identity.users.update({ userId: uuid(1), user: { email, data } })).rejects.toMatchObject({
          status: 400,
          code: `[tooMany]${at}`,
        });
      }
      // A patch cannot make what a body could not hold.
      expectRefusal(await caller.patch(path, withData({ list: [1, 1] })), 400, "[tooMany]user.data.list");
    });

    requirement("sizes.lists", "is 20,000 values in all", async () => {
      const { caller } = await start();
      const data = { a: manyOf(9_000, 1), b: manyOf(9_000, 1), c: manyOf(1_990, 1) };
      expectOk(await caller.post(path, { user: { email, data } }));
      expectRefusal(
        await caller.put(path, { user: { email, data: { ...data, d: manyOf(10, 1) } } }),
        400,
        "[tooMany]user.data.d",
      );
      expectRefusal(await caller.put(path, mapOf(10_001)), 400, "[tooMany]");
      expectRefusal(await caller.jsonPatch(path, manyOf(10_001, 1)), 400, "[tooMany]");
    });

    requirement("sizes.lists", "is validated before the items", async () => {
      const { caller } = await start();
      expectRefusal(
        await caller.post(path, { user: { preferredLanguages: manyOf(500_000, 7) } }),
        400,
        "[tooMany]user.preferredLanguages",
      );
      const endpoints = { "/api/user": manyOf(150_000, "GET") };
      expectRefusal(
        await caller.post("/api/api-key", { apiKey: { permissions: { endpoints } } }),
        400,
        "[tooMany]apiKey.permissions.endpoints[/api/user]",
      );
    });

    requirement("sizes.bulk", "is that of the bytes for the members of a group", async () => {
      const club = await startClub(start);
      const { caller, red, ann } = club;
      for (const method of ["POST", "PUT"]) {
        const answer = expectOk(await caller.send(method, memberPath, { members: { [red]: manyOf(15_000, { userId: ann }) } }));
        expect(answer.at(`members.${red}`)).toHaveLength(1);
        expectRefusal(
          await caller.send(method, memberPath, { members: { [red]: [{ userId: ann, data: mapOf(10_001) }] } }),
          400,
          `[tooMany]members[${red}][0].data`,
        );
      }
      expectRefusal(await caller.delete(memberPath, { memberIds: manyOf(10_001, uuid(1)) }), 400, "[tooMany]memberIds");
    });

    requirement(["sizes.errors", "errors.never-500"], "bounds the errors to 100", async () => {
      const club = await startClub(start);
      const { caller, red, ann } = club;
      expectHundred(await caller.post(path, { user: { email, preferredLanguages: manyOf(9_000, 7) } }));
      for (const members of [manyOf(150_000, {}), [...manyOf(15_000, { userId: ann }), ...manyOf(60_000, {})]])
        expectHundred(await caller.post(memberPath, { members: { [red]: members } }));
      const unknown = Object.fromEntries(Array.from({ length: 9_999 }, (_, index) => [uuid(index + 10_000), []]));
      expectHundred(await caller.post(memberPath, { members: unknown }));
      const strangers = Array.from({ length: 5_000 }, (_, index) => ({ userId: uuid(index + 10_000) }));
      expectHundred(await caller.put(memberPath, { members: { [red]: strangers } }));
    });

    requirement("sizes.errors", "leaves the errors of a long list where they are", async () => {
      const { caller, red, ann } = await startClub(start);
      const members: unknown[] = manyOf(3_000, { userId: ann });
      members[1_500] = {};
      members[2_999] = 7;
      expectRefusal(
        await caller.post(memberPath, { members: { [red]: members } }),
        400,
        `[missing]members[${red}][1500].userId`,
        `[invalidJSON]members[${red}][2999]`,
      );
    });

    requirement("sizes.anonymous", "is 128 KiB for a caller without a credential", async () => {
      const { identity } = await start();
      const anonymous = new Caller(identity, {});
      const sized = (length: number): string => `{"x":"${"x".repeat(length)}"}`;
      for (const at of ["/api/logout", "/api/login", "/api/jwt/refresh", "/api/two-factor/login"]) {
        expect((await anonymous.post(at, sized(131_000))).status).not.toBe(413);
        expectRefusal(await anonymous.post(at, sized(131_100)), 413, "[tooLarge]");
      }
    });

    requirement("sizes.bytes", "is in bytes of UTF-8, for bodies and for patched records", async () => {
      const { caller } = await start({ maxBodyBytes: 1_000 });
      expectOk(await caller.post(path, { user: { email } }));
      const third = "€".repeat(120);
      expectOk(await caller.patch(path, { user: { data: { a: third } } }));
      expectRefusal(await caller.patch(path, { user: { data: { b: third } } }), 400, "[invalidPatch]");
      expectOk(await caller.patch(path, { user: { data: { b: "x".repeat(120) } } }));
      expectRefusal(await caller.put(path, { user: { email, data: { a: "€".repeat(340) } } }), 413, "[tooLarge]");
    });
  });
});
