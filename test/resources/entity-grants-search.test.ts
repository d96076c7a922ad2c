import type { Directory } from "latchkey/ports";
import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeEntity, makeEntityType } from "../support/families/entities.js";
import { makeUser } from "../support/families.js";
import { grantOn, grantPath, type Mall, startMall } from "../support/grants.js";
import { requirement } from "../support/requirement.js";
import { searchBoth } from "../support/search.js";
import { callerOfTenant, forEachStorage, type Start, uuid } from "../support/world.js";

const path = "/api/entity/grant";

interface FilledMall extends Mall {
  readonly zoo: string;
  readonly bob: string;
}

/** A mall with a second API, a second user, and grants on both. */
async function startFilled(start: Start): Promise<FilledMall> {
  const mall = await startMall(start);
  const { caller, world, api, client, ann } = mall;
  const zoo = await makeEntity(world, world.defaultTenantId, mall.typeId, "Zoo, the api");
  const bob = await makeUser(world, world.defaultTenantId, "bob@example.com");
  for (const [target, grant] of [
    [zoo, { userId: ann }],
    [api, { userId: bob }],
    [api, { recipientEntityId: client }],
    [zoo, { userId: bob }],
  ] as const) {
    world.clock.advance(1);
    expectOk(await caller.post(grantPath(target), { grant }));
  }
  return { ...mall, zoo, bob };
}

