import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { removeApiEntity } from "../support/clients.js";
import { familyCases } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { searchBoth } from "../support/search.js";
import { callerOfTenant, forEachStorage, makeTenant, uuid } from "../support/world.js";

const tenantFamilies = familyCases.filter((family) => ["applications", "users", "groups", "entities"].includes(family.name));

forEachStorage((start) => {
  describe.each(tenantFamilies)("$name", (family) => {
    const { wrapper } = family;
    const plural = family.name;
    const isListed = plural !== "users";

    requirement("tenant-scope.only-one", "belong to the only tenant there is", async () => {
      const world = await start();
      const place = await family.arrange(world, world.defaultTenantId);
      expect(expectOk(await world.caller.post(place.collection, place.body(1))).at(`${wrapper}.tenantId`)).toBe(
        world.defaultTenantId,
      );
    });

    requirement("tenant-scope.required", "need a tenant once there are several", async () => {
      const world = await start();
      await makeTenant(world, "Other");
      const place = await family.arrange(world, world.defaultTenantId);
      const answer = await world.caller.post(place.collection, place.body(1));
      expectRefusal(answer, 400, "[TenantIdRequired]");
      expect(answer.at("generalErrors.0.message")).toMatch(/tenant id/i);
    });

    requirement(["tenant-scope.header", "tenant-scope.key"], "belong to the tenant of the header or the key", async () => {
      const world = await start();
      const other = await makeTenant(world, "Other");
      const place = await family.arrange(world, other);
      const callers = [world.caller.inTenant(other), await callerOfTenant(world, other)];
      for (const [index, caller] of callers.entries()) {
        const made = expectOk(await caller.post(place.collection, place.body(index)));
        expect(made.at(`${wrapper}.tenantId`)).toBe(other);
      }
    });

    requirement("tenant-scope.body", "belong to the tenant in the body unless the caller is bound to one", async () => {
      const world = await start();
      const other = await makeTenant(world, "Other");
      const place = await family.arrange(world, other);
      const inTenant = (tenantId: unknown, number: number): object => ({
        [wrapper]: { ...place.body(number)[wrapper], tenantId },
      });
      expect(expectOk(await world.caller.post(place.collection, inTenant(other, 1))).at(`${wrapper}.tenantId`)).toBe(other);
      const header = await world.caller.inTenant(other).post(place.collection, inTenant(world.defaultTenantId, 2));
      expect(expectOk(header).at(`${wrapper}.tenantId`)).toBe(other);
      const bound = await callerOfTenant(world, other);
      const byKey = await bound.post(place.collection, inTenant(world.defaultTenantId, 3));
      expect(expectOk(byKey).at(`${wrapper}.tenantId`)).toBe(other);
      const unknown = await world.caller.post(place.collection, inTenant(uuid(99), 4));
      expectRefusal(unknown, 400, `[invalid]${wrapper}.tenantId`);
      const malformed = await world.caller.post(place.collection, inTenant("x", 5));
      expectRefusal(malformed, 400, `[couldNotConvert]${wrapper}.tenantId`);
    });

    requirement("tenant-scope.unknown", "are refused in a tenant that does not exist, and not found there", async () => {
      const world = await start();
      const place = await family.arrange(world, world.defaultTenantId);
      expectOk(await world.caller.post(place.collection, place.body(1)));
      const caller = world.caller.inTenant(uuid(99));
      expectRefusal(await caller.post(place.collection, place.body(2)), 400, "[invalid]tenantId");
      expect((await caller.get(`${place.collection}/search`)).body).toEqual({ [plural]: [], total: 0 });
      if (isListed) expect((await caller.get(place.collection)).body).toEqual({ [plural]: [] });
    });

    requirement(["tenant-scope.lists", "tenant-scope.search-overruled"], "are listed and searched by tenant", async () => {
      const world = await start();
      await removeApiEntity(world);
      const other = await makeTenant(world, "Other");
      const place = await family.arrange(world, other);
      const own = expectOk(await world.caller.inTenant(world.defaultTenantId).post(place.collection, place.body(1)));
      const foreign = expectOk(await world.caller.inTenant(other).post(place.collection, place.body(2)));
      const [ownId, foreignId] = [own.textAt(`${wrapper}.id`), foreign.textAt(`${wrapper}.id`)];
      const search = `${place.collection}/search`;
      for (const caller of [world.caller.inTenant(other), await callerOfTenant(world, other)]) {
        if (isListed) expect((await caller.get(place.collection)).each(plural, "id")).toEqual([foreignId]);
        expect((await caller.get(search)).each(plural, "id")).toEqual([foreignId]);
        for (const tenantId of [world.defaultTenantId, uuid(99)]) {
          const overruled = await caller.post(search, { search: { tenantId } });
          expect(overruled.each(plural, "id")).toEqual([foreignId]);
          expect(overruled.at("total")).toBe(1);
        }
      }
      const byTenant = await searchBoth(world, place.collection, { tenantId: world.defaultTenantId.toUpperCase() });
      expect(byTenant.each(plural, "id")).toEqual([ownId]);
      expect((await searchBoth(world, place.collection, {})).at("total")).toBe(2);
      expect((await searchBoth(world, place.collection, { tenantId: uuid(99) })).at("total")).toBe(0);
      expectRefusal(await searchBoth(world, place.collection, { tenantId: "x" }), 400, "[couldNotConvert]tenantId");
    });
  });

  describe("the search of groups and applications", () => {
    requirement(["group.search", "application.search"], "orders by the name of the tenant", async () => {
      const world = await start();
      const zulu = await makeTenant(world, "Zulu");
      const alpha = await makeTenant(world, "alpha");
      for (const [path, wrapper, plural] of [
        ["/api/group", "group", "groups"],
        ["/api/application", "application", "applications"],
      ] as const) {
        for (const [name, tenantId] of [
          ["z", zulu],
          ["a", alpha],
          ["d", world.defaultTenantId],
        ] as const)
          expectOk(await world.caller.inTenant(tenantId).post(path, { [wrapper]: { name } }));
        expect((await searchBoth(world, path, { orderBy: "tenant" })).each(plural, "name")).toEqual(["a", "d", "z"]);
        expect((await searchBoth(world, path, { orderBy: "tenant DESC" })).each(plural, "name")).toEqual(["z", "d", "a"]);
      }
    });
  });

  describe("global-only endpoints", () => {
    requirement("tenant-scope.global-key", "refuse a tenant-scoped key, with or without its header", async () => {
      const world = await start();
      const caller = await callerOfTenant(world, world.defaultTenantId);
      for (const one of [caller, caller.inTenant(world.defaultTenantId)]) {
        expectEmpty(await one.get("/api/tenant/search"), 401);
        expectEmpty(await one.post("/api/tenant/search", {}), 401);
      }
    });

    requirement("tenant-scope.global-header", "refuse any tenant header from 1.65.0 on", async () => {
      const world = await start();
      for (const header of [world.defaultTenantId, uuid(99), "malformed", ""])
        expectEmpty(await world.caller.inTenant(header).get("/api/tenant/search"), 401);
      expectOk(await world.caller.get("/api/tenant/search"));
    });

    requirement("tenant-scope.global-header", "ignore a tenant header before 1.65.0, but not a scoped key", async () => {
      const world = await start({ version: "1.64.0" });
      for (const header of [world.defaultTenantId, uuid(99), "malformed"])
        expect((await world.caller.inTenant(header).get("/api/tenant/search")).at("total")).toBe(1);
      expectEmpty(await (await callerOfTenant(world, world.defaultTenantId)).get("/api/tenant/search"), 401);
    });
  });
});
