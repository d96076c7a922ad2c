import { describe, expect } from "vitest";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import type { Caller } from "../support/caller.js";
import { makeEntity, makeEntityType } from "../support/families/entities.js";
import { makeUser } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, makeTenant, type Start, uuid, type World } from "../support/world.js";

const permissions = [
  { name: "read", id: uuid(900), isDefault: true },
  { name: "write", id: uuid(901) },
  { name: "Admin", id: uuid(902) },
];

interface Api {
  readonly world: World;
  readonly typeId: string;
  readonly path: string;
}

/** A type with three permissions. */
async function startApi(start: Start): Promise<Api> {
  const world = await start();
  const typeId = await makeEntityType(world, "API", permissions);
  return { world, typeId, path: `/api/entity/type/${typeId}/permission` };
}

/** Grants permissions on a fresh entity of a type to a fresh user, and answers the path of the grant. */
async function makeGrant(world: World, tenantId: string, typeId: string, names: readonly string[]): Promise<string> {
  const entityId = await makeEntity(world, tenantId, typeId, `Entity of ${tenantId}`);
  const userId = await makeUser(world, tenantId, "a@example.com");
  expectOk(await world.caller.post(`/api/entity/${entityId}/grant`, { grant: { userId, permissions: names } }));
  return `/api/entity/${entityId}/grant?userId=${userId}`;
}

