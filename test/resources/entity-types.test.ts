import { describe, expect } from "vitest";
import { routes } from "../../src/families/index.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { removeApiEntity } from "../support/clients.js";
import { makeEntity, makeEntityType } from "../support/families/entities.js";
import { requirement } from "../support/requirement.js";
import { searchBoth } from "../support/search.js";
import { callerOfTenant, forEachStorage, uuid } from "../support/world.js";

const path = "/api/entity/type";

forEachStorage((start) => {
  describe("making entity types", () => {
    requirement("entity-type.fields", "shows the defaults of every field, and every field that is given", async () => {
      const { caller, clock } = await start();
      const instants = { insertInstant: clock.instant, lastUpdateInstant: clock.instant };
      const bare = expectOk(await caller.post(`${path}/${uuid(1)}`, { entityType: { name: "Bare" } }));
      expect(bare.body).toEqual({
        entityType: { id: uuid(1), name: "Bare", data: {}, jwtConfiguration: { enabled: false }, permissions: [], ...instants },
      });
      const fields = { name: "Full", data: { a: [1] }, jwtConfiguration: { enabled: true, timeToLiveInSeconds: 60 } };
      const full = expectOk(await caller.post(`${path}/${uuid(2)}`, { entityType: fields }));
      expect(full.at("entityType")).toEqual({ ...fields, id: uuid(2), permissions: [], ...instants });
      expect((await caller.get(`${path}/${uuid(2)}`)).text).toBe(full.text);
    });

    requirement(["entity-type.fields", "errors.all-at-once"], "refuses values of the wrong kind, all at once", async () => {
      const { caller } = await start();
      const jwtConfiguration = { enabled: "yes", timeToLiveInSeconds: 0, accessTokenKeyId: "x" };
      expectRefusal(
        await caller.post(path, { entityType: { name: 7, data: [], jwtConfiguration, permissions: {} } }),
        400,
        "[couldNotConvert]entityType.jwtConfiguration.accessTokenKeyId",
        "[invalid]entityType.jwtConfiguration.timeToLiveInSeconds",
        "[invalidJSON]entityType.data",
        "[invalidJSON]entityType.jwtConfiguration.enabled",
        "[invalidJSON]entityType.name",
        "[invalidJSON]entityType.permissions",
      );
      expectRefusal(await caller.post(path, {}), 400, "[missing]entityType");
    });

    requirement("entity-type.key", "refuses a key that does not exist", async () => {
      const { caller } = await start();
      const jwtConfiguration = { accessTokenKeyId: uuid(1) };
      const code = "[invalid]entityType.jwtConfiguration.accessTokenKeyId";
      expectRefusal(await caller.post(path, { entityType: { name: "A", jwtConfiguration } }), 400, code);
      expectOk(await caller.post(`${path}/${uuid(1)}`, { entityType: { name: "A" } }));
      expectRefusal(await caller.patch(`${path}/${uuid(1)}`, { entityType: { jwtConfiguration } }), 400, code);
    });

    requirement("entity-type.name", "needs a name that no other type has in any case", async () => {
      const world = await start();
      await makeEntityType(world, "Gerät");
      for (const [name, code] of [
        ["GERÄT", "[duplicate]entityType.name"],
        [" ", "[blank]entityType.name"],
        ["t".repeat(192), "[tooLong]entityType.name"],
      ])
        expectRefusal(await world.caller.post(path, { entityType: { name } }), 400, `${code}`);
    });

    requirement("entity-type.permissions", "makes the permissions that come along, in order of name", async () => {
      const world = await start();
      const { caller, clock } = world;
      await removeApiEntity(world);
      const permissions = [
        { name: "write", isDefault: true, description: "d", data: { a: 1 } },
        { name: "Read", id: uuid(5) },
      ];
      const made = expectOk(await caller.post(path, { entityType: { name: "API", permissions } }));
      const instants = { insertInstant: clock.instant, lastUpdateInstant: clock.instant };
      expect(made.at("entityType.permissions")).toEqual([
        { id: uuid(5), name: "Read", data: {}, isDefault: false, ...instants },
        { ...permissions[0], id: expect.any(String), ...instants },
      ]);
      const own = `${path}/${made.textAt("entityType.id")}`;
      expect((await caller.get(own)).at("entityType.permissions")).toEqual(made.at("entityType.permissions"));
      expect((await caller.get(path)).at("entityTypes.0.permissions")).toEqual(made.at("entityType.permissions"));
      expect((await caller.get(`${path}/search`)).at("entityTypes.0.permissions")).toEqual(made.at("entityType.permissions"));
      for (const change of [
        () => caller.put(own, { entityType: { name: "API", permissions: [] } }),
        () => caller.patch(own, { entityType: { permissions: [{ name: "new" }] } }),
        () => caller.mergePatch(own, { entityType: { permissions: null } }),
      ])
        expect(expectOk(await change()).each("entityType.permissions", "name")).toEqual(["Read", "write"]);
    });

    requirement(
      ["entity-type.permissions", "errors.paths"],
      "refuses bad, equal and taken permissions, and then makes no type",
      async () => {
        const world = await start();
        const { caller } = world;
        await removeApiEntity(world);
        const post = (name: string, permissions: unknown[]): ReturnType<typeof caller.post> =>
          caller.post(path, { entityType: { name, permissions } });
        expectRefusal(
          await post("API", [{}, { name: "ok", id: "x", isDefault: 1 }, 7]),
          400,
          "[blank]entityType.permissions[0].name",
          "[couldNotConvert]entityType.permissions[1].id",
          "[invalidJSON]entityType.permissions[1].isDefault",
          "[invalidJSON]entityType.permissions[2]",
        );
        const equal = await post("API", [{ name: "a" }, { name: "A" }]);
        expectRefusal(equal, 400, "[duplicate]entityType.permissions.name");
        const many = Array.from({ length: 1_001 }, (_, index) => ({ name: `n${index}` }));
        expectRefusal(await post("API", many), 400, "[tooMany]entityType.permissions");
        expect((await caller.get(path)).at("entityTypes")).toEqual([]);
        expectOk(await post("API", [{ name: "a", id: uuid(5) }]));
        expectRefusal(await post("Shop", [{ name: "a", id: uuid(5) }]), 400, "[duplicate]entityType.permissions.id");
        expect((await caller.get(path)).each("entityTypes", "name")).toEqual(["API"]);
      },
    );
  });

  describe("finding and removing entity types", () => {
    requirement("entity-type.search", "searches by name and orders by name, instants and number of permissions", async () => {
      const world = await start();
      const { caller } = world;
      await removeApiEntity(world);
      const permissions = (count: number): object[] => Array.from({ length: count }, (_, index) => ({ name: `p${index}` }));
      const ids: Record<string, string> = {};
      for (const [name, count] of [
        ["beta", 2],
        ["Alpha", 0],
        ["gamma", 1],
      ] as const) {
        world.clock.advance(1);
        ids[name] = await makeEntityType(world, name, permissions(count));
      }
      const names = async (criteria: Readonly<Record<string, unknown>>): Promise<unknown[]> =>
        expectOk(await searchBoth(world, path, criteria)).each("entityTypes", "name");
      expect(await names({})).toEqual(["Alpha", "beta", "gamma"]);
      expect(await names({ name: "*ta" })).toEqual(["beta"]);
      expect(await names({ orderBy: "insertInstant DESC" })).toEqual(["gamma", "Alpha", "beta"]);
      expect(await names({ orderBy: "entityTypePermissionsCount" })).toEqual(["Alpha", "gamma", "beta"]);
      expect(await names({ orderBy: "entityTypePermissionsCount DESC, name" })).toEqual(["beta", "gamma", "Alpha"]);
      // The number follows what becomes of the permissions, and survives changes of the type.
      world.clock.advance(1);
      expectOk(await caller.put(`${path}/${ids.beta}`, { entityType: { name: "beta" } }));
      for (const name of ["a", "b", "c"])
        expectOk(await caller.post(`${path}/${ids.Alpha}/permission`, { permission: { name } }));
      expectOk(await caller.delete(`${path}/${ids.gamma}/permission?name=p0`));
      expect(await names({ orderBy: "entityTypePermissionsCount DESC" })).toEqual(["Alpha", "beta", "gamma"]);
      expect((await caller.get(`${path}/${ids.gamma}`)).at("entityType.permissions")).toEqual([]);
      expect(await names({ orderBy: "lastUpdateInstant" })).toEqual(["Alpha", "gamma", "beta"]);
      expect(await names({ orderBy: "id", numberOfResults: 1 })).toEqual(["beta"]);
      expectRefusal(await searchBoth(world, path, { orderBy: "permissions" }), 400, "[invalid]orderBy");
    });

    requirement(
      ["entity-type.in-use", "entity-type.remove"],
      "refuses to remove a type of which there are entities",
      async () => {
        const world = await start();
        const { caller } = world;
        const typeId = await makeEntityType(world, "API", [{ name: "read", id: uuid(5) }]);
        const entityId = await makeEntity(world, world.defaultTenantId, typeId, "Billing");
        expectRefusal(await caller.delete(`${path}/${typeId}`), 400, "[inUse]entityTypeId");
        expect((await caller.get(`${path}/${typeId}`)).each("entityType.permissions", "id")).toEqual([uuid(5)]);
        expectOk(await caller.delete(`/api/entity/${entityId}`));
        expectEmpty(await caller.delete(`${path}/${typeId}`), 200);
        // The ids and names are free again: nothing of the type is left.
        await makeEntityType(world, "API", [{ name: "read", id: uuid(5) }]);
      },
    );

    requirement("entity-type.global", "is for global keys without a tenant header, at every path of types", async () => {
      const world = await start();
      const bound = await callerOfTenant(world, world.defaultTenantId);
      const own = routes.filter((route) => route.path.startsWith(path) && !route.path.includes("permission"));
      expect(own).toHaveLength(12);
      for (const { method, path: pattern } of own)
        for (const caller of [bound, world.caller.inTenant(world.defaultTenantId), world.caller.inTenant("x")])
          expectEmpty(await caller.send(method, pattern.replace(/:\w+/, uuid(1))), 401);
    });

    requirement("entity-type.version", "is there from 1.26.0 on, with everything about entities", async () => {
      const own = routes.filter((route) => route.path.startsWith("/api/entity"));
      const { caller } = await start({ version: "1.25.9" });
      for (const { method, path: pattern } of own)
        expectEmpty(await caller.send(method, pattern.replaceAll(/:\w+/g, uuid(1))), 404);
      const later = await start({ version: "1.26.0" });
      const typeId = await makeEntityType(later, "API", [{ name: "read" }]);
      const entityId = await makeEntity(later, later.defaultTenantId, typeId, "Billing");
      expectOk(await later.caller.get(`/api/entity/${entityId}/grant`));
      for (const family of ["entity", "entity/type", "entity/grant"]) expectOk(await later.caller.get(`/api/${family}/search`));
    });

    requirement("entity-type.plan", "needs the plan starter, with everything about entities", async () => {
      const { caller } = await start({ plan: "community" });
      expectRefusal(await caller.post(path, { entityType: { name: "A" } }), 400, "[notLicensed]entityType");
      expectRefusal(await caller.post("/api/entity", { entity: { name: "A" } }), 400, "[notLicensed]entity");
      const permission = await caller.post(`${path}/${uuid(1)}/permission`, { permission: { name: "A" } });
      expectRefusal(permission, 400, "[notLicensed]permission");
      expectOk(await caller.get(path));
      const starter = await start({ plan: "starter" });
      await makeEntity(starter, starter.defaultTenantId, await makeEntityType(starter, "API"), "Billing");
    });
  });
});
