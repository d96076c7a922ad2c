import { describe, expect } from "vitest";
import { columnsOf } from "../../src/keys/api-keys/key-limits.js";
import { globalScope } from "../../src/ports/storage.js";
import { apiKeysTable } from "../../src/records/api-keys/family.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import type { Caller } from "../support/caller.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, makeTenant, uuid, type World } from "../support/world.js";

const path = "/api/api-key";
type Endpoints = Readonly<Record<string, readonly string[]>>;

/** Calls with a fresh key that has these grants. */
async function callerWith(world: World, endpoints: Endpoints, more: object = {}): Promise<Caller> {
  const key = `key ${JSON.stringify(endpoints)}`.replaceAll(/[^!-~]/g, "-");
  expectOk(await world.caller.post(path, { apiKey: { key, permissions: { endpoints }, ...more } }));
  return world.as(key);
}

/** Calls with a key that manages keys and has these grants, which only the host can make. */
async function managerWith(world: World, endpoints: Record<string, ("GET" | "POST")[]>): Promise<Caller> {
  await world.identity.apiKeys.create({ apiKey: { key: "manager", keyManager: true, permissions: { endpoints } } });
  return world.as("manager");
}

forEachStorage((start) => {
  describe("the grants of an API key", () => {
    requirement("key.permissions", "allow exactly the granted methods on the granted endpoints", async () => {
      const world = await start();
      const caller = await callerWith(world, { "/api/group": ["GET", "POST", "DELETE"], "/api/group/search": ["POST"] });
      const id = expectOk(await caller.post("/api/group", { group: { name: "G" } })).textAt("group.id");
      expectOk(await caller.get("/api/group"));
      expectOk(await caller.get(`/api/group/${id}`));
      expectOk(await caller.post("/api/group/search", {}));
      for (const [method, url] of [
        ["PUT", `/api/group/${id}`],
        ["PATCH", `/api/group/${id}`],
        ["GET", "/api/group/search"],
        ["POST", "/api/group/member"],
        ["GET", "/api/group/member/search"],
        ["GET", "/api/user"],
        ["GET", "/api/tenant"],
        ["GET", path],
      ] as const)
        expectEmpty(await caller.send(method, url, method === "GET" ? undefined : {}), 401);
      expectEmpty(await caller.delete(`/api/group/${id}`), 200);
    });

    requirement("key.permissions", "name endpoints without their ids, also in the middle of a path", async () => {
      const world = await start();
      const id = expectOk(await world.caller.post("/api/application", { application: { name: "A" } })).textAt("application.id");
      const roles = await callerWith(world, { "/api/application/role": ["POST"], "/api/user/registration": ["GET"] });
      expectOk(await roles.post(`/api/application/${id}/role`, { role: { name: "r" } }));
      expectEmpty(await roles.get(`/api/user/registration/${uuid(1)}/${id}`), 404);
      expectEmpty(await roles.get(`/api/application/${id}`), 401);
      expectEmpty(await roles.get(`/api/user/${uuid(1)}`), 401);
    });

    requirement("key.permissions", "are asked before anything of the request is looked at", async () => {
      const world = await start();
      const caller = await callerWith(world, { "/api/user": ["GET"] });
      expectEmpty(await caller.post("/api/group", "{ bad json"), 401);
      expectEmpty(await caller.get("/api/group/not-a-uuid"), 401);
      expectEmpty(await caller.inTenant("malformed").get("/api/group"), 401);
    });

    requirement("key.permissions-empty", "mean everything when there are none, and nothing for an empty list", async () => {
      const world = await start();
      const all = await callerWith(world, {});
      expectOk(await all.get("/api/tenant/search"));
      expectOk(await all.get("/api/group"));
      const none = await callerWith(world, { "/api/group": [] });
      expectEmpty(await none.get("/api/group"), 401);
      expectEmpty(await none.get("/api/user/search"), 401);
    });

    requirement("key.permissions-known", "name endpoints that there are, in some version of the API", async () => {
      const world = await start({ version: "1.30.0" });
      const post = (endpoint: string) =>
        world.caller.post(path, { apiKey: { permissions: { endpoints: { "/api/group": ["GET"], [endpoint]: ["GET"] } } } });
      for (const endpoint of [
        "/api/users",
        "api/user",
        "/api/user/",
        "/api/user/:userId",
        "/api/*",
        "GET:/api/user",
        "",
        "/orders",
      ])
        expectRefusal(await post(endpoint), 400, `[invalid]apiKey.permissions.endpoints[${endpoint}]`);
      for (const endpoint of [
        "/api/webauthn/import",
        "/api/user/export/password-hashes",
        "/api/report/login",
        "/api/scim/resource/v2/Users",
      ])
        expectOk(await post(endpoint));
      const wanted = { apiKey: { permissions: { endpoints: { "/api/users": ["GET"] as const } } } };
      const refused = world.identity.apiKeys.create({ ...wanted } as never);
      await expect(refused).rejects.toMatchObject({ code: "[invalid]apiKey.permissions.endpoints[/api/users]" });
      const own = `${path}/${expectOk(await post("/api/user")).textAt("apiKey.id")}`;
      for (const method of ["PUT", "PATCH"])
        expectRefusal(await world.caller.send(method, own, wanted), 400, "[invalid]apiKey.permissions.endpoints[/api/users]");
    });

    requirement("key.permissions-known", "stay where an earlier release stored them", async () => {
      const world = await start();
      const key = expectOk(await world.caller.post(path, { apiKey: { permissions: { endpoints: { "/api/group": ["GET"] } } } }));
      const own = `${path}/${key.textAt("apiKey.id")}`;
      const keys = await world.storage.find(globalScope, apiKeysTable, undefined);
      const stored = keys.find(({ json }) => json.includes("/api/group"));
      if (stored === undefined) throw new Error("There is no such key.");
      const { tenantId, ...record } = stored;
      const json = stored.json.replace("/api/group", "/api/groups");
      const columns = columnsOf(undefined, JSON.parse(stored.hidden ?? "{}"));
      const instants = { insertInstant: 1, lastUpdateInstant: 1 };
      const changed = { ...record, ...instants, tenantId: tenantId ?? null, json, columns, version: stored.version + 1 };
      await world.storage.transaction((tx) => tx.update(globalScope, apiKeysTable, changed));
      const endpoints = { "/api/groups": ["GET"], "/api/group": ["GET"] };
      expect(expectOk(await world.caller.get(own)).at("apiKey.permissions.endpoints")).toEqual({ "/api/groups": ["GET"] });
      expectOk(await world.caller.patch(own, { apiKey: { permissions: { endpoints } } }));
      expectOk(await world.caller.put(own, { apiKey: { permissions: { endpoints } } }));
      expectOk(await world.as(key.textAt("apiKey.key")).get("/api/group"));
    });

    requirement("key.own-endpoint", "never name the key API, and never grow by leaving it out", async () => {
      const world = await start();
      const endpoints = { [path]: ["GET", "POST"], "/api/group": ["GET"] };
      const answer = expectOk(await world.caller.post(path, { apiKey: { key: "narrow", permissions: { endpoints } } }));
      expect(answer.at("apiKey.permissions.endpoints")).toEqual({ "/api/group": ["GET"] });
      expectEmpty(await world.as("narrow").get(`${path}/${uuid(1)}`), 401);
      const alone = { apiKey: { permissions: { endpoints: { [path]: ["GET"] } } } };
      expectRefusal(await world.caller.post(path, alone), 400, "[invalid]apiKey.permissions");
    });

    requirement("key.permissions", "bind HEAD like GET", async () => {
      const world = await start();
      expectEmpty(await (await callerWith(world, { "/api/group": ["POST"] })).send("HEAD", "/api/group"), 401);
      expect((await (await callerWith(world, { "/api/group": ["GET"] })).send("HEAD", "/api/group")).status).toBe(200);
    });
  });

  describe("managing API keys", () => {
    requirement("key.manager-required", "needs keyManager on every call, with any grants", async () => {
      const world = await start();
      const caller = await callerWith(world, {});
      for (const url of [path, `${path}/${uuid(1)}`])
        for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"])
          expectEmpty(await caller.send(method, url, method === "GET" ? undefined : {}), 401);
    });

    requirement("key.manager-through-api", "cannot be given or taken through the API, only in process", async () => {
      const world = await start();
      const wanted = { apiKey: { keyManager: true } };
      expectRefusal(await world.caller.post(path, wanted), 400, "[invalid]apiKey.keyManager");
      const own = `${path}/${expectOk(await world.caller.post(path, {})).textAt("apiKey.id")}`;
      expectRefusal(await world.caller.put(own, wanted), 400, "[invalid]apiKey.keyManager");
      expectRefusal(await world.caller.patch(own, wanted), 400, "[invalid]apiKey.keyManager");
      expectOk(await world.caller.put(own, { apiKey: { keyManager: false } }));
      const { apiKey } = await world.identity.apiKeys.create({ apiKey: { keyManager: true } });
      const manager = `${path}/${apiKey.id}`;
      expectRefusal(await world.caller.patch(manager, { apiKey: { keyManager: false } }), 400, "[invalid]apiKey.keyManager");
      expect(expectOk(await world.caller.put(manager, { apiKey: {} })).at("apiKey.keyManager")).toBe(true);
    });

    requirement("key.granting", "cannot grant what the manager does not hold", async () => {
      const world = await start();
      const manager = await managerWith(world, { "/api/group": ["GET", "POST"], "/api/user": ["GET"] });
      const grant = (endpoints: Endpoints): object => ({ apiKey: { permissions: { endpoints } } });
      const own = `${path}/${expectOk(await manager.post(path, grant({ "/api/group": ["GET"] }))).textAt("apiKey.id")}`;
      for (const endpoints of [
        {},
        { "/api/group": ["DELETE"] },
        { "/api/tenant": ["GET"] },
        { "/api/user": ["GET", "POST"] },
      ] as Endpoints[]) {
        expectRefusal(await manager.post(path, grant(endpoints)), 400, "[invalid]apiKey.permissions");
        expectRefusal(await manager.put(own, grant(endpoints)), 400, "[invalid]apiKey.permissions");
      }
      expectRefusal(await manager.patch(own, grant({ "/api/tenant": ["GET"] })), 400, "[invalid]apiKey.permissions");
      expectRefusal(await manager.patch(own, { apiKey: { permissions: null } }), 400, "[invalid]apiKey.permissions");
      expect((await manager.get(own)).at("apiKey.permissions.endpoints")).toEqual({ "/api/group": ["GET"] });
      expectOk(await manager.put(own, grant({ "/api/group": ["POST", "GET"], "/api/user": ["GET"] })));
    });

    requirement("key.manager-reach", "cannot see, change, copy or remove a key that may do more", async () => {
      const world = await start();
      const manager = await managerWith(world, { "/api/group": ["GET"] });
      const own = `${path}/${uuid(1)}`;
      const before = expectOk(
        await world.caller.post(own, { apiKey: { permissions: { endpoints: { "/api/user": ["GET"] } } } }),
      ).text;
      const narrow = { apiKey: { permissions: { endpoints: { "/api/group": ["GET"] } } } };
      expectEmpty(await manager.get(own), 401);
      expectEmpty(await manager.put(own, narrow), 401);
      expectEmpty(await manager.patch(own, { apiKey: { name: "mine" } }), 401);
      expectEmpty(await manager.delete(own), 401);
      expectEmpty(await manager.delete(own, undefined, { "if-match": "*" }), 401);
      expectRefusal(await manager.post(path, { sourceKeyId: uuid(1) }), 400, "[invalid]apiKey.permissions");
      expect((await world.caller.get(own)).text).toBe(before);
    });

    requirement("key.manager-scoped", "stays inside the manager's tenant", async () => {
      const world = await start();
      const other = await makeTenant(world, "Other");
      const manager = await callerOfTenant(world, other);
      const made = expectOk(await manager.post(path, {}));
      expect(made.at("apiKey.tenantId")).toBe(other);
      expectOk(await manager.post(path, { apiKey: { tenantId: other } }));
      for (const tenantId of [world.defaultTenantId, uuid(99)])
        expectRefusal(await manager.post(path, { apiKey: { tenantId } }), 400, "[invalid]apiKey.tenantId");
      const global = expectOk(await world.caller.post(path, {})).textAt("apiKey.id");
      expectEmpty(await manager.get(`${path}/${global}`), 404);
      expectRefusal(await manager.post(path, { sourceKeyId: global }), 400, "[invalid]sourceKeyId");
    });
  });

  describe("copying an API key", () => {
    requirement("key.copy", "takes over what the body leaves out, but neither value, name nor management", async () => {
      const world = await start();
      const source = {
        name: "Source",
        metaData: { attributes: { a: "1" } },
        permissions: { endpoints: { "/api/group": ["GET" as const] } },
      };
      const { apiKey } = await world.identity.apiKeys.create({
        apiKey: { ...source, keyManager: true, expirationInstant: 9e12 },
      });
      const copy = expectOk(await world.caller.post(path, { sourceKeyId: apiKey.id.toUpperCase() })).at("apiKey") as Record<
        string,
        unknown
      >;
      expect(copy).toMatchObject({
        metaData: source.metaData,
        permissions: source.permissions,
        expirationInstant: 9e12,
        keyManager: false,
      });
      expect(copy.name).toBeUndefined();
      expect(copy.key).not.toBe(apiKey.key);
      expect(copy.id).not.toBe(apiKey.id);
      const changed = await world.caller.post(path, {
        sourceKeyId: apiKey.id,
        apiKey: { name: "New", permissions: { endpoints: {} } },
      });
      expect(expectOk(changed).at("apiKey")).toMatchObject({
        name: "New",
        metaData: source.metaData,
        permissions: { endpoints: {} },
      });
    });

    requirement("key.copy", "refuses a source that is not there, and a body of the wrong type all the same", async () => {
      const { caller } = await start();
      expectRefusal(await caller.post(path, { sourceKeyId: uuid(99) }), 400, "[invalid]sourceKeyId");
      expectRefusal(await caller.post(path, { sourceKeyId: 7 }), 400, "[invalidJSON]sourceKeyId");
      const sourceKeyId = expectOk(await caller.post(path, {})).textAt("apiKey.id");
      for (const apiKey of ["text", [], 7])
        expectRefusal(await caller.post(path, { sourceKeyId, apiKey }), 400, "[invalidJSON]apiKey");
    });
  });
});