forEachStorage((start) => {
  describe("searching grants", () => {
    requirement("grant.search", "goes by entity, by the name of the entity and by user", async () => {
      const { world, api, zoo, ann, bob, client } = await startFilled(start);
      const found = async (criteria: Readonly<Record<string, unknown>>): Promise<unknown[]> => {
        const answer = expectOk(await searchBoth(world, path, criteria));
        const grants = answer.at("grants") as { entity: { name: string }; userId?: string; recipientEntityId?: string }[];
        expect(answer.at("total")).toBe(grants.length);
        return grants.map(({ entity, userId, recipientEntityId }) => [entity.name, userId ?? recipientEntityId]);
      };
      const [onApi, onZoo] = ["API", "Zoo, the api"];
      expect(await found({ entityId: zoo })).toEqual([
        [onZoo, ann],
        [onZoo, bob],
      ]);
      expect(await found({ userId: bob.toUpperCase() })).toEqual([
        [onApi, bob],
        [onZoo, bob],
      ]);
      expect(await found({ entityId: api, userId: ann })).toEqual([]);
      expect(await found({ name: "zoo" })).toHaveLength(2);
      expect(await found({ name: "*API" })).toHaveLength(4);
      expect(await found({ name: "api*", userId: bob })).toEqual([[onApi, bob]]);
      expect(await found({ name: "client" })).toEqual([]);
      expect(await found({ orderBy: "insertInstant" })).toEqual([
        [onZoo, ann],
        [onApi, bob],
        [onApi, client],
        [onZoo, bob],
      ]);
      expect(await found({ orderBy: "name DESC, insertInstant DESC" })).toEqual([
        [onZoo, bob],
        [onZoo, ann],
        [onApi, client],
        [onApi, bob],
      ]);
    });

    requirement(["grant.search", "search.bad-criteria"], "refuses what is no criterion, naming it", async () => {
      const { caller, world } = await startFilled(start);
      expectRefusal(await searchBoth(world, path, { entityId: "x" }), 400, "[couldNotConvert]entityId");
      expectRefusal(await searchBoth(world, path, { userId: "x" }), 400, "[couldNotConvert]userId");
      expectRefusal(await searchBoth(world, path, { name: "*".repeat(35).replaceAll("*", "a*") }), 400, "[invalid]name");
      expectRefusal(await searchBoth(world, path, { orderBy: "id" }), 400, "[invalid]orderBy");
      expectRefusal(await caller.post(`${path}/search`, { search: { name: 7 } }), 400, "[invalidJSON]name");
    });

    requirement(["grant.search", "search.next-results"], "shows grants as GET does, page by page", async () => {
      const { caller, zoo } = await startFilled(start);
      const seen: unknown[] = [];
      let nextResults: unknown;
      do {
        const page = expectOk(await caller.post(`${path}/search`, { search: { name: "a", numberOfResults: 1, nextResults } }));
        expect(page.at("total")).toBe(4);
        seen.push(...(page.at("grants") as unknown[]));
        nextResults = page.at("nextResults");
      } while (nextResults !== undefined && seen.length < 10);
      expect(seen).toHaveLength(4);
      expect(seen.slice(2)).toEqual((await caller.get(grantPath(zoo))).at("grants"));
    });

    requirement(["grant.search", "search.fresh"], "follows an entity that is renamed", async () => {
      const { caller, world, api } = await startFilled(start);
      expectOk(await caller.patch(`/api/entity/${api}`, { entity: { name: "Renamed" } }));
      const answer = expectOk(await searchBoth(world, path, { name: "renamed" }));
      expect((answer.at("grants") as { entity: { name: string } }[]).map(({ entity }) => entity.name)).toEqual([
        "Renamed",
        "Renamed",
      ]);
    });
  });

  describe("grants of several tenants", () => {
    requirement("grant.tenant", "are not there for the callers of another tenant", async () => {
      const mall = await startFilled(start);
      const { world, api, ann, foreignTenantId, foreignUser, foreignClient } = mall;
      const before = (await world.caller.get(`${path}/search`)).text;
      const own = grantPath(api);
      for (const caller of [world.caller.inTenant(foreignTenantId), await callerOfTenant(world, foreignTenantId)]) {
        for (const grant of [{ userId: ann }, { userId: foreignUser }, { recipientEntityId: foreignClient }, {}]) {
          expectEmpty(await caller.post(own, { grant }), 404);
          expectEmpty(await caller.put(own, { grant }), 404);
        }
        expectEmpty(await caller.get(own), 404);
        expectEmpty(await caller.get(`${own}?userId=${ann}`), 404);
        expectEmpty(await caller.delete(`${own}?userId=${ann}`), 404);
        expect((await caller.get(`${path}/search?entityId=${api}`)).body).toEqual({ grants: [], total: 0 });
      }
      expect((await world.caller.get(`${path}/search`)).text).toBe(before);
    });

    requirement(
      "grant.tenant",
      "are created and found by the tenant of their key, despite a mismatching tenant header",
      async () => {
        const { world, foreignTenantId, foreignUser, foreignClient, ann } = await startFilled(start);
        const bound = await callerOfTenant(world, foreignTenantId);
        const own = grantPath(foreignClient);
        expectRefusal(await bound.post(own, { grant: { userId: ann } }), 400, "[invalid]grant.userId");
        expectEmpty(await bound.post(own, { grant: { userId: foreignUser } }), 200);
        expect((await bound.get(`${path}/search`)).each("grants", "userId")).toEqual([foreignUser]);
        expect((await world.caller.get(`${path}/search`)).at("total")).toBe(5);
        const mismatched = bound.inTenant(world.defaultTenantId);
        for (const method of ["GET", "POST", "PUT", "DELETE"])
          expectEmpty(await mismatched.send(method, `${own}?userId=${foreignUser}`), 401);
        expectEmpty(await mismatched.get(`${path}/search`), 401);
        expectEmpty(await bound.delete(`${own}?userId=${foreignUser}`), 200);
      },
    );

    requirement("grant.tenant", "need a key that may call /api/entity/grant with the method", async () => {
      const { world, api, ann } = await startFilled(start);
      const endpoints = { "/api/entity/grant": ["GET" as const] };
      await world.identity.apiKeys.create({ apiKey: { key: "reader", permissions: { endpoints } } });
      const reader = world.as("reader");
      expectOk(await reader.get(grantPath(api)));
      expectEmpty(await reader.put(grantPath(api), { grant: { userId: ann } }), 401);
      expectEmpty(await reader.get(`${path}/search`), 401);
      expectEmpty(await reader.get(`/api/entity/${api}`), 401);
    });
  });

  describe("the plan and the people that grants are for", () => {
    requirement("entity-type.plan", "must be at least starter to grant", async () => {
      const { caller } = await start({ plan: "community" });
      expectEmpty(await caller.post(grantPath(uuid(1)), { grant: { userId: uuid(2) } }), 404);
      const starter = await startMall(() => start({ plan: "starter" }));
      expectOk(await grantOn(starter, { userId: starter.ann }));
    });

    requirement(["grant.recipient", "service.directory"], "may be a host's own", async () => {
      const host = { tenantId: "", asked: [] as unknown[] };
      const directory: Directory = {
        findUsers: async ({ scope }, ids) => {
          host.asked.push(scope);
          return [{ id: uuid(1), tenantId: host.tenantId }].filter((user) => ids.includes(user.id));
        },
        findApplications: async () => [],
        findRoles: async () => [],
        findRegistrations: async () => [],
      };
      const world = await start({ directory });
      const { caller, defaultTenantId } = world;
      host.tenantId = defaultTenantId;
      const typeId = await makeEntityType(world, "API", [{ name: "read" }]);
      const api = await makeEntity(world, defaultTenantId, typeId, "API");
      expectEmpty(await caller.post(grantPath(api), { grant: { userId: uuid(1), permissions: ["read"] } }), 200);
      expectRefusal(await caller.post(grantPath(api), { grant: { userId: uuid(2) } }), 400, "[invalid]grant.userId");
      const own = { kind: "tenant", tenantId: defaultTenantId };
      expect(host.asked).toEqual([own, own]);
      expect((await caller.get(`${path}/search?userId=${uuid(1)}`)).at("total")).toBe(1);
      expectEmpty(await caller.delete(`${grantPath(api)}?userId=${uuid(1)}`), 200);
    });
  });
});
