import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { webhookApplicationsTable, webhookTenantsTable } from "../../src/records/webhooks/family.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeApplication } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { makeWebhook, postWebhook } from "../support/webhooks.js";
import { callerOfTenant, forEachStorage, makeTenant, uuid, type World } from "../support/world.js";

async function tenantsOf(world: World, webhookId: string): Promise<unknown> {
  return expectOk(await world.caller.get(`/api/webhook/${webhookId}`)).at("webhook.tenantIds");
}

forEachStorage((start) => {
  describe("the tenants of a webhook", () => {
    requirement("webhook.tenants", "exist and are shown once each in the order in which they were given", async () => {
      const world = await start();
      const ids = [await makeTenant(world, "A"), await makeTenant(world, "B"), world.defaultTenantId].sort().reverse();
      const id = await makeWebhook(world, { tenantIds: [...ids, ...ids] });
      expect(await tenantsOf(world, id)).toEqual(ids);
      expect((await world.caller.get("/api/webhook")).at("webhooks.0.tenantIds")).toEqual(ids);
      for (const tenantIds of [[uuid(9)], [...ids, uuid(9)]])
        expectRefusal(await postWebhook(world, { tenantIds }), 400, "[invalid]webhook.tenantIds");
      expectRefusal(await postWebhook(world, { tenantIds: ["x"] }), 400, "[couldNotConvert]webhook.tenantIds[0]");
      const change = await world.caller.patch(`/api/webhook/${id}`, { webhook: { tenantIds: [uuid(9)] } });
      expectRefusal(change, 400, "[invalid]webhook.tenantIds");
      expect(await tenantsOf(world, id)).toEqual(ids);
    });

    requirement("webhook.global", "are none of a global webhook", async () => {
      const world = await start();
      const tenantIds = [world.defaultTenantId];
      const made = expectOk(await postWebhook(world, { global: true, tenantIds: [uuid(9)] }));
      expect(made.at("webhook")).toMatchObject({ global: true, tenantIds: [] });
      const id = await makeWebhook(world, { tenantIds });
      expectOk(await world.caller.patch(`/api/webhook/${id}`, { webhook: { global: true } }));
      expect(await tenantsOf(world, id)).toEqual([]);
      expectOk(await world.caller.patch(`/api/webhook/${id}`, { webhook: { global: false } }));
      expect(await tenantsOf(world, id)).toEqual([]);
    });

    requirement("webhook.tenant-removed", "go with the tenant, which no webhook holds back", async () => {
      const world = await start();
      const { caller, defaultTenantId } = world;
      const [gone, later] = [await makeTenant(world, "Gone"), await makeTenant(world, "Later")];
      const id = await makeWebhook(world, { tenantIds: [gone, defaultTenantId, later] });
      const { etag } = await caller.get(`/api/webhook/${id}`);
      expectEmpty(await caller.delete(`/api/tenant/${gone}`), 200);
      expect(await tenantsOf(world, id)).toEqual([defaultTenantId, later]);
      expect((await caller.get(`/api/webhook/${id}`)).etag).not.toBe(etag);
      expectEmpty(await caller.delete(`/api/tenant/${later}?async=true`), 202);
      await expect.poll(() => tenantsOf(world, id)).toEqual([defaultTenantId]);
      expectOk(await caller.post(`/api/tenant/${gone}`, { tenant: { name: "Back" } }));
      expect(await tenantsOf(world, id)).toEqual([defaultTenantId]);
      expectOk(await caller.patch(`/api/webhook/${id}`, { webhook: {} }));
      expect(await world.storage.find(globalScope, webhookTenantsTable, undefined)).toHaveLength(1);
    });

    requirement("webhook.applications", "are applications before 1.37.0, which go in the same way", async () => {
      const world = await start({ version: "1.36.0" });
      const { caller, defaultTenantId, storage } = world;
      const [gone, kept] = [
        await makeApplication(world, defaultTenantId, "Gone"),
        await makeApplication(world, defaultTenantId, "Kept"),
      ];
      const made = expectOk(await postWebhook(world, { applicationIds: [gone, kept, gone], tenantIds: [uuid(9)] }));
      expect(made.at("webhook")).toMatchObject({ applicationIds: [gone, kept] });
      expect(made.at("webhook.tenantIds")).toBeUndefined();
      expectRefusal(await postWebhook(world, { applicationIds: [uuid(9)] }), 400, "[invalid]webhook.applicationIds");
      const path = `/api/webhook/${made.textAt("webhook.id")}`;
      expectOk(await caller.patch(path, { webhook: { description: "d", applicationIds: [kept] } }));
      expectEmpty(await caller.delete(`/api/application/${gone}?hardDelete=true`), 200);
      expect((await caller.get(path)).at("webhook.applicationIds")).toEqual([kept]);
      expect(await storage.find(globalScope, webhookApplicationsTable, undefined)).toHaveLength(1);
      expectOk(await caller.put(path, { webhook: { ...(made.at("webhook") as object), applicationIds: null } }));
      expect(await storage.find(globalScope, webhookApplicationsTable, undefined)).toEqual([]);
    });
  });

  describe("the webhooks of a tenant", () => {
    requirement("tenant.webhooks", "are said by POST and PUT of the tenant beside the global ones", async () => {
      const world = await start();
      const { caller, defaultTenantId } = world;
      const [first, second] = [await makeWebhook(world, { tenantIds: [defaultTenantId] }), await makeWebhook(world)];
      const global = await makeWebhook(world, { global: true });
      const made = expectOk(
        await caller.post("/api/tenant", { tenant: { name: "T" }, webhookIds: [first, second, first, global] }),
      );
      expect(made.at("webhookIds")).toBeUndefined();
      const id = made.textAt("tenant.id");
      expect(await tenantsOf(world, first)).toEqual([defaultTenantId, id]);
      expect(await tenantsOf(world, second)).toEqual([id]);
      expect(await tenantsOf(world, global)).toEqual([]);
      expectOk(await caller.put(`/api/tenant/${id}`, { tenant: { name: "T" }, webhookIds: [second] }));
      expect(await tenantsOf(world, first)).toEqual([defaultTenantId]);
      expect(await tenantsOf(world, second)).toEqual([id]);
      expectOk(await caller.put(`/api/tenant/${id}`, { tenant: { name: "T" } }));
      expect(await tenantsOf(world, second)).toEqual([]);
      expect(await tenantsOf(world, first)).toEqual([defaultTenantId]);
    });

    requirement("tenant.webhooks", "are refused when they are not there, and then nothing is changed", async () => {
      const world = await start();
      const { caller } = world;
      const id = await makeWebhook(world);
      for (const webhookIds of [[uuid(9)], [id, uuid(9)]])
        expectRefusal(await caller.post("/api/tenant", { tenant: { name: "T" }, webhookIds }), 400, "[invalid]webhookIds");
      const malformed = await caller.post("/api/tenant", { tenant: { name: "T" }, webhookIds: [id, "x"] });
      expectRefusal(malformed, 400, "[couldNotConvert]webhookIds[1]");
      expect((await caller.get("/api/tenant")).each("tenants", "name")).toEqual(["Default"]);
      expect(await tenantsOf(world, id)).toEqual([]);
    });

    requirement("tenant.webhooks-patch", "stay through PATCH, and are appended, replaced and edited by it", async () => {
      const world = await start();
      const { caller } = world;
      const [first, second] = [await makeWebhook(world), await makeWebhook(world)];
      const made = await caller.post("/api/tenant", { tenant: { name: "T" }, webhookIds: [first] });
      const id = expectOk(made).textAt("tenant.id");
      const path = `/api/tenant/${id}`;
      const applied = async (): Promise<boolean[]> =>
        Promise.all([first, second].map(async (webhook) => ((await tenantsOf(world, webhook)) as string[]).includes(id)));
      expectOk(await caller.patch(path, { tenant: { data: { a: 1 } } }));
      expect(await applied()).toEqual([true, false]);
      expectOk(await caller.patch(path, { webhookIds: [second, first] }));
      expect(await applied()).toEqual([true, true]);
      expectOk(await caller.mergePatch(path, { webhookIds: [second] }));
      expect(await applied()).toEqual([false, true]);
      expectOk(await caller.jsonPatch(path, [{ op: "replace", path: "/webhookIds/0", value: first }]));
      expect(await applied()).toEqual([true, false]);
      expectRefusal(await caller.patch(path, { webhookIds: [uuid(9)] }), 400, "[invalid]webhookIds");
      expectOk(await caller.patch(path, { webhookIds: null }));
      expect(await applied()).toEqual([false, false]);
    });

    requirement("tenant.webhooks-bound", "are neither seen nor changed by a caller that is bound to a tenant", async () => {
      const world = await start();
      const { defaultTenantId } = world;
      const [own, other] = [await makeWebhook(world, { tenantIds: [defaultTenantId] }), await makeWebhook(world)];
      const bound = await callerOfTenant(world, defaultTenantId);
      const path = `/api/tenant/${defaultTenantId}`;
      expectOk(await bound.put(path, { tenant: { name: "Renamed" } }));
      expectOk(await bound.patch(path, { tenant: { data: { a: 1 } } }));
      for (const webhookIds of [[own], [other]]) {
        expectRefusal(await bound.put(path, { tenant: { name: "Renamed" }, webhookIds }), 400, "[invalid]webhookIds");
        expectRefusal(await bound.patch(path, { webhookIds }), 400, "[invalid]webhookIds");
      }
      expectRefusal(await bound.jsonPatch(path, [{ op: "test", path: "/webhookIds/0", value: own }]), 400, "[invalidPatch]");
      expect(await tenantsOf(world, own)).toEqual([defaultTenantId]);
      expect(await tenantsOf(world, other)).toEqual([]);
    });
  });
});