forEachStorage((start) => {
  describe("the permissions of an entity type", () => {
    requirement("permission.fields", "have a name, a description, data and a mark", async () => {
      const { world, path } = await startApi(start);
      const instants = { insertInstant: world.clock.instant, lastUpdateInstant: world.clock.instant };
      const bare = expectOk(await world.caller.post(`${path}/${uuid(1)}`, { permission: { name: "bare" } }));
      expect(bare.body).toEqual({ permission: { id: uuid(1), name: "bare", data: {}, isDefault: false, ...instants } });
      const fields = { name: "full", description: "all", isDefault: true, data: { a: [1] } };
      const full = expectOk(await world.caller.post(`${path}/${uuid(2)}`, { permission: fields }));
      expect(full.at("permission")).toEqual({ ...fields, id: uuid(2), ...instants });
      expect((await world.caller.get(`${path}/${uuid(2)}`)).text).toBe(full.text);
      const wrong = { name: 7, description: 7, isDefault: "yes", data: [] };
      const codes = Object.keys(wrong).map((field) => `[invalidJSON]permission.${field}`);
      expectRefusal(await world.caller.post(path, { permission: wrong }), 400, ...codes);
      expectRefusal(await world.caller.post(path, {}), 400, "[missing]permission");
    });

    requirement("permission.name", "need a name that no other permission of the type has in any case", async () => {
      const { world, path } = await startApi(start);
      expectRefusal(await world.caller.post(path, { permission: { name: "READ" } }), 400, "[duplicate]permission.name");
      expectRefusal(await world.caller.post(path, { permission: {} }), 400, "[blank]permission.name");
      expectRefusal(await world.caller.post(path, { permission: { name: "p".repeat(192) } }), 400, "[tooLong]permission.name");
      const taken = await world.caller.patch(`${path}/${uuid(901)}`, { permission: { name: "Read" } });
      expectRefusal(taken, 400, "[duplicate]permission.name");
      const other = await makeEntityType(world, "Other");
      expectOk(await world.caller.post(`/api/entity/type/${other}/permission`, { permission: { name: "read" } }));
    });

    requirement("permission.type", "are found below their own type only", async () => {
      const { world, path } = await startApi(start);
      const { caller } = world;
      for (const typeId of [await makeEntityType(world, "Other"), uuid(99)]) {
        const elsewhere = `/api/entity/type/${typeId}/permission`;
        expectEmpty(await caller.get(`${elsewhere}/${uuid(900)}`), 404);
        expectEmpty(await caller.put(`${elsewhere}/${uuid(900)}`, { permission: { name: "mine" } }), 404);
        expectEmpty(await caller.patch(`${elsewhere}/${uuid(900)}`, { permission: {} }), 404);
        expectEmpty(await caller.delete(`${elsewhere}/${uuid(900)}`), 404);
        expectEmpty(await caller.delete(`${elsewhere}?name=read`), 404);
      }
      expectEmpty(await caller.post(`/api/entity/type/${uuid(99)}/permission`, { permission: { name: "new" } }), 404);
      expectEmpty(await caller.get(`/api/entity/type/${uuid(99)}/permission`), 404);
      const malformed = await caller.post("/api/entity/type/x/permission", { permission: { name: "new" } });
      expectRefusal(malformed, 400, "[couldNotConvert]entityTypeId");
      expect((await caller.get(path)).each("permissions", "name")).toEqual(["Admin", "read", "write"]);
    });

    requirement("permission.list", "are listed in order of name, or answered by id", async () => {
      const { world, path } = await startApi(start);
      expect((await world.caller.get(path)).each("permissions", "id")).toEqual([uuid(902), uuid(900), uuid(901)]);
      expect((await world.caller.get(`${path}?permissionId=${uuid(901)}`)).at("permission.name")).toBe("write");
      const empty = await makeEntityType(world, "Empty");
      expect((await world.caller.get(`/api/entity/type/${empty}/permission`)).text).toBe('{"permissions":[]}');
    });

    requirement("permission.delete-by-name", "are deleted by name in any case, by id before all", async () => {
      const { world, path } = await startApi(start);
      expectEmpty(await world.caller.delete(`${path}?name=ADMIN`), 200);
      expectEmpty(await world.caller.delete(`${path}?name=admin`), 404);
      expectEmpty(await world.caller.delete(`${path}/${uuid(900)}?name=write`), 200);
      expectRefusal(await world.caller.delete(`${path}?name=`), 400, "[missing]permissionId");
      expect((await world.caller.get(path)).each("permissions", "name")).toEqual(["write"]);
    });

    requirement("permission.followed", "are followed by the grants of all tenants when they are renamed or removed", async () => {
      const { world, typeId, path } = await startApi(start);
      const { caller, defaultTenantId } = world;
      const other = await makeTenant(world, "Other");
      const elsewhere = await makeEntityType(world, "Elsewhere", [{ name: "read" }, { name: "write" }]);
      const grants = [
        await makeGrant(world, defaultTenantId, typeId, ["write", "read"]),
        await makeGrant(world, other, typeId, ["read"]),
        await makeGrant(world, await makeTenant(world, "Third"), elsewhere, ["read", "write"]),
      ];
      const held = (): Promise<unknown[]> =>
        Promise.all(grants.map(async (grant) => expectOk(await caller.get(grant)).at("grant.permissions")));
      expectOk(await caller.patch(`${path}/${uuid(900)}`, { permission: { name: "look" } }));
      expect(await held()).toEqual([["write", "look"], ["look"], ["read", "write"]]);
      expectOk(await caller.put(`${path}/${uuid(901)}`, { permission: { name: "WRITE" } }));
      expect(await held()).toEqual([["WRITE", "look"], ["look"], ["read", "write"]]);
      expectOk(await caller.delete(`${path}/${uuid(900)}`));
      expect(await held()).toEqual([["WRITE"], [], ["read", "write"]]);
      // A permission with the name of one that went is another one.
      expectOk(await caller.post(path, { permission: { name: "look" } }));
      expect(await held()).toEqual([["WRITE"], [], ["read", "write"]]);
    });
  });

  describe("the permissions of an entity type, for a caller of one tenant", () => {
    const writes = (caller: Caller, path: string): Promise<Answer>[] => [
      caller.post(path, { permission: { name: "mine" } }),
      caller.post(`${path}/${uuid(1)}`, { permission: { name: "mine" } }),
      caller.put(`${path}/${uuid(900)}`, { permission: { name: "mine" } }),
      caller.patch(`${path}/${uuid(900)}`, { permission: { name: "mine" } }),
      caller.delete(`${path}/${uuid(900)}`),
      caller.delete(`${path}?name=read`),
    ];

    requirement("permission.shared", "can be read and not changed", async () => {
      const { world, path } = await startApi(start);
      const other = await makeTenant(world, "Other");
      const bound = await callerOfTenant(world, other);
      const before = (await world.caller.get(path)).text;
      for (const caller of [bound, bound.inTenant(other)]) {
        expect(expectOk(await caller.get(path)).text).toBe(before);
        expect(expectOk(await caller.get(`${path}/${uuid(900)}`)).at("permission.name")).toBe("read");
        for (const answer of await Promise.all(writes(caller, path))) expectEmpty(answer, 401);
      }
      for (const answer of await Promise.all([...writes(bound.inTenant(uuid(99)), path), bound.inTenant(uuid(99)).get(path)]))
        expectEmpty(answer, 401);
      expect((await world.caller.get(path)).text).toBe(before);
    });

    requirement("permission.shared", "are the same with a tenant header and a global key", async () => {
      const { world, path } = await startApi(start);
      const caller = world.caller.inTenant(world.defaultTenantId);
      expectOk(await caller.post(`${path}/${uuid(1)}`, { permission: { name: "new" } }));
      expect((await caller.get(path)).each("permissions", "name")).toEqual(["Admin", "new", "read", "write"]);
      expectOk(await caller.put(`${path}/${uuid(1)}`, { permission: { name: "newer" } }));
      expectOk(await caller.patch(`${path}/${uuid(1)}`, { permission: { description: "d" } }));
      expectEmpty(await caller.delete(`${path}/${uuid(1)}`), 200);
      expectRefusal(await world.caller.inTenant("x").get(path), 400, "[couldNotConvert]X-Service-TenantId");
    });

    requirement("permission.shared", "can be read and not changed in process either", async () => {
      const { world, typeId } = await startApi(start);
      const bound = world.identity.as({ kind: "host", tenantId: world.defaultTenantId });
      expect((await bound.entityTypePermissions.list({ entityTypeId: typeId })).permissions).toHaveLength(3);
      const refused = bound.entityTypePermissions.create({ entityTypeId: typeId, permission: { name: "mine" } });
      await expect(refused).rejects.toMatchObject({ status: 401 });
    });
  });
});
