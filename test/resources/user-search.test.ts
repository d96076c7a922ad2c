import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeApplication } from "../support/families.js";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, type Start, uuid, type World } from "../support/world.js";

const path = "/api/user";

const people = [
  { email: "ann@example.com", username: "Ann", firstName: "Ann", lastName: "Archer", birthDate: "1990-01-01" },
  { email: "bob@example.org", firstName: "Bob", lastName: "Baker", mobilePhone: "555-100" },
  { username: "cyd", fullName: "Cyd Charisse" },
  { email: "dee_50%@example.com", firstName: "Deé" },
];

async function startWithPeople(start: Start): Promise<World> {
  const world = await start();
  for (const [index, user] of people.entries()) expectOk(await world.caller.post(`${path}/${uuid(index + 1)}`, { user }));
  return world;
}

/** The numbers of the people that a search finds. */
async function found(world: World, search: object): Promise<number[]> {
  const answer = expectOk(await world.caller.post(`${path}/search`, { search }));
  const ids = answer.each("users", "id") as string[];
  expect(answer.at("total")).toBe(ids.length);
  return ids.map((id) => Number(id.slice(-4))).sort();
}

forEachStorage((start) => {
  describe("finding one user", () => {
    requirement("user.find", "goes by email, username or either, in any case", async () => {
      const { caller } = await startWithPeople(start);
      const idBy = async (query: string): Promise<unknown> => expectOk(await caller.get(`${path}?${query}`)).at("user.id");
      expect(await idBy("email=ANN%40example.com")).toBe(uuid(1));
      expect(await idBy("username=ann")).toBe(uuid(1));
      expect(await idBy("loginId=CYD")).toBe(uuid(3));
      expect(await idBy("loginId=%20bob%40example.org%20")).toBe(uuid(2));
      expect(await idBy(`userId=${uuid(4)}`)).toBe(uuid(4));
      for (const query of ["email=ann", "username=bob@example.org", "loginId=nobody"])
        expectEmpty(await caller.get(`${path}?${query}`), 404);
      for (const query of ["", "email=", "other=x"]) expectRefusal(await caller.get(`${path}?${query}`), 400, "[missing]userId");
    });

    requirement(["user.find", "tenant-scope.required"], "needs a tenant once there are several", async () => {
      const world = await startWithPeople(start);
      const other = await makeTenant(world, "Other");
      const query = `${path}?email=ann%40example.com`;
      expectRefusal(await world.caller.get(query), 400, "[TenantIdRequired]");
      expect(expectOk(await world.caller.inTenant(world.defaultTenantId).get(query)).at("user.id")).toBe(uuid(1));
      expectEmpty(await world.caller.inTenant(other).get(query), 404);
      expectEmpty(await world.caller.inTenant(uuid(99)).get(query), 404);
    });
  });

  describe("searching users", () => {
    requirement("user.search", "goes by ids, as a list, as a text and repeated in a query", async () => {
      const world = await startWithPeople(start);
      expect(await found(world, { ids: [uuid(1), uuid(3).toUpperCase(), uuid(99)] })).toEqual([1, 3]);
      expect(await found(world, { ids: `${uuid(1)}, ${uuid(2)}` })).toEqual([1, 2]);
      const repeated = await world.caller.get(`${path}/search?ids=${uuid(4)}&ids=${uuid(2)}`);
      expect(repeated.each("users", "id").sort()).toEqual([uuid(2), uuid(4)]);
      for (const ids of ["x", [7], [uuid(1), "x"], {}])
        expectRefusal(await world.caller.post(`${path}/search`, { search: { ids } }), 400, "[couldNotConvert]ids");
    });

    requirement("user.search", "finds everybody by an asterisk", async () => {
      const world = await startWithPeople(start);
      expect(await found(world, { queryString: "*" })).toEqual([1, 2, 3, 4]);
      expect(await found(world, { queryString: "* AND NOT ann" })).toEqual([2, 3, 4]);
      expect(await found(world, { queryString: "email:*" })).toEqual([1, 2, 4]);
      expect(await found(world, { queryString: "NOT *" })).toEqual([]);
    });

    requirement("user.search", "understands terms, fields, quotes, wildcards, AND, OR, NOT and parentheses", async () => {
      const world = await startWithPeople(start);
      const cases: [string, number[]][] = [
        ["ann", [1]],
        ["example", [1, 2, 4]],
        ["email:*.com", [1, 4]],
        ["email:bob@example.org", [2]],
        ["firstName:bob OR username:cyd", [2, 3]],
        ["example AND NOT firstName:bob", [1, 4]],
        ["example NOT bob", [1, 4]],
        ["(ann OR bob) AND email:*.org", [2]],
        ["ann OR bob email:*.org", [1, 2]],
        ['fullName:"Cyd Charisse"', [3]],
        ['fullName:"Ann Archer"', [1]],
        ["DEÉ", [4]],
        ["50%", [4]],
        ["dee_", [4]],
        ["birthDate:1990*", [1]],
        ["mobilePhone:555", [2]],
        ["active:true", [1, 2, 3, 4]],
        ["NOT active:true", []],
        [`id:${uuid(2)}`, [2]],
        ["a\\*b", []],
      ];
      for (const [queryString, numbers] of cases)
        expect({ queryString, numbers: await found(world, { queryString }) }).toEqual({ queryString, numbers });
    });

    requirement("user.search", "understands the common query documents, as JSON and as text", async () => {
      const world = await startWithPeople(start);
      const cases: [object, number[]][] = [
        [{ match_all: {} }, [1, 2, 3, 4]],
        [{ match: { firstName: "bob" } }, [2]],
        [{ match: { firstName: { query: "BOB" } } }, [2]],
        [{ term: { username: { value: "cyd" } } }, [3]],
        [{ prefix: { email: "ann" } }, [1]],
        [{ wildcard: { email: "*@example.com" } }, [1, 4]],
        [{ term: { email: "BOB@example.org" } }, [2]],
        [{ term: { email: "bob@example" } }, []],
        [{ terms: { firstName: ["ann", "bob", "cy"] } }, [1, 2]],
        [{ term: { active: true } }, [1, 2, 3, 4]],
        [{ bool: { must: [{ match: { email: "example" } }], must_not: { match: { firstName: "bob" } } } }, [1, 4]],
        [{ bool: { should: [{ match: { username: "cyd" } }, { match: { firstName: "bob" } }] } }, [2, 3]],
        [{ bool: { filter: [{ prefix: { lastName: "a" } }], should: [{ match_all: {} }] } }, [1]],
      ];
      for (const [query, numbers] of cases)
        for (const form of [query, JSON.stringify(query)])
          expect({ query, numbers: await found(world, { query: form }) }).toEqual({ query, numbers });
    });

    requirement(["user.search", "search.bad-criteria"], "refuses what it does not understand, naming the criterion", async () => {
      const { caller } = await startWithPeople(start);
      for (const queryString of [
        "(ann",
        "ann)",
        '"open',
        "shoeSize:7",
        "AND",
        "NOT",
        "id:x",
        "active:maybe",
        "x".repeat(2_001),
        7,
        "(".repeat(30),
      ])
        expectRefusal(await caller.post(`${path}/search`, { search: { queryString } }), 400, "[invalid]queryString");
      for (const query of [
        "{",
        "[]",
        {},
        { fuzzy: {} },
        { match: {} },
        { match: { shoeSize: 1 } },
        { bool: { must: [7] } },
        { match: { email: {} } },
        [],
        7,
        { term: { __proto__x: 1 } },
      ])
        expectRefusal(await caller.post(`${path}/search`, { search: { query } }), 400, "[invalid]query");
      let deep: object = { match_all: {} };
      for (let level = 0; level < 25; level++) deep = { bool: { must: [deep] } };
      expectRefusal(await caller.post(`${path}/search`, { search: { query: JSON.stringify(deep) } }), 400, "[invalid]query");
    });

    requirement("user.search", "orders by full name, then email, or by sortFields and orderBy", async () => {
      const { caller } = await startWithPeople(start);
      const order = async (search: object): Promise<unknown[]> =>
        expectOk(await caller.post(`${path}/search`, { search })).each("users", "id");
      expect(await order({})).toEqual([uuid(1), uuid(2), uuid(3), uuid(4)]);
      expect(await order({ sortFields: [{ name: "email", order: "desc" }] })).toEqual([uuid(4), uuid(2), uuid(1), uuid(3)]);
      expect(await order({ sortFields: [{ name: "lastName" }, { name: "id", order: "desc" }] })).toEqual([
        uuid(4),
        uuid(3),
        uuid(1),
        uuid(2),
      ]);
      expect(await order({ orderBy: "username DESC" })).toEqual([uuid(3), uuid(1), uuid(2), uuid(4)]);
      expectRefusal(await caller.post(`${path}/search`, { search: { sortFields: [{ name: "data" }] } }), 400, "[invalid]orderBy");
    });

    requirement("user.search", "finds the users of an application", async () => {
      const world = await startWithPeople(start);
      const applicationId = await makeApplication(world, world.defaultTenantId, "Forum");
      expectOk(await world.caller.post(`/api/user/registration/${uuid(2)}`, { registration: { applicationId } }));
      expect(await found(world, { queryString: `registrations.applicationId:${applicationId}` })).toEqual([2]);
      expect(await found(world, { queryString: `NOT registrations.applicationId:${applicationId}` })).toEqual([1, 3, 4]);
    });

    requirement("search.next-results", "walks users with and without the fields of the order", async () => {
      const { caller } = await startWithPeople(start);
      for (const orderBy of ["email", "email DESC", "lastName DESC, username"]) {
        const seen: unknown[] = [];
        let nextResults: unknown;
        do {
          const page = expectOk(await caller.post(`${path}/search`, { search: { orderBy, numberOfResults: 1, nextResults } }));
          seen.push(...page.each("users", "id"));
          nextResults = page.at("nextResults");
        } while (nextResults !== undefined && seen.length < 10);
        expect([...seen].sort()).toEqual([1, 2, 3, 4].map(uuid));
      }
    });
  });
}, embeddedPostgres());
