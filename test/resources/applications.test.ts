import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { groupRolesTable } from "../../src/records/groups/family.js";
import { registrationsTable } from "../../src/records/registrations/family.js";
import { defaultApplicationSettings } from "../../src/records/settings/application-settings.js";
import { defaultOAuthSettings } from "../../src/records/settings/oauth-settings.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeAccessList } from "../support/families/access-lists.js";
import { makeForm } from "../support/families/forms-and-consents.js";
import { makeApplication, makeGroup, makeUser } from "../support/families.js";
import { generate } from "../support/keys.js";
import { requirement } from "../support/requirement.js";
import { searchBoth } from "../support/search.js";
import { forEachStorage, makeTenant, uuid } from "../support/world.js";

const path = "/api/application";

const defaults = {
  ...defaultApplicationSettings,
  accessControlConfiguration: {},
  active: true,
  data: {},
  formConfiguration: {},
  jwtConfiguration: { enabled: false },
  lambdaConfiguration: {},
  loginConfiguration: { allowTokenRefresh: false, generateRefreshTokens: false, requireAuthentication: true },
  registrationConfiguration: { enabled: false, type: "basic" },
  roles: [],
  state: "Active",
};

const everything = {
  name: "Full",
  data: { a: [{ b: 1 }] },
  accessControlConfiguration: { uiIPAccessControlListId: uuid(1) },
  formConfiguration: {},
  jwtConfiguration: {
    enabled: true,
    timeToLiveInSeconds: 60,
    refreshTokenTimeToLiveInMinutes: 7,
  },
  lambdaConfiguration: {},
  loginConfiguration: { allowTokenRefresh: true, generateRefreshTokens: true, requireAuthentication: false },
  registrationConfiguration: { enabled: true, type: "advanced" },
};

// Each application is a client with a secret of its own.
const clientOf = (clientId: string) => ({
  ...defaultOAuthSettings,
  clientId,
  clientSecret: expect.stringMatching(/^[\w-]{43}$/),
});

