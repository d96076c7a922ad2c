import { expect } from "vitest";
import { routes, tables } from "../../src/families/index.js";
import { expectEmpty, expectOk } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, uuid } from "../support/world.js";

const place = (path: string): string => path.replaceAll(/:\w+/g, uuid(1));
const refusesTenants = new Set(["tenants.create", "tenants.remove"]);

/** They read records that are of none, for people of the tenant, and change nothing. */
const reading = new Set(["emailTemplates.send", "forms.describe", "forms.validate"]);

requirement("key.scoped-shared", "no endpoint lets a key of a tenant change records that are of none", () => {
  const shared = new Set(tables.filter(({ tenancy }) => tenancy === "global").map(({ name }) => name));
  const ofShared = routes.filter(({ target }) => shared.has(target.name.split(".")[0] ?? ""));
  expect(ofShared.length).toBeGreaterThan(100);
  const isWide = (access: string): boolean => !["global", "shared", "public"].includes(access);
  const wide = ofShared.filter(({ access, target }) => isWide(access) && !reading.has(target.name));
  expect(wide.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

forEachStorage((start) => {
  requirement("key.scoped", "a key of a tenant without permissions calls what is of tenants, and nothing else", async () => {
    const world = await start();
    await world.identity.apiKeys.create({ apiKey: { key: "of-a-tenant", tenantId: world.defaultTenantId } });
    const caller = world.as("of-a-tenant");
    for (const { access, method, path, target } of routes) {
      if (access === "public") continue;
      const isReading = access === "shared" && method === "GET";
      const isOfTenants =
        ["client", "tenant", "tenantOrUser", "optional", "optionalOrUser"].includes(access) && !refusesTenants.has(target.name);
      const answer = await caller.send(method, `${place(path)}?dryRun=true`, method === "GET" ? undefined : {});
      expect([method, path, answer.status !== 401]).toEqual([method, path, isReading || isOfTenants]);
    }
  });

  requirement(
    "key.several-tenants",
    "a key for several tenants calls the same with a tenant of its own, and nothing with another",
    async () => {
      const world = await start();
      const [own, other] = [await makeTenant(world, "Own"), await makeTenant(world, "Other")];
      await world.identity.apiKeys.create({ apiKey: { key: "of-one", tenantId: own } });
      await world.identity.apiKeys.create({ apiKey: { key: "of-several", tenantIds: [own, world.defaultTenantId] } });
      const statusOf = async (
        key: string,
        { access, method, path }: (typeof routes)[number],
        headers?: Readonly<Record<string, string>>,
      ): Promise<number> => {
        const body = method === "GET" ? undefined : {};
        const answer = await world.as(key).send(method, `${place(path)}?dryRun=true`, body, headers);
        return access === "public" ? 0 : answer.status;
      };
      for (const route of routes) {
        const named = await statusOf("of-several", route, { "x-service-tenantid": own });
        expect([route.method, route.path, named]).toEqual([route.method, route.path, await statusOf("of-one", route)]);
        const elsewhere = await statusOf("of-several", route, { "x-service-tenantid": other });
        expect([route.method, route.path, elsewhere]).toEqual([route.method, route.path, route.access === "public" ? 0 : 401]);
        const unnamed = await statusOf("of-several", route);
        expect([0, 400, 401, 404]).toContain(unnamed);
      }
    },
  );

  requirement("key.scoped", "its permissions limit it further, and open nothing that is global", async () => {
    const world = await start();
    const endpoints = { "/api/group": ["GET" as const], "/api/webhook": ["GET" as const], "/api/entity/type": ["POST" as const] };
    const apiKey = { key: "of-a-tenant", tenantId: world.defaultTenantId, permissions: { endpoints } };
    await world.identity.apiKeys.create({ apiKey });
    const caller = world.as("of-a-tenant");
    expectOk(await caller.get("/api/group"));
    expectEmpty(await caller.post("/api/group", { group: { name: "A" } }), 401);
    expectEmpty(await caller.get("/api/application"), 401);
    expectEmpty(await caller.get("/api/webhook"), 401);
    expectEmpty(await caller.post("/api/entity/type", { entityType: { name: "A" } }), 401);
  });

  requirement("key.scoped-shared", "what all tenants share can be read by it, and not changed", async () => {
    const world = await start();
    await world.identity.apiKeys.create({ apiKey: { key: "of-a-tenant", tenantId: world.defaultTenantId } });
    const made = expectOk(await world.caller.post("/api/entity/type", { entityType: { name: "Car" } }));
    const path = `/api/entity/type/${made.textAt("entityType.id")}/permission/${uuid(1)}`;
    expectOk(await world.caller.post(path, { permission: { name: "drive" } }));
    const caller = world.as("of-a-tenant");
    const change = { permission: { name: "steal" } };
    expect(expectOk(await caller.get(path)).textAt("permission.name")).toBe("drive");
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) expectEmpty(await caller.send(method, path, change), 401);
    expect(expectOk(await world.caller.get(path)).textAt("permission.name")).toBe("drive");
  });
});
