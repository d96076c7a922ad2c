import { globalScope } from "latchkey/ports";
import { describe, expect, vi } from "vitest";
import { tables } from "../../src/families/index.js";
import { defaultAccountSettings } from "../../src/records/settings/tenant-settings.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeAccessList } from "../support/families/access-lists.js";
import { makeForm } from "../support/families/forms-and-consents.js";
import { makeApplication, makeGroup, makeUser } from "../support/families.js";
import { generate } from "../support/keys.js";
import { requirement } from "../support/requirement.js";
import { searchBoth } from "../support/search.js";
import { callerOfTenant, forEachStorage, makeTenant, uuid } from "../support/world.js";

const defaults = {
  ...defaultAccountSettings,
  accessControlConfiguration: {},
  connectorPolicies: [{ connectorId: "e3306678-a53a-4964-9040-1c96f36dda72", domains: ["*"], migrate: false }],
  data: {},
  eventConfiguration: { events: {} },
  formConfiguration: {},
  jwtConfiguration: { refreshTokenTimeToLiveInMinutes: 43_200, timeToLiveInSeconds: 3_600 },
  lambdaConfiguration: { constants: {}, secrets: {} },
  oauthConfiguration: {},
  scimServerConfiguration: { enabled: false, schemas: {} },
  searchConfiguration: { searchableData: {} },
  state: "Active",
};

const { emailConfiguration, externalIdentifierConfiguration } = defaultAccountSettings;

const everything = {
  ...defaultAccountSettings,
  name: "Full",
  data: { a: { b: [1] } },
  issuer: "https://example.com",
  accessControlConfiguration: { uiIPAccessControlListId: uuid(1) },
  connectorPolicies: [{ connectorId: "e3306678-a53a-4964-9040-1c96f36dda72", domains: ["*"], migrate: true }],
  emailConfiguration: { ...emailConfiguration, defaultFromEmail: "no-reply@example.com", defaultFromName: "Example" },
  eventConfiguration: {
    events: {
      "user.create": { enabled: true, transactionType: "Any" },
      "group.create": { enabled: false, transactionType: "None" },
    },
  },
  externalIdentifierConfiguration: { ...externalIdentifierConfiguration, twoFactorIdTimeToLiveInSeconds: 1 },
  formConfiguration: {},
  jwtConfiguration: { refreshTokenTimeToLiveInMinutes: 5, timeToLiveInSeconds: 6 },
  lambdaConfiguration: { constants: { plans: { gold: [1, true] } }, secrets: {} },
  oauthConfiguration: {},
  scimServerConfiguration: { enabled: true, schemas: { "urn:example:badges:User": { attributes: [{ name: "badge" }] } } },
  searchConfiguration: { searchableData: { groups: ["kind"], users: ["address.city", "department"] } },
};

