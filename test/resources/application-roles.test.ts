import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeApplication, makeGroup, makeUser } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, uuid, type World } from "../support/world.js";

/** A user who is registered to an application with roles of the registration and of a group. */
async function startForum(world: World): Promise<{ applicationId: string; userId: string; groupId: string; roles: string }> {
  const { defaultTenantId, caller } = world;
  const applicationId = await makeApplication(world, defaultTenantId, "Forum", [
    { name: "editor" },
    { name: "viewer" },
    { name: "admin" },
  ]);
  const userId = await makeUser(world, defaultTenantId, "a@example.com");
  const groupId = await makeGroup(world, defaultTenantId, "Viewers", [uuid(901)]);
  expectOk(await caller.post(`/api/user/registration/${userId}`, { registration: { applicationId, roles: ["editor"] } }));
  expectOk(await caller.post("/api/group/member", { members: { [groupId]: [{ userId }] } }));
  return { applicationId, userId, groupId, roles: `/api/application/${applicationId}/role` };
}

forEachStorage((start) => {
  describe("the roles of an application", () => {
    requirement("role.fields", "have a name, a description and two marks", async () => {
      const world = await start();
      const roles = `/api/application/${await makeApplication(world, world.defaultTenantId, "Forum")}/role`;
      const instants = { insertInstant: world.clock.instant, lastUpdateInstant: world.clock.instant };
      const bare = expectOk(await world.caller.post(`${roles}/${uuid(1)}`, { role: { name: "bare" } }));
      expect(bare.body).toEqual({ role: { id: uuid(1), name: "bare", isDefault: false, isSuperRole: false, ...instants } });
      const fields = { name: "full", description: "all", isDefault: true, isSuperRole: true };
      const full = expectOk(await world.caller.post(`${roles}/${uuid(2)}`, { role: fields }));
      expect(full.at("role")).toEqual({ ...fields, id: uuid(2), ...instants });
      const wrong = { name: 7, description: 7, isDefault: "yes", isSuperRole: 1 };
      const codes = ["description", "isDefault", "isSuperRole", "name"].map((field) => `[invalidJSON]role.${field}`);
      expectRefusal(await world.caller.post(roles, { role: wrong }), 400, ...codes);
    });

    requirement("role.name", "need a name that no other role of the application has in any case", async () => {
      const world = await start();
      const forum = `/api/application/${await makeApplication(world, world.defaultTenantId, "Forum", [{ name: "Editor" }])}/role`;
      const shop = `/api/application/${await makeApplication(world, world.defaultTenantId, "Shop", [{ id: uuid(1), name: "x" }])}/role`;
      expectRefusal(await world.caller.post(forum, { role: { name: "EDITOR" } }), 400, "[duplicate]role.name");
      expectRefusal(await world.caller.post(forum, { role: {} }), 400, "[blank]role.name");
      expectRefusal(await world.caller.post(forum, { role: { name: "r".repeat(192) } }), 400, "[tooLong]role.name");
      expectOk(await world.caller.post(shop, { role: { name: "EDITOR" } }));
      expectRefusal(await world.caller.patch(`${shop}/${uuid(1)}`, { role: { name: "editor" } }), 400, "[duplicate]role.name");
    });

    requirement("role.application", "are found below their own application only", async () => {
      const world = await start();
      const { caller, defaultTenantId } = world;
      const forum = await makeApplication(world, defaultTenantId, "Forum", [{ name: "editor" }]);
      const shop = await makeApplication(world, defaultTenantId, "Shop");
      for (const applicationId of [shop, uuid(99)]) {
        const path = `/api/application/${applicationId}/role`;
        expectEmpty(await caller.put(`${path}/${uuid(900)}`, { role: { name: "mine" } }), 404);
        expectEmpty(await caller.patch(`${path}/${uuid(900)}`, { role: {} }), 404);
        expectEmpty(await caller.delete(`${path}/${uuid(900)}`), 404);
        expectEmpty(await caller.delete(`${path}?name=editor`), 404);
      }
      expectEmpty(await caller.post(`/api/application/${uuid(99)}/role`, { role: { name: "new" } }), 404);
      const malformed = await caller.post("/api/application/x/role", { role: { name: "new" } });
      expectRefusal(malformed, 400, "[couldNotConvert]applicationId");
      expect((await caller.get(`/api/application/${forum}`)).each("application.roles", "name")).toEqual(["editor"]);
    });

    requirement("tenant-scope.inferred", "are in the tenant of their application", async () => {
      const world = await start();
      const other = await makeTenant(world, "Other");
      const applicationId = await makeApplication(world, other, "Forum");
      expectOk(await world.caller.post(`/api/application/${applicationId}/role/${uuid(1)}`, { role: { name: "r" } }));
      await makeGroup(world, other, "G", [uuid(1)]);
      const stranger = world.caller.inTenant(world.defaultTenantId);
      expectEmpty(await stranger.post(`/api/application/${applicationId}/role`, { role: { name: "s" } }), 404);
    });

    requirement("role.delete-by-name", "are deleted by name in any case, by id before all", async () => {
      const world = await start();
      const { roles, applicationId } = await startForum(world);
      expectEmpty(await world.caller.delete(`${roles}?name=VIEWER`), 200);
      expectEmpty(await world.caller.delete(`${roles}?name=viewer`), 404);
      expectEmpty(await world.caller.delete(`${roles}/${uuid(900)}?name=admin`), 200);
      expectRefusal(await world.caller.delete(`${roles}?name=`), 400, "[missing]roleId");
      const left = await world.caller.get(`/api/application/${applicationId}`);
      expect(left.each("application.roles", "name")).toEqual(["admin"]);
    });
  });

  describe("the effective roles of a user", () => {
    requirement(
      ["roles.effective", "roles.not-copied"],
      "are those of the registration and of the groups, in order of name",
      async () => {
        const world = await start();
        const { applicationId, userId, groupId } = await startForum(world);
        const effective = (): Promise<readonly string[]> => world.identity.effectiveRoles({ userId, applicationId });
        expect(await effective()).toEqual(["editor", "viewer"]);
        const registration = await world.caller.get(`/api/user/registration/${userId}/${applicationId}`);
        expect(registration.at("registration.roles")).toEqual(["editor"]);
        const more = await makeGroup(world, world.defaultTenantId, "Admins", [uuid(902), uuid(900)]);
        expectOk(await world.caller.post("/api/group/member", { members: { [more]: [{ userId }] } }));
        expect(await effective()).toEqual(["admin", "editor", "viewer"]);
        expectOk(await world.caller.delete(`/api/group/member?groupId=${more}&userId=${userId}`));
        expect(await effective()).toEqual(["editor", "viewer"]);
        expectOk(await world.caller.put(`/api/group/${groupId}`, { group: { name: "Empty" } }));
        expect(await effective()).toEqual(["editor"]);
      },
    );

    requirement("group.delete", "lose what a group carried when the group goes, and keep the explicit ones", async () => {
      const world = await start();
      const { applicationId, userId, groupId } = await startForum(world);
      expectOk(await world.caller.delete(`/api/group/${groupId}`));
      expect(await world.identity.effectiveRoles({ userId, applicationId })).toEqual(["editor"]);
    });

    requirement("roles.registered-only", "are none without a registration to that application", async () => {
      const world = await start();
      const { applicationId, userId } = await startForum(world);
      const shop = await makeApplication(world, world.defaultTenantId, "Shop", [{ id: uuid(5), name: "clerk" }]);
      expect(await world.identity.effectiveRoles({ userId, applicationId: shop })).toEqual([]);
      expect(await world.identity.effectiveRoles({ userId: uuid(99), applicationId })).toEqual([]);
      expectOk(await world.caller.delete(`/api/user/registration/${userId}/${applicationId}`));
      expect(await world.identity.effectiveRoles({ userId, applicationId })).toEqual([]);
    });

    requirement("roles.effective", "come from groups of the application asked for only", async () => {
      const world = await start();
      const { applicationId, userId, groupId } = await startForum(world);
      await makeApplication(world, world.defaultTenantId, "Shop", [{ id: uuid(5), name: "clerk" }]);
      expectOk(await world.caller.patch(`/api/group/${groupId}`, { roleIds: [uuid(5)] }));
      expect(await world.identity.effectiveRoles({ userId, applicationId })).toEqual(["editor", "viewer"]);
    });

    requirement("roles.removed", "lose a role that goes, and the registration can still be changed", async () => {
      const world = await start();
      const { applicationId, userId, roles } = await startForum(world);
      const path = `/api/user/registration/${userId}/${applicationId}`;
      expectOk(await world.caller.patch(path, { registration: { roles: ["admin"] } }));
      expectOk(await world.caller.delete(`${roles}/${uuid(900)}`));
      expectOk(await world.caller.delete(`${roles}/${uuid(901)}`));
      expect(await world.identity.effectiveRoles({ userId, applicationId })).toEqual(["admin"]);
      expect((await world.caller.get(path)).at("registration.roles")).toEqual(["admin"]);
      expect((await world.caller.get(`/api/user/${userId}`)).at("user.registrations.0.roles")).toEqual(["admin"]);
      expectOk(await world.caller.patch(path, { registration: { data: { a: 1 } } }));
    });

    requirement("roles.effective", "follow a role that is renamed", async () => {
      const world = await start();
      const { applicationId, userId, roles } = await startForum(world);
      expectOk(await world.caller.patch(`${roles}/${uuid(900)}`, { role: { name: "author" } }));
      expectOk(await world.caller.patch(`${roles}/${uuid(901)}`, { role: { name: "reader" } }));
      expect(await world.identity.effectiveRoles({ userId, applicationId })).toEqual(["author", "reader"]);
      const path = `/api/user/registration/${userId}/${applicationId}`;
      expect(expectOk(await world.caller.patch(path, { registration: {} })).at("registration.roles")).toEqual(["author"]);
    });
  });
});