forEachStorage((start) => {
  describe("making applications", () => {
    requirement("application.fields", "shows the defaults of every field, and every field that is given", async () => {
      const world = await start();
      const { caller, clock, defaultTenantId } = world;
      for (const id of [uuid(2), uuid(3), uuid(8)]) await makeForm(world, `Form ${id}`, undefined, id);
      for (const id of [uuid(4), uuid(5)]) await generate(caller, {}, id);
      await makeAccessList(world, uuid(1));
      const own = { tenantId: defaultTenantId, insertInstant: clock.instant, lastUpdateInstant: clock.instant };
      const bare = expectOk(await caller.post(`${path}/${uuid(1)}`, { application: { name: "Bare" } }));
      expect(bare.body).toEqual({
        application: { ...defaults, ...own, id: uuid(1), name: "Bare", oauthConfiguration: clientOf(uuid(1)) },
      });
      const full = await caller.post(`${path}/${uuid(2)}`, { application: { ...everything, state: "Inactive", active: false } });
      expect(expectOk(full).at("application")).toEqual({
        ...defaults,
        ...everything,
        ...own,
        id: uuid(2),
        oauthConfiguration: clientOf(uuid(2)),
      });
      expect((await caller.get(`${path}/${uuid(2)}`)).text).toBe(full.text);
    });

    requirement("application.fields", "refuses values outside of their bounds and of the wrong kind", async () => {
      const { caller } = await start();
      const application = {
        name: "W",
        data: [],
        jwtConfiguration: { enabled: "yes", timeToLiveInSeconds: 0, accessTokenKeyId: "x" },
        registrationConfiguration: { type: "fancy" },
        loginConfiguration: 7,
        lambdaConfiguration: { accessTokenPopulateId: 7 },
        roles: {},
      };
      expectRefusal(
        await caller.post(path, { application }),
        400,
        "[couldNotConvert]application.jwtConfiguration.accessTokenKeyId",
        "[invalid]application.jwtConfiguration.timeToLiveInSeconds",
        "[invalidJSON]application.data",
        "[invalidJSON]application.jwtConfiguration.enabled",
        "[invalidJSON]application.lambdaConfiguration.accessTokenPopulateId",
        "[invalidJSON]application.loginConfiguration",
        "[invalidJSON]application.roles",
        "[invalidOption]application.registrationConfiguration.type",
      );
    });

    requirement("application.name", "needs a name that no other application of the tenant has in any case", async () => {
      const world = await start();
      const other = await makeTenant(world, "Other");
      await makeApplication(world, world.defaultTenantId, "Forum");
      await makeApplication(world, other, "FORUM");
      const caller = world.caller.inTenant(other);
      expectRefusal(await caller.post(path, { application: { name: "forum" } }), 400, "[duplicate]application.name");
      expectRefusal(await caller.post(path, { application: { name: " " } }), 400, "[blank]application.name");
      expectRefusal(await caller.post(path, { application: { name: "f".repeat(192) } }), 400, "[tooLong]application.name");
    });

    requirement("application.roles", "makes the roles that come along, in order of name", async () => {
      const { caller, clock } = await start();
      const roles = [
        { name: "writer", isDefault: true, description: "d" },
        { name: "Admin", id: uuid(5), isSuperRole: true },
      ];
      const made = expectOk(await caller.post(path, { application: { name: "Forum", roles } }));
      const instants = { insertInstant: clock.instant, lastUpdateInstant: clock.instant };
      expect(made.at("application.roles")).toEqual([
        { id: uuid(5), name: "Admin", isDefault: false, isSuperRole: true, ...instants },
        { id: expect.any(String), name: "writer", isDefault: true, isSuperRole: false, description: "d", ...instants },
      ]);
      const own = `${path}/${made.textAt("application.id")}`;
      expect((await caller.get(own)).at("application.roles")).toEqual(made.at("application.roles"));
      expect((await caller.get(path)).at("applications.0.roles")).toEqual(made.at("application.roles"));
      expect((await caller.get(`${path}/search`)).at("applications.0.roles")).toEqual(made.at("application.roles"));
      for (const change of [
        () => caller.put(own, { application: { name: "Forum", roles: [] } }),
        () => caller.patch(own, { application: { roles: [{ name: "new" }] } }),
        () => caller.mergePatch(own, { application: { roles: null } }),
      ])
        expect(expectOk(await change()).each("application.roles", "name")).toEqual(["Admin", "writer"]);
    });

    requirement(
      ["application.roles", "errors.paths"],
      "refuses bad, equal and taken roles, and then makes no application",
      async () => {
        const { caller } = await start();
        const post = (roles: unknown[]): ReturnType<typeof caller.post> =>
          caller.post(path, { application: { name: "Forum", roles } });
        expectRefusal(
          await post([{}, { name: "ok", id: "x" }, 7]),
          400,
          "[blank]application.roles[0].name",
          "[couldNotConvert]application.roles[1].id",
          "[invalidJSON]application.roles[2]",
        );
        expectRefusal(await post([{ name: "a" }, { name: "A" }]), 400, "[duplicate]application.roles.name");
        expect((await caller.get(path)).at("applications")).toEqual([]);
        expectOk(await post([{ name: "a", id: uuid(5) }]));
        const again = await caller.post(path, { application: { name: "Shop", roles: [{ name: "a", id: uuid(5) }] } });
        expectRefusal(again, 400, "[duplicate]application.roles.id");
        expect((await caller.get(path)).each("applications", "name")).toEqual(["Forum"]);
      },
    );
  });

  describe("applications that come and go", () => {
    requirement("application.deactivate", "are deactivated by DELETE and active again by PUT ?reactivate=true", async () => {
      const world = await start();
      const { caller, defaultTenantId } = world;
      const kept = await makeApplication(world, defaultTenantId, "Kept");
      const id = await makeApplication(world, defaultTenantId, "Forum", [{ name: "editor" }]);
      const own = `${path}/${id}`;
      const before = (await caller.get(own)).at("application") as object;
      const now = world.clock.advance(1_000);
      expectEmpty(await caller.delete(own), 200);
      const inactive = { ...before, active: false, state: "Inactive", lastUpdateInstant: now };
      expect((await caller.get(own)).at("application")).toEqual(inactive);
      expect((await caller.get(path)).each("applications", "id")).toEqual([kept]);
      expect((await caller.get(`${path}?inactive=true`)).each("applications", "id")).toEqual([id]);
      expect((await caller.get(`${path}?inactive=false`)).each("applications", "id")).toEqual([kept]);
      expect(expectOk(await caller.put(own, { application: { name: "Forum" } })).at("application.state")).toBe("Inactive");
      const back = expectOk(await caller.put(`${own}?reactivate=true`));
      expect(back.at("application")).toEqual({ ...inactive, active: true, state: "Active" });
      expect((await caller.get(`${path}?inactive=true`)).at("applications")).toEqual([]);
      expectEmpty(await caller.put(`${path}/${uuid(99)}?reactivate=true`), 404);
    });

    requirement("application.hard-delete", "take roles, registrations and the roles of groups along for good", async () => {
      const world = await start();
      const { caller, defaultTenantId, storage } = world;
      const kept = await makeApplication(world, defaultTenantId, "Kept", [{ name: "keeper" }]);
      const id = await makeApplication(world, defaultTenantId, "Forum", [{ id: uuid(5), name: "editor" }]);
      const userId = await makeUser(world, defaultTenantId, "a@example.com");
      for (const applicationId of [kept, id])
        expectOk(await caller.post(`/api/user/registration/${userId}`, { registration: { applicationId } }));
      const groupId = await makeGroup(world, defaultTenantId, "Editors", [uuid(5), uuid(900)]);
      expectEmpty(await caller.delete(`${path}/${id}?hardDelete=true`), 200);
      expectEmpty(await caller.get(`${path}/${id}`), 404);
      expect(Object.keys((await caller.get(`/api/group/${groupId}`)).at("group.roles") as object)).toEqual([kept]);
      expect((await caller.get(`/api/user/${userId}`)).each("user.registrations", "applicationId")).toEqual([kept]);
      expect(await storage.find(globalScope, groupRolesTable, undefined)).toHaveLength(1);
      expect(await storage.find(globalScope, registrationsTable, undefined)).toHaveLength(1);
      expect(await world.identity.effectiveRoles({ userId, applicationId: id })).toEqual([]);
    });

    requirement("application.search", "are searched by name, state and tenant", async () => {
      const world = await start();
      const { caller, defaultTenantId } = world;
      for (const name of ["Alpha", "Beta", "Gamma"]) await makeApplication(world, defaultTenantId, name);
      const beta = (await searchBoth(world, path, { name: "beta" })).textAt("applications.0.id");
      expectEmpty(await caller.delete(`${path}/${beta}`), 200);
      const names = async (criteria: object): Promise<unknown[]> =>
        expectOk(await searchBoth(world, path, { ...criteria })).each("applications", "name");
      expect(await names({})).toEqual(["Alpha", "Beta", "Gamma"]);
      expect(await names({ state: "Active" })).toEqual(["Alpha", "Gamma"]);
      expect(await names({ state: "Inactive" })).toEqual(["Beta"]);
      expect(await names({ state: "Active", name: "g*", tenantId: defaultTenantId })).toEqual(["Gamma"]);
      expectRefusal(await searchBoth(world, path, { state: "Sleeping" }), 400, "[couldNotConvert]state");
    });
  });
});
