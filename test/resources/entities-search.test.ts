import { describe, expect } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
import { removeApiEntity } from "../support/clients.js";
import { makeEntityType } from "../support/families/entities.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, makeTenant, type Start, uuid, type World } from "../support/world.js";

const path = "/api/entity/search";
const [service, device] = [uuid(800), uuid(801)];

/** Four entities of two types, with the ids uuid(1) to uuid(4). */
const things = [
  { name: "Billing", type: { id: service }, clientId: "Client-Bill" },
  { name: "Invoice printer", type: { id: device }, parentId: uuid(1) },
  { name: "Äther 50%", type: { id: device } },
  { name: "billing", type: { id: device }, clientId: "bill_2", parentId: uuid(2) },
];

async function startWithThings(start: Start): Promise<World> {
  const world = await start();
  await removeApiEntity(world);
  for (const [id, name] of [
    [service, "Service"],
    [device, "Device"],
  ])
    expectOk(await world.caller.post(`/api/entity/type/${id}`, { entityType: { name } }));
  for (const [index, entity] of things.entries()) {
    world.clock.advance(1);
    expectOk(await world.caller.post(`/api/entity/${uuid(index + 1)}`, { entity }));
  }
  return world;
}

/** The numbers of the entities that a search finds, in their order. */
async function found({ caller }: World, search: object): Promise<number[]> {
  const answer = expectOk(await caller.post(path, { search }));
  const ids = answer.each("entities", "id") as string[];
  expect(answer.at("total")).toBe(ids.length);
  return ids.map((id) => Number(id.slice(-4)));
}

