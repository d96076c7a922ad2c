import { describe, expect } from "vitest";
import { makeEntity, makeEntityType } from "../support/families/entities.js";
import { makeApplication, makeUser } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid } from "../support/world.js";

forEachStorage((start) => {
  describe("calls in process for what lies below another record", () => {
    requirement("service.addressed", "make, read, change and remove a permission of a type", async () => {
      const world = await start();
      const { identity, caller } = world;
      const entityTypeId = await makeEntityType(world, "API");
      const id = { entityTypeId, permissionId: uuid(1) };
      const { permission } = await identity.entityTypePermissions.create({ ...id, permission: { name: "read" } });
      expect(await identity.entityTypePermissions.retrieve(id)).toEqual({ permission });
      expect(await identity.entityTypePermissions.list({ entityTypeId })).toEqual({ permissions: [permission] });
      await identity.entityTypePermissions.update({ ...id, permission: { name: "look" } });
      await identity.entityTypePermissions.patch({ ...id, patch: { permission: { description: "d" } } });
      const path = `/api/entity/type/${entityTypeId}/permission`;
      expect((await caller.get(path)).at("permissions.0")).toMatchObject({ name: "look", description: "d" });
      await identity.entityTypePermissions.remove({ entityTypeId, name: "LOOK" });
      expect((await caller.get(path)).at("permissions")).toEqual([]);
    });

    requirement("service.addressed", "make, change and remove a role of an application", async () => {
      const world = await start();
      const { identity, caller } = world;
      const applicationId = await makeApplication(world, world.defaultTenantId, "Forum");
      const id = { applicationId, roleId: uuid(1) };
      await identity.applicationRoles.create({ ...id, role: { name: "editor" } });
      await identity.applicationRoles.update({ ...id, role: { name: "writer" } });
      await identity.applicationRoles.patch({ ...id, patch: { role: { description: "d" } } });
      const path = `/api/application/${applicationId}`;
      expect((await caller.get(path)).at("application.roles.0")).toMatchObject({ name: "writer", description: "d" });
      await identity.applicationRoles.remove({ applicationId, name: "writer" });
      expect((await caller.get(path)).at("application.roles")).toEqual([]);
    });

    requirement("service.addressed", "read, change and remove a registration", async () => {
      const world = await start();
      const { identity, caller } = world;
      const applicationId = await makeApplication(world, world.defaultTenantId, "Forum");
      const userId = await makeUser(world, world.defaultTenantId, "a@example.com");
      const id = { userId, applicationId };
      await identity.registrations.create({ userId, registration: { applicationId } });
      expect((await identity.registrations.retrieve(id)).registration.applicationId).toBe(applicationId);
      await identity.registrations.update({ ...id, registration: { username: "ann" } });
      await identity.registrations.patch({ ...id, patch: { registration: { timezone: "UTC" } } });
      const path = `/api/user/registration/${userId}/${applicationId}`;
      expect((await caller.get(path)).at("registration")).toMatchObject({ username: "ann", timezone: "UTC" });
      await identity.registrations.remove(id);
      expect((await caller.get(path)).status).toBe(404);
    });

    requirement("service.addressed", "make, read and remove a grant on an entity", async () => {
      const world = await start();
      const { identity } = world;
      const entityTypeId = await makeEntityType(world, "API", [{ name: "read" }]);
      const entityId = await makeEntity(world, world.defaultTenantId, entityTypeId, "API");
      const userId = await makeUser(world, world.defaultTenantId, "a@example.com");
      const grant = { userId, permissions: ["read"] };
      expect(await identity.entityGrants.upsert({ entityId, grant })).toBeUndefined();
      const found = await identity.entityGrants.find({ entityId, userId });
      expect(found).toMatchObject({ grant: { ...grant, entity: { id: entityId } } });
      expect(await identity.entityGrants.find({ entityId })).toMatchObject({ grants: [grant] });
      expect((await identity.entityGrants.search({ search: { entityId } })).total).toBe(1);
      await identity.entityGrants.remove({ entityId, userId });
      expect(await identity.entityGrants.find({ entityId })).toEqual({ grants: [] });
    });
  });
});