forEachStorage((start) => {
  describe("making tenants", () => {
    requirement("tenant.fields", "shows the defaults of every field, and every field that is given", async () => {
      const world = await start();
      const { caller, clock } = world;
      await makeForm(world, "F", undefined, uuid(2));
      for (const id of [uuid(3), uuid(4)]) await generate(caller, {}, id);
      await makeAccessList(world, uuid(1));
      const bare = expectOk(await caller.post(`/api/tenant/${uuid(1)}`, { tenant: { name: "Bare" } }));
      const instants = { insertInstant: clock.instant, lastUpdateInstant: clock.instant };
      expect(bare.body).toEqual({ tenant: { ...defaults, id: uuid(1), name: "Bare", ...instants } });
      const full = expectOk(await caller.post(`/api/tenant/${uuid(2)}`, { tenant: { ...everything, state: "Inactive" } }));
      expect(full.at("tenant")).toEqual({ ...everything, id: uuid(2), state: "Active", ...instants });
      expect((await caller.get(`/api/tenant/${uuid(2)}`)).text).toBe(full.text);
    });

    requirement("tenant.fields", "refuses values outside of their bounds and of the wrong kind", async () => {
      const { caller } = await start();
      const wrong = {
        name: "W",
        issuer: 7,
        jwtConfiguration: { timeToLiveInSeconds: 0, refreshTokenTimeToLiveInMinutes: 1.5, accessTokenKeyId: "x" },
        externalIdentifierConfiguration: { twoFactorIdTimeToLiveInSeconds: -1 },
        eventConfiguration: { events: { "user.create": { enabled: "yes", transactionType: "Most" } } },
        lambdaConfiguration: [],
      };
      expectRefusal(
        await caller.post("/api/tenant", { tenant: wrong }),
        400,
        "[couldNotConvert]tenant.jwtConfiguration.accessTokenKeyId",
        "[invalid]tenant.externalIdentifierConfiguration.twoFactorIdTimeToLiveInSeconds",
        "[invalid]tenant.jwtConfiguration.timeToLiveInSeconds",
        "[invalidJSON]tenant.eventConfiguration.events[user.create].enabled",
        "[invalidJSON]tenant.issuer",
        "[invalidJSON]tenant.jwtConfiguration.refreshTokenTimeToLiveInMinutes",
        "[invalidJSON]tenant.lambdaConfiguration",
        "[invalidOption]tenant.eventConfiguration.events[user.create].transactionType",
      );
    });

    requirement("tenant.name", "needs a name that no other tenant has in any case", async () => {
      const world = await start();
      await makeTenant(world, "Äcme");
      expectRefusal(await world.caller.post("/api/tenant", { tenant: { name: "äCME" } }), 400, "[duplicate]tenant.name");
      expectRefusal(await world.caller.post("/api/tenant", { tenant: { name: "DEFAULT" } }), 400, "[duplicate]tenant.name");
      expectRefusal(await world.caller.post("/api/tenant", { tenant: {} }), 400, "[blank]tenant.name");
      expectRefusal(await world.caller.post("/api/tenant", { tenant: { name: "t".repeat(192) } }), 400, "[tooLong]tenant.name");
    });

    requirement("tenant.copy", "copies what the body leaves out from another tenant", async () => {
      const world = await start();
      const { caller } = world;
      await makeForm(world, "F", undefined, uuid(2));
      for (const id of [uuid(3), uuid(4)]) await generate(caller, {}, id);
      await makeAccessList(world, uuid(1));
      expectOk(await caller.post(`/api/tenant/${uuid(1)}`, { tenant: everything }));
      const body = { sourceTenantId: uuid(1), tenant: { name: "Copy", issuer: null, data: { own: true } } };
      const copy = expectOk(await caller.post(`/api/tenant/${uuid(2)}`, body));
      const { issuer: _unset, ...copied } = everything;
      expect(copy.at("tenant")).toMatchObject({ ...copied, id: uuid(2), name: "Copy", data: { own: true } });
      expect(copy.at("tenant.issuer")).toBeUndefined();
      expectRefusal(await caller.post("/api/tenant", { sourceTenantId: uuid(1) }), 400, "[blank]tenant.name");
      expectRefusal(await caller.post("/api/tenant", { ...body, sourceTenantId: uuid(9) }), 400, "[invalid]sourceTenantId");
      for (const tenant of ["x", [], 7])
        expectRefusal(await caller.post("/api/tenant", { ...body, tenant }), 400, "[invalidJSON]tenant");
    });

    requirement("tenant.default", "has one named Default from the start, which cannot be deleted in any way", async () => {
      const world = await start();
      const { caller, defaultTenantId } = world;
      expect((await caller.get("/api/tenant")).each("tenants", "name")).toEqual(["Default"]);
      const path = `/api/tenant/${defaultTenantId}`;
      expectOk(await caller.put(path, { tenant: { name: "Renamed" } }));
      expectOk(await caller.patch(path, { tenant: { data: { a: 1 } } }));
      for (const query of ["", "?async=true", "?dryRun=true"])
        expectRefusal(await caller.delete(path + query), 400, "[invalid]tenantId");
      expect((await caller.get(path)).at("tenant.state")).toBe("Active");
    });

    requirement("tenant.scoped-key", "is not for a tenant-scoped key, which sees its own tenant only", async () => {
      const world = await start();
      const other = await makeTenant(world, "Other");
      const caller = await callerOfTenant(world, other);
      expect((await caller.get("/api/tenant")).each("tenants", "id")).toEqual([other]);
      for (const sourceTenantId of [undefined, other, world.defaultTenantId, uuid(99)])
        expectEmpty(await caller.post("/api/tenant", { tenant: { name: "New" }, sourceTenantId }), 401);
      expectEmpty(await caller.delete(`/api/tenant/${other}`), 401);
      expectEmpty(await caller.delete(`/api/tenant/${other}?async=true`), 401);
      expect((await world.caller.get("/api/tenant")).each("tenants", "name")).toEqual(["Default", "Other"]);
    });

    requirement("tenant.search", "are searched by name, in order of name, instant or id", async () => {
      const world = await start();
      await makeTenant(world, "Beta");
      world.clock.advance(1);
      await makeTenant(world, "Alpha");
      const names = async (criteria: object): Promise<unknown[]> =>
        (await searchBoth(world, "/api/tenant", { ...criteria })).each("tenants", "name");
      expect(await names({ name: "*a" })).toEqual(["Alpha", "Beta"]);
      expect(await names({})).toEqual(["Alpha", "Beta", "Default"]);
      expect(await names({ orderBy: "insertInstant DESC, name DESC" })).toEqual(["Alpha", "Default", "Beta"]);
    });
  });

  describe("deleting a tenant", () => {
    requirement("tenant.delete", "takes everything in it along and nothing else", async () => {
      const world = await start();
      const { caller, storage } = world;
      const contents = async (): Promise<unknown[]> =>
        Promise.all(
          tables
            .filter(({ name }) => !["events", "earlierReceivers"].includes(name))
            .map(async (table) => [table.name, (await storage.find(globalScope, table, undefined)).map((row) => row.id)]),
        );
      const fill = async (tenantId: string, key: string, first: number): Promise<string> => {
        const applicationId = await makeApplication(world, tenantId, "Forum", [{ id: uuid(first), name: "editor" }]);
        const userId = await makeUser(world, tenantId, "a@example.com");
        const groupId = await makeGroup(world, tenantId, "Editors", [uuid(first)]);
        expectOk(await caller.post("/api/group/member", { members: { [groupId]: [{ userId }] } }));
        expectOk(await caller.post(`/api/user/registration/${userId}`, { registration: { applicationId } }));
        expectOk(await caller.post("/api/api-key", { apiKey: { key, tenantId } }));
        return groupId;
      };
      await fill(world.defaultTenantId, "kept-key", 1);
      const before = await contents();
      const other = await makeTenant(world, "Other");
      const groupId = await fill(other, "gone-key", 2);
      expectOk(await world.as("gone-key").get("/api/group"));
      expectEmpty(await caller.delete(`/api/tenant/${other}`), 200);
      expect(await contents()).toEqual(before);
      expectEmpty(await caller.get(`/api/tenant/${other}`), 404);
      expectEmpty(await caller.get(`/api/group/${groupId}`), 404);
      expectEmpty(await world.as("gone-key").get("/api/group"), 401);
      expectOk(await world.as("kept-key").get("/api/group"));
      expectEmpty(await caller.delete(`/api/tenant/${other}`), 404);
      // One tenant is left, so that none need be named again.
      expectOk(await caller.post("/api/group", { group: { name: "New" } }));
    });

    requirement("tenant.delete-async", "answers 202 at once when asked to, and removes the tenant behind it", async () => {
      const world = await start();
      const other = await makeTenant(world, "Other");
      await makeGroup(world, other, "G");
      expectEmpty(await world.caller.delete(`/api/tenant/${other}?async=true`), 202);
      await vi.waitFor(async () => expectEmpty(await world.caller.get(`/api/tenant/${other}`), 404), 10_000);
      expect((await world.caller.get("/api/group")).at("groups")).toEqual([]);
    });

    requirement("tenant.pending", "changes no more between the answer and the removal", async () => {
      const world = await start();
      const other = await makeTenant(world, "Other");
      const { group } = await world.identity.groups.create({ group: { name: "Old" } }, { tenantId: other });
      await world.identity.transaction(async (tx) => {
        await tx.tenants.remove({ tenantId: other, async: true });
        expect((await tx.tenants.retrieve({ tenantId: other })).tenant.state).toBe("PendingDelete");
        const refusal = { status: 400, code: "[pendingDelete]tenantId" };
        const options = { tenantId: other };
        await expect(tx.groups.create({ group: { name: "G" } }, options)).rejects.toMatchObject(refusal);
        await expect(tx.groups.create({ group: { name: "G", tenantId: other } })).rejects.toMatchObject(refusal);
        await expect(tx.users.create({ user: { email: "a@example.com" } }, options)).rejects.toMatchObject(refusal);
        await expect(tx.applications.create({ application: { name: "A" } }, options)).rejects.toMatchObject(refusal);
        const body = { groupId: group.id, group: { name: "New" } };
        await expect(tx.groups.update(body)).rejects.toMatchObject(refusal);
        await expect(tx.groups.patch({ groupId: group.id, patch: { group: { name: "New" } } })).rejects.toMatchObject(refusal);
        await expect(tx.groups.remove({ groupId: group.id })).rejects.toMatchObject(refusal);
        await expect(tx.groupMembers.add({ members: { [group.id]: [] } })).rejects.toMatchObject(refusal);
        await expect(tx.tenants.update({ tenantId: other, tenant: { name: "Renamed" } })).rejects.toMatchObject(refusal);
      });
    });

    requirement("tenant.delete-async", "does nothing at all in a dry run", async () => {
      const world = await start();
      const other = await makeTenant(world, "Other");
      expectEmpty(await world.caller.delete(`/api/tenant/${other}?async=true&dryRun=true`), 202);
      await world.identity.transaction((tx) => tx.tenants.remove({ tenantId: other, async: true }, { dryRun: true }));
      await world.storage.transaction(async () => undefined);
      expect((await world.caller.get(`/api/tenant/${other}`)).at("tenant.state")).toBe("Active");
    });
  });
});