forEachStorage((start) => {
  describe("searching entities", () => {
    requirement("entity.search", "goes by ids, as a list, as a text and repeated in a query", async () => {
      const world = await startWithThings(start);
      expect(await found(world, { ids: [uuid(4), uuid(1).toUpperCase(), uuid(99)] })).toEqual([1, 4]);
      expect(await found(world, { ids: `${uuid(2)}, ${uuid(3)}` })).toEqual([2, 3]);
      const repeated = await world.caller.get(`${path}?ids=${uuid(3)}&ids=${uuid(2)}`);
      expect(repeated.each("entities", "id")).toEqual([uuid(2), uuid(3)]);
      for (const ids of ["x", [7], {}])
        expectRefusal(await world.caller.post(path, { search: { ids } }), 400, "[couldNotConvert]ids");
    });

    requirement("entity.search", "understands the language of queryString", async () => {
      const world = await startWithThings(start);
      const cases: [string, number[]][] = [
        ["bill", [1, 4]],
        ["client", [1]],
        ["name:invoice*", [2]],
        ["clientId:BILL_2", [4]],
        ["clientId:client-b*", [1]],
        [`type.id:${device}`, [4, 2, 3]],
        [`type.id:${device} NOT billing`, [2, 3]],
        [`parentId:${uuid(1)} OR parentId:${uuid(2)}`, [4, 2]],
        [`id:${uuid(3)}`, [3]],
        [`tenantId:${world.defaultTenantId} AND "invoice printer"`, [2]],
        ["äTHER", [3]],
        ["50%", [3]],
        ["nothing", []],
      ];
      for (const [queryString, numbers] of cases)
        expect({ queryString, numbers: await found(world, { queryString }) }).toEqual({ queryString, numbers });
      const byQuery = await world.caller.get(`${path}?queryString=${encodeURIComponent("name:invoice*")}`);
      expect(byQuery.each("entities", "id")).toEqual([uuid(2)]);
    });

    requirement("entity.search", "understands the common query documents, as JSON and as text", async () => {
      const world = await startWithThings(start);
      const cases: [object, number[]][] = [
        [{ match_all: {} }, [1, 4, 2, 3]],
        [{ match: { name: "BILL" } }, [1, 4]],
        [{ term: { "type.id": device } }, [4, 2, 3]],
        [{ terms: { parentId: [uuid(1), uuid(2)] } }, [4, 2]],
        [{ prefix: { clientId: "bill" } }, [4]],
        [{ bool: { must: [{ match: { name: "billing" } }], must_not: { term: { "type.id": service } } } }, [4]],
      ];
      for (const [query, numbers] of cases)
        for (const form of [query, JSON.stringify(query)])
          expect({ query, numbers: await found(world, { query: form }) }).toEqual({ query, numbers });
    });

    requirement(
      ["entity.search", "entity.secret-sealed"],
      "finds no secret and no other field, and says which criterion is wrong",
      async () => {
        const { caller } = await startWithThings(start);
        for (const queryString of ["clientSecret:a", "data.a:b", "(bill", "parentId:x", 7])
          expectRefusal(await caller.post(path, { search: { queryString } }), 400, "[invalid]queryString");
        for (const query of [{ match: { clientSecret: "a" } }, { exists: { field: "parentId" } }, "{"])
          expectRefusal(await caller.post(path, { search: { query } }), 400, "[invalid]query");
        const secret = expectOk(await caller.get(`/api/entity/${uuid(1)}`)).textAt("entity.clientSecret");
        const answer = expectOk(await caller.post(path, { search: { queryString: `"${secret}"` } }));
        expect(answer.body).toEqual({ entities: [], total: 0 });
      },
    );

    requirement("entity.search", "orders by name, by sortFields and by orderBy", async () => {
      const world = await startWithThings(start);
      expect(await found(world, {})).toEqual([1, 4, 2, 3]);
      expect(await found(world, { sortFields: [{ name: "name", order: "desc" }] })).toEqual([3, 2, 1, 4]);
      expect(await found(world, { sortFields: [{ name: "type.id" }, { name: "id", order: "desc" }] })).toEqual([1, 4, 3, 2]);
      expect(await found(world, { orderBy: "insertInstant DESC" })).toEqual([4, 3, 2, 1]);
      expect(await found(world, { orderBy: "parentId, id" })).toEqual([1, 3, 2, 4]);
      expect(await found(world, { orderBy: "clientId DESC" })).toEqual([1, 4, 3, 2]);
      expect(await found(world, { orderBy: "tenantId, lastUpdateInstant" })).toEqual([1, 2, 3, 4]);
      expectRefusal(await world.caller.post(path, { search: { orderBy: "clientSecret" } }), 400, "[invalid]orderBy");
    });

    requirement(["entity.search", "search.next-results"], "shows secrets, and walks all entities page by page", async () => {
      const { caller } = await startWithThings(start);
      const seen: unknown[] = [];
      let nextResults: unknown;
      do {
        const page = expectOk(await caller.post(path, { search: { orderBy: "parentId", numberOfResults: 1, nextResults } }));
        expect(page.at("total")).toBe(4);
        for (const entity of page.at("entities") as { readonly id: string }[])
          expect(entity).toEqual((await caller.get(`/api/entity/${entity.id}`)).at("entity"));
        seen.push(...page.each("entities", "id"));
        nextResults = page.at("nextResults");
      } while (nextResults !== undefined && seen.length < 10);
      expect([...seen].sort()).toEqual([1, 2, 3, 4].map(uuid));
    });

    requirement(["entity.search", "tenant-scope.search-overruled"], "keeps to the tenant of the caller", async () => {
      const world = await startWithThings(start);
      const other = await makeTenant(world, "Other");
      const typeId = await makeEntityType(world, "Another");
      const entity = { name: "Billing", type: { id: typeId } };
      expectOk(await world.caller.inTenant(other).post(`/api/entity/${uuid(9)}`, { entity }));
      for (const caller of [world.caller.inTenant(other), await callerOfTenant(world, other)])
        for (const search of [{}, { tenantId: world.defaultTenantId }, { queryString: "bill" }, { ids: [uuid(1), uuid(9)] }])
          expect((await caller.post(path, { search })).each("entities", "id")).toEqual([uuid(9)]);
      expect(await found(world, { queryString: "bill" })).toEqual([1, 4, 9]);
      expect(await found(world, { tenantId: other })).toEqual([9]);
    });
  });
});
