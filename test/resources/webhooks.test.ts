import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { eventTypes } from "../../src/availability/event-types.js";
import { tables } from "../../src/families/index.js";
import { webhookFamily, webhooksTable } from "../../src/records/webhooks/family.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { leastWebhook, makeWebhook, postWebhook } from "../support/webhooks.js";
import { callerOfTenant, forEachStorage, makeTenant, uuid, type World } from "../support/world.js";

const defaults = {
  data: {},
  eventsEnabled: {},
  global: false,
  headers: {},
  signatureConfiguration: { enabled: false },
  tenantIds: [],
};

const everything = {
  ...leastWebhook,
  data: { a: [1] },
  description: "Tells the shop",
  eventsEnabled: { "user.create": true, "user.delete": false },
  headers: { Authorization: "Bearer token", "X-Empty": "" },
  httpAuthenticationUsername: "latchkey",
  httpAuthenticationPassword: "correct horse: battery",
};

/** Everything that is kept, as text. */
async function readAll({ storage }: World): Promise<string> {
  return JSON.stringify(await Promise.all(tables.map((table) => storage.find(globalScope, table, undefined))));
}

forEachStorage((start) => {
  describe("making webhooks", () => {
    requirement(["webhook.fields", "webhook.empties"], "shows the defaults and every field that is given", async () => {
      const world = await start();
      const { caller, clock, defaultTenantId } = world;
      const instants = { insertInstant: clock.instant, lastUpdateInstant: clock.instant };
      const bare = expectOk(await postWebhook(world, {}, `/api/webhook/${uuid(1)}`));
      expect(bare.body).toEqual({ webhook: { ...leastWebhook, ...defaults, ...instants, id: uuid(1) } });
      const own = { ...everything, tenantIds: [defaultTenantId] };
      const full = expectOk(await postWebhook(world, own, `/api/webhook/${uuid(2)}`));
      expect(full.body).toEqual({ webhook: { ...defaults, ...own, ...instants, id: uuid(2) } });
      for (const made of [bare, full])
        expect((await caller.get(`/api/webhook/${made.textAt("webhook.id")}`)).text).toBe(made.text);
      const { webhook } = await world.identity.webhooks.retrieve({ webhookId: uuid(2) });
      expect(webhook).toEqual(full.at("webhook"));
    });

    requirement("webhook.required", "needs a URL and both timeouts, and says so of all at once", async () => {
      const { caller } = await start();
      const missing = ["[missing]webhook.connectTimeout", "[missing]webhook.readTimeout"];
      for (const url of [undefined, null, "", "  "])
        expectRefusal(await caller.post("/api/webhook", { webhook: { url } }), 400, "[blank]webhook.url", ...missing);
      expectRefusal(await caller.post("/api/webhook", {}), 400, "[missing]webhook");
    });

    requirement("webhook.url-not-unique", "takes one URL for several webhooks", async () => {
      const world = await start();
      for (const id of [1, 2]) expectOk(await postWebhook(world, {}, `/api/webhook/${uuid(id)}`));
      const url = `https://example.com/?token=${"x".repeat(7_900)}`;
      expect(expectOk(await postWebhook(world, { url })).at("webhook.url")).toBe(url);
    });

    requirement("webhook.events", "takes every event that its version has, and no other", async () => {
      const worlds = { newest: await start({ version: "1.69.0" }), oldest: await start({ version: "1.0.0" }) };
      const enabled = (names: readonly string[]): object => Object.fromEntries(names.map((name) => [name, true]));
      const all = enabled(eventTypes.map((event) => event.name));
      const always = enabled(eventTypes.filter((event) => event.since === undefined).map((event) => event.name));
      expect(expectOk(await postWebhook(worlds.newest, { eventsEnabled: all })).at("webhook.eventsEnabled")).toEqual(all);
      expectOk(await postWebhook(worlds.oldest, { eventsEnabled: always }));
      const code = "[invalidJSON]webhook.eventsEnabled";
      for (const name of ["user.created", "USER.CREATE", "", "constructor", "toString"])
        expectRefusal(await postWebhook(worlds.newest, { eventsEnabled: { "user.create": true, [name]: true } }), 400, code);
      for (const { name } of eventTypes.filter((event) => event.since !== undefined))
        expectRefusal(await postWebhook(worlds.oldest, { eventsEnabled: { [name]: false } }), 400, code);
      const entity = { eventsEnabled: { "entity.create": true } };
      expectRefusal(await postWebhook(await start(), entity), 400, code);
    });

    requirement("webhook.events", "names the event that it does not know, and wants flags", async () => {
      const world = await start();
      const answer = await postWebhook(world, { eventsEnabled: { "user.created": true } });
      expect(answer.text).toContain("There is no [user.created].");
      for (const wrong of [[], "user.create", 7])
        expectRefusal(await postWebhook(world, { eventsEnabled: wrong }), 400, "[invalidJSON]webhook.eventsEnabled");
      const flag = await postWebhook(world, { eventsEnabled: { "user.create": "yes" } });
      expectRefusal(flag, 400, "[invalidJSON]webhook.eventsEnabled[user.create]");
    });

    requirement("webhook.event-plans", "takes events of any plan in any plan", async () => {
      const world = await start({ plan: "community" });
      const eventsEnabled = { "user.login.suspicious": true, "user.password.breach": true };
      expect(expectOk(await postWebhook(world, { eventsEnabled })).at("webhook.eventsEnabled")).toEqual(eventsEnabled);
    });
  });

  describe("webhooks that are there", () => {
    requirement("webhook.list", "are listed with the newest first, or none", async () => {
      const world = await start();
      expect((await world.caller.get("/api/webhook")).text).toBe('{"webhooks":[]}');
      const made: string[] = [];
      for (const url of ["https://b.example", "https://c.example", "https://a.example"]) {
        made.unshift(await makeWebhook(world, { url, httpAuthenticationPassword: "p" }));
        world.clock.advance(1);
      }
      const list = await world.caller.get("/api/webhook");
      expect(list.each("webhooks", "id")).toEqual(made);
      expect(list.each("webhooks", "httpAuthenticationPassword")).toEqual(["p", "p", "p"]);
    });

    requirement("webhook.patch", "merge maps by PATCH and keep one of each tenant", async () => {
      const world = await start();
      const { caller, defaultTenantId } = world;
      const other = await makeTenant(world, "Other");
      const path = `/api/webhook/${await makeWebhook(world, { ...everything, tenantIds: [other] })}`;
      const patch = { eventsEnabled: { "user.delete": true }, headers: { "X-Empty": null }, tenantIds: [other, defaultTenantId] };
      const patched = expectOk(await caller.patch(path, { webhook: patch }));
      expect(patched.at("webhook")).toMatchObject({
        eventsEnabled: { "user.create": true, "user.delete": true },
        headers: { Authorization: "Bearer token" },
        httpAuthenticationPassword: "correct horse: battery",
        tenantIds: [other, defaultTenantId],
      });
      expect(patched.at("webhook.headers")).toEqual({ Authorization: "Bearer token" });
      const merged = await caller.mergePatch(path, {
        webhook: { tenantIds: [defaultTenantId], httpAuthenticationPassword: null },
      });
      expect(expectOk(merged).at("webhook.tenantIds")).toEqual([defaultTenantId]);
      expect(merged.at("webhook.httpAuthenticationPassword")).toBeUndefined();
      const edited = await caller.jsonPatch(path, [
        { op: "add", path: "/webhook/tenantIds/0", value: other },
        { op: "remove", path: "/webhook/eventsEnabled/user.create" },
        { op: "test", path: "/webhook/headers/Authorization", value: "Bearer token" },
      ]);
      expect(expectOk(edited).at("webhook")).toMatchObject({
        tenantIds: [other, defaultTenantId],
        eventsEnabled: { "user.delete": true },
      });
      expect((await caller.get(path)).text).toBe(edited.text);
    });

    requirement("webhook.secrets", "are stored with sealed credentials and headers", async () => {
      const world = await start();
      const id = await makeWebhook(world, everything);
      const secrets = /Bearer token|correct horse/;
      expect(await readAll(world)).not.toMatch(secrets);
      for (const change of [{}, { headers: { "X-Other": "Bearer token" } }])
        expectOk(await world.caller.patch(`/api/webhook/${id}`, { webhook: change }));
      expectOk(await world.caller.put(`/api/webhook/${id}`, { webhook: everything }));
      expect(await readAll(world)).not.toMatch(secrets);
      const [stored] = await world.storage.find(globalScope, webhooksTable, undefined);
      expect(stored?.json).not.toContain("headers");
      expect(world.log).toEqual([]);
      expectOk(await world.caller.put(`/api/webhook/${id}`, { webhook: leastWebhook }));
      expect((await world.caller.get(`/api/webhook/${id}`)).at("webhook.httpAuthenticationPassword")).toBeUndefined();
    });

    requirement("webhook.delete", "leave nothing behind when they are removed", async () => {
      const world = await start();
      const before = await readAll(world);
      const { defaultTenantId } = world;
      const path = `/api/webhook/${await makeWebhook(world, { ...everything, tenantIds: [defaultTenantId] })}`;
      expectEmpty(await world.caller.delete(path), 200);
      expectEmpty(await world.caller.get(path), 404);
      expect(await readAll(world)).toBe(before);
    });

    requirement("webhook.access", "are for global keys only, and no tenant header", async () => {
      const world = await start();
      const id = await makeWebhook(world);
      const bound = await callerOfTenant(world, world.defaultTenantId);
      const strangers = [
        bound,
        bound.inTenant(world.defaultTenantId),
        world.caller.inTenant(world.defaultTenantId),
        world.as("no-key"),
      ];
      for (const { method, path } of webhookFamily.routes)
        for (const stranger of strangers)
          expectEmpty(await stranger.send(method, path.replace(":webhookId", id), method === "GET" ? undefined : {}), 401);
    });
  });
});
