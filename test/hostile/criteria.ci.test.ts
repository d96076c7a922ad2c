import { hash } from "node:crypto";
import { describe, expect, onTestFinished } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
import { expectDocumented, hostileTexts } from "../support/hostile.js";
import { makeLambda } from "../support/lambdas.js";
import { anyCharacter, cases, fc } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { makeWebhook } from "../support/webhooks.js";
import { forEachStorage, type Start, uuid, type World } from "../support/world.js";

const paging = ["numberOfResults", "startRow", "orderBy", "sortFields", "nextResults", "tenantId", "unknown"];
const searches: Readonly<Record<string, readonly string[]>> = {
  "/api/tenant/search": ["name", ...paging],
  "/api/application/search": ["name", "state", ...paging],
  "/api/group/search": ["name", ...paging],
  "/api/group/member/search": ["groupId", "userId", ...paging],
  "/api/user/search": ["ids", "query", "queryString", ...paging],
  "/api/ip-acl/search": ["name", ...paging],
  "/api/entity/type/search": ["name", ...paging],
  "/api/entity/search": ["ids", "query", "queryString", ...paging],
  "/api/entity/grant/search": ["entityId", "name", "userId", ...paging],
  "/api/lambda/search": ["body", "name", "type", ...paging],
  "/api/webhook/search": ["description", "url", ...paging],
};

/** More hostile values, for the languages that criteria are written in. */
const criteriaTexts = [
  ...hostileTexts,
  '"**"',
  '"*********************"',
  `"${"a*".repeat(400)}"`,
  `"${"(".repeat(500)}"`,
  `"${"NOT ".repeat(300)}a"`,
  `"${"a OR ".repeat(300)}a"`,
  `"${"\\\\".repeat(200)}"`,
  '"name desc, name asc, id"',
  '"name; drop table latchkey_groups"',
  '"__proto__ desc"',
  '"-1"',
  '"+1"',
  '"1e3"',
  '"0x10"',
  '"99999999999999999999"',
  '[{"name":{"toString":1}}]',
  '[{"name":"name","order":{"toString":1}}]',
  '[{"name":["name"]}]',
  '{"bool":{"must":[null]}}',
  '{"bool":{"must":{"__proto__x":1}}}',
  '{"term":{"__proto__x":1}}',
  '{"terms":{"email":{"length":3}}}',
  '{"constructor":{}}',
  '{"nested":{"query":{"nested":{}}}}',
  '"{\\"match_all\\":{}}"',
];

async function startWithRows(start: Start): Promise<World> {
  const world = await start();
  onTestFinished(() => expect(world.log).toEqual([]));
  for (const [index, name] of ["a", "b", "c"].entries()) {
    expectOk(await world.caller.post(`/api/group/${uuid(index)}`, { group: { name } }));
    expectOk(await world.caller.post("/api/user", { user: { username: name } }));
    expectOk(await world.caller.post("/api/application", { application: { name } }));
    await makeLambda(world, "JWTPopulate", { name });
    await makeWebhook(world, { description: name });
  }
  return world;
}

forEachStorage((start) => {
  describe.each(Object.entries(searches))("%s", (path, names) => {
    requirement("errors.never-500", "withstands every hostile value of every criterion", async () => {
      const world = await startWithRows(start);
      for (const name of names)
        for (const text of criteriaTexts) {
          const body = `{"search":{${JSON.stringify(name)}:${text}}}`;
          expectDocumented(await world.caller.post(path, body), body);
          const value = JSON.parse(text) as unknown;
          if (typeof value !== "string" || !value.isWellFormed()) continue;
          const query = `${path}?${name}=${encodeURIComponent(value)}`;
          expectDocumented(await world.caller.get(query), query);
        }
    });

    requirement("errors.never-500", "withstands any criteria, and any query", async () => {
      const world = await startWithRows(start);
      const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: anyCharacter, maxLength: 60 }), fc.integer());
      const criteria = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 });
      await fc.assert(
        fc.asyncProperty(criteria, fc.string({ unit: anyCharacter, maxLength: 60 }), async (search, query) => {
          expectDocumented(await world.caller.post(path, { search }), search);
          expectDocumented(await world.caller.get(`${path}?${query.replaceAll("#", "")}`), query);
          const known = new URLSearchParams(
            Object.entries(search).map(([name, one]): [string, string] => [name, String(JSON.stringify(one)).toWellFormed()]),
          );
          expectDocumented(await world.caller.get(`${path}?${known}`), known.toString());
        }),
        cases(150),
      );
    });
  });

  describe("criteria that are made to be expensive", () => {
    requirement(
      ["errors.never-500", "search.bad-criteria"],
      "are refused or answered, but never too much for a storage",
      async () => {
        const { caller } = await startWithRows(start);
        const many = Array.from({ length: 2_000 }, (_, index) => `x${index}`);
        const bool = (clause: object): object => ({ query: { bool: clause } });
        for (const search of [
          { query: { terms: { email: many } } },
          bool({ should: many.map((value) => ({ match: { email: value } })) }),
          bool({ must_not: many.map((value) => ({ match: { email: value } })) }),
          { queryString: many.join(" OR ").slice(0, 1_990) },
          { ids: Array.from({ length: 10_001 }, () => uuid(1)) },
        ]) {
          const answer = await caller.post("/api/user/search", { search });
          expect({ status: answer.status, search: JSON.stringify(search).slice(0, 60) }).toMatchObject({ status: 400 });
        }
        expectOk(
          await caller.post("/api/user/search", { search: { ids: Array.from({ length: 10_000 }, (_, index) => uuid(index)) } }),
        );
        expectOk(
          await caller.post("/api/group/search", { search: { orderBy: Array.from({ length: 100 }, () => "id").join(",") } }),
        );
      },
    );

    requirement(
      ["search.next-results", "tenant-scope.lists"],
      "cannot reach through a forged token what their scope does not hold",
      async () => {
        const world = await startWithRows(start);
        const tenantId = expectOk(await world.caller.post("/api/tenant", { tenant: { name: "Empty" } })).textAt("tenant.id");
        for (const [orderBy, column] of Object.entries({ name: "nameFolded", insertInstant: "insertInstant", id: "id" })) {
          const sort = [{ column, direction: "asc" }];
          const digest = hash("sha256", JSON.stringify([undefined, sort]), "base64url").slice(0, 16);
          for (const value of [null, true, 7, -(2 ** 53) + 1, "", "zzz", uuid(1), "\0", {}, []]) {
            const nextResults = Buffer.from(JSON.stringify([digest, uuid(0), value])).toString("base64url");
            const answer = await world.caller.inTenant(tenantId).post("/api/group/search", { search: { nextResults, orderBy } });
            if (answer.status === 200) expect(answer.at("groups")).toEqual([]);
            else expectRefusal(answer, 400, "[invalid]nextResults");
          }
        }
      },
    );
  });
});
