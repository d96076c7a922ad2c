import { expect, test } from "vitest";
import { families } from "../../src/families/index.js";
import type { Table } from "../../src/ports/storage.js";
import type { SearchDefinition } from "../../src/search/parse-criteria.js";
import { expectOk, expectRefusal } from "../support/answer.js";
import { makeApplication, makeGroup } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid, type World } from "../support/world.js";

const composed = "Zo\u00eb \u00c5str\u00f6m";
const decomposed = composed.normalize("NFD");

async function totalOf(world: World, path: string, search: object): Promise<unknown> {
  return expectOk(await world.caller.post(`${path}/search`, { search })).at("total");
}

forEachStorage((start) => {
  requirement("search.case", "finds names in both forms of Unicode, and answers them as they were given", async () => {
    const world = await start({ searchableData: { users: ["city"] } });
    const { caller } = world;
    const [first, second] = [uuid(1), uuid(2)] as const;
    for (const [index, name] of [composed, decomposed].entries()) {
      const roles = [{ id: uuid(910 + index), name }];
      const application = await makeApplication(world, world.defaultTenantId, `${index} ${name}`, roles);
      const user = { username: `u${index}`, firstName: name, data: { city: name } };
      const registration = { applicationId: application, roles: [name] };
      expectOk(await caller.post(`/api/user/registration/${[first, second][index]}`, { user, registration }));
      expectOk(await caller.post("/api/group", { group: { name: `${index} ${name}` } }));
    }
    for (const name of [composed, decomposed, composed.toUpperCase().normalize("NFD")]) {
      expect(await totalOf(world, "/api/group", { name })).toBe(2);
      expect(await totalOf(world, "/api/group", { name: `*${name.slice(-4)}` })).toBe(2);
      expect(await totalOf(world, "/api/application", { name })).toBe(2);
      expect(await totalOf(world, "/api/user", { queryString: `firstName:"${name}"` })).toBe(2);
      expect(await totalOf(world, "/api/user", { query: { term: { firstName: name } } })).toBe(2);
      expect(await totalOf(world, "/api/user", { query: { prefix: { firstName: name.slice(0, 5) } } })).toBe(2);
    }
    for (const name of [composed, decomposed]) {
      expect(await totalOf(world, "/api/user", { queryString: `registrations.roles:"${name}"` })).toBe(2);
      expect(await totalOf(world, "/api/user", { queryString: `data.city:"${name}"` })).toBe(2);
      expect(await totalOf(world, "/api/user", { queryString: `data.city:"${name.slice(0, 5)}*"` })).toBe(2);
    }
    expect(expectOk(await caller.get(`/api/user/${second}`)).at("user.firstName")).toBe(decomposed);
  });

  requirement("search.case", "takes names in both forms for the same where they must be unique", async () => {
    const world = await start();
    await makeGroup(world, world.defaultTenantId, composed);
    expectRefusal(await world.caller.post("/api/group", { group: { name: decomposed } }), 400, "[duplicate]group.name");
    const application = await makeApplication(world, world.defaultTenantId, "Shop", [{ name: decomposed }]);
    const path = `/api/application/${application}/role`;
    expectRefusal(await world.caller.post(path, { role: { name: composed } }), 400, "[duplicate]role.name");
    expectOk(await world.caller.delete(`${path}?name=${encodeURIComponent(composed)}`));
  });

  requirement("search.literal-star", "takes a star behind a backslash in a query as a letter", async () => {
    const world = await start();
    for (const [index, firstName] of ["Pro*", "Pro* Max", "Prolog", "Pro*log"].entries())
      expectOk(await world.caller.post(`/api/user/${uuid(index + 1)}`, { user: { username: `u${index}`, firstName } }));
    const cases: [string, number[]][] = [
      ["firstName:Pro\\*", [1, 2, 4]],
      ["Pro\\*", [1, 2, 4]],
      ['firstName:"pro\\* m"', [2]],
      ["firstName:Pro\\**", [1, 2, 4]],
      ["firstName:*\\*", [1]],
      ["firstName:*\\**g", [4]],
      ["firstName:Pro**", [1]],
      ["firstName:Pro*", [1, 2, 3, 4]],
      ["\\*", [1, 2, 4]],
    ];
    for (const [queryString, numbers] of cases) {
      const answer = expectOk(await world.caller.post("/api/user/search", { search: { queryString } }));
      const found = (answer.each("users", "id") as string[]).map((id) => Number(id.slice(-4))).sort();
      expect({ queryString, found }).toEqual({ queryString, found: numbers });
    }
  });

  requirement("search.next-results", "continues behind a long text of the order", async () => {
    const world = await start();
    const comment = "\u00e9".repeat(60_000);
    const user = { username: "ann" };
    const userId = expectOk(await world.caller.post("/api/user", { user })).at("user.id");
    for (const end of ["a", "b", "c"]) {
      const userComment = { comment: comment + end, commenterId: userId, userId };
      expectOk(await world.caller.post("/api/user/comment", { userComment }));
    }
    const query = "/api/user/comment/search?orderBy=comment%20DESC&numberOfResults=2";
    const first = expectOk(await world.caller.get(query));
    const token = String(first.at("nextResults"));
    expect(token.length).toBeLessThan(2_000);
    const second = expectOk(await world.caller.get(`${query}&nextResults=${token}`));
    expect(new Set([...first.each("userComments", "id"), ...second.each("userComments", "id")]).size).toBe(3);
  });
});

test("every family sorts by the start of long texts only", () => {
  const rows = Object.values(families).map(({ row }) => row as { readonly table?: Table; readonly search?: SearchDefinition });
  const unlimited = rows.flatMap(({ search, table }) =>
    Object.values(search?.sortable ?? {}).filter(
      ({ column, maxLength, via }) => via === undefined && table?.columns[column]?.isLong && maxLength === undefined,
    ),
  );
  expect(unlimited).toEqual([]);
});
