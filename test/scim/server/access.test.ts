// Who may call what: every route with every kind of caller.
import { scim, scimPath, scimServerTypeId } from "latchkey/scim";
import { describe, expect } from "vitest";
import { expectOk } from "../../support/answer.js";
import { askToken, grantTo, makeClient } from "../../support/clients.js";
import { makeClientKey, makeProof } from "../../support/dpop.js";
import { makeEntity, makeEntityType } from "../../support/families/entities.js";
import { arrangeLogin, logIn } from "../../support/logins.js";
import { requirement } from "../../support/requirement.js";
import { forEachStorage, makeTenant, type World } from "../../support/world.js";
import {
  allScimPermissions,
  callWith,
  createUser,
  type Directory,
  enableScim,
  expectStatus,
  openDirectory,
  type ScimCall,
  startDirectory,
  tokenFor,
} from "../support/directory.js";
import { type ScimRouteCase, scimRoutes, sendRoutes } from "../support/scim-routes.js";

const bearer = (world: World, token: string): ScimCall => callWith(world, { authorization: `Bearer ${token}` });

/** Sends every route, and expects of each the status that `expected` says. */
async function walk(call: ScimCall, setUp: ScimCall, expected: (route: ScimRouteCase) => number): Promise<void> {
  const statuses = await sendRoutes(call, setUp, scimRoutes);
  const named = scimRoutes.map((route, at) => [route.method, route.path, statuses[at]]);
  expect(named).toEqual(scimRoutes.map((route) => [route.method, route.path, expected(route)]));
}

/** Callers who may do nothing, and the status that tells them. */
const refused: readonly (readonly [name: string, status: number, open: (directory: Directory) => Promise<ScimCall>])[] = [
  ["nobody", 401, async ({ world }) => callWith(world, {})],
  ["a wrong token", 401, async ({ world }) => bearer(world, "wrong")],
  ["a token with another signature", 401, async ({ world, token }) => bearer(world, `${token.slice(0, -6)}AAAAAA`)],
  ["a wrong key", 401, async ({ world }) => callWith(world, { authorization: "wrong" })],
  [
    "a user",
    403,
    async ({ world }) => {
      await arrangeLogin(world);
      return bearer(world, (await logIn(world)).token);
    },
  ],
  [
    "a token without permissions",
    403,
    async ({ client, world }) => bearer(world, expectOk(await askToken(world, client)).textAt("access_token")),
  ],
  [
    "a client of another entity type",
    403,
    async ({ world, tenantId, serverId }) => {
      const client = await makeClient(world, tenantId, await makeEntityType(world, "Robot"), "Robot");
      await grantTo(world, client, allScimPermissions, serverId);
      return bearer(world, await tokenFor(world, client, serverId));
    },
  ],
  [
    "a token for an entity of another type",
    403,
    async ({ world, tenantId, client }) => {
      const permissions = allScimPermissions.map((name) => ({ name }));
      const target = await makeEntity(world, tenantId, await makeEntityType(world, "Target", permissions), "Target");
      await grantTo(world, client, allScimPermissions, target);
      return bearer(world, await tokenFor(world, client, target));
    },
  ],
  [
    "a client of a tenant where SCIM is off",
    403,
    async ({ world }) => openOf(world, await makeTenant(world, "Off"), allScimPermissions),
  ],
  [
    "a client of a tenant that names no client type",
    403,
    async ({ world }) => {
      const tenantId = await makeTenant(world, "Half");
      await world.caller.patch(`/api/tenant/${tenantId}`, {
        tenant: { scimServerConfiguration: { enabled: true, serverEntityTypeId: scimServerTypeId } },
      });
      return openOf(world, tenantId, allScimPermissions);
    },
  ],
  [
    "an API key without grants of SCIM",
    403,
    async ({ world, tenantId }) =>
      callWith(world, { authorization: await makeKey(world, { tenantId, endpoints: { "/api/user": ["GET", "POST"] } }) }),
  ],
  [
    "an API key of a tenant where SCIM is off",
    403,
    async ({ world }) => callWith(world, { authorization: await makeKey(world, { tenantId: await makeTenant(world, "Off") }) }),
  ],
  [
    "an API key of one tenant with the header of another",
    403,
    async ({ world, tenantId }) => {
      const key = await makeKey(world, { tenantId });
      return callWith(world, { authorization: key, "x-service-tenantid": await makeTenant(world, "Other") });
    },
  ],
];

async function openOf(world: World, tenantId: string, permissions: readonly string[]): Promise<ScimCall> {
  return (await openDirectory(world, tenantId, permissions)).call;
}

let keys = 0;

interface KeySettings {
  readonly tenantId?: string;
  readonly endpoints?: Readonly<Record<string, readonly string[]>>;
}

async function makeKey({ identity }: World, { endpoints, tenantId }: KeySettings): Promise<string> {
  const key = `key-of-the-scim-tests-${++keys}-0123456789`;
  const permissions = endpoints && { permissions: { endpoints } };
  await identity.apiKeys.create({ apiKey: { key, ...(tenantId !== undefined && { tenantId }), ...permissions } as never });
  return key;
}

forEachStorage((start) => {
  describe("refused at every route", () => {
    for (const [name, status, open] of refused)
      requirement("scim.access", name, async () => {
        const directory = await startDirectory(start);
        await walk(await open(directory), directory.call, () => status);
        expect((await expectStatus(directory.call("GET", "/Users"), 200)).totalResults).toBe(name === "a user" ? 1 : 0);
      });
  });

  requirement("scim.access", "each permission opens its own routes", async () => {
    const { call, tenantId, world } = await startDirectory(start);
    for (const permission of allScimPermissions) {
      const only = await openOf(world, tenantId, [permission]);
      await walk(only, call, (route) => {
        if (route.path === "/.search" && !/^scim:(user|group):read$/.test(permission)) return 403;
        return route.permission === undefined || route.permission === permission ? route.status : 403;
      });
    }
  });

  requirement("scim.access", "a client with all permissions calls all routes", async () => {
    const { call } = await startDirectory(start);
    await walk(call, call, ({ status }) => status);
  });

  requirement("scim.keys", "an API key calls the routes that its grants name, and a key without permissions all", async () => {
    const { call, tenantId, world } = await startDirectory(start);
    await walk(callWith(world, { authorization: await makeKey(world, { tenantId }) }), call, ({ status }) => status);
    for (const route of scimRoutes) {
      const endpoints = { [route.endpoint]: [route.grant] };
      const only = callWith(world, { authorization: await makeKey(world, { tenantId, endpoints }) });
      const isSearch = route.path === "/.search";
      expect([route.path, ...(await sendRoutes(only, call, [route]))]).toEqual([route.path, isSearch ? 403 : route.status]);
    }
    const users = { [`${scimPath}/Users`]: ["GET"] };
    await walk(callWith(world, { authorization: await makeKey(world, { tenantId, endpoints: users }) }), call, (route) =>
      route.permission === "scim:user:read" ? route.status : 403,
    );
  });

  requirement("scim.keys", "a global key names the tenant by header where there are several", async () => {
    const { call, tenantId, world } = await startDirectory(start);
    const authorization = await makeKey(world, {});
    await walk(callWith(world, { authorization }), call, ({ status }) => status);
    const another = await makeTenant(world, "Another");
    const ann = await createUser(call, "ann@example.com");
    expect(await refusalAt(callWith(world, { authorization }), `/Users/${ann}`)).toBe(400);
    expect(await refusalAt(callWith(world, { authorization, "x-service-tenantid": tenantId }), `/Users/${ann}`)).toBe(200);
    expect(await refusalAt(callWith(world, { authorization, "x-service-tenantid": another }), `/Users/${ann}`)).toBe(403);
    expect(await refusalAt(callWith(world, { authorization, "x-service-tenantid": "none" }), `/Users/${ann}`)).toBe(400);
    await enableScim(world, another);
    expect(await refusalAt(callWith(world, { authorization, "x-service-tenantid": another }), `/Users/${ann}`)).toBe(404);
  });

  requirement("scim.access", "a token that is bound to a key is refused as Bearer, and counts with its proof", async () => {
    const { client, serverId, world } = await startDirectory(start);
    const key = await makeClientKey();
    const url = "http://localhost/oauth2/token";
    const proof = await makeProof(key, { method: "POST", url, now: world.clock.now() });
    const body = new URLSearchParams({
      grant_type: "client_credentials",
      scope: `target-entity:${serverId}`,
      client_id: client.clientId,
      client_secret: client.clientSecret,
    });
    const headers = { "content-type": "application/x-www-form-urlencoded", dpop: proof };
    const answer = await world.identity.inject({ method: "POST", url: "/oauth2/token", headers, body: body.toString() });
    const token = String((JSON.parse(answer.body) as { access_token: string }).access_token);
    expect(await refusalAt(bearer(world, token), "/Users")).toBe(401);
    const own = await makeProof(key, { url: `http://localhost${scimPath}/Users`, token, now: world.clock.now() });
    expect(await refusalAt(callWith(world, { authorization: `DPoP ${token}`, dpop: own }), "/Users")).toBe(200);
  });

  requirement("scim.unserved", "a version or plan without SCIM has no such path", async () => {
    for (const options of [{ version: "1.35.0" }, { plan: "community" }, { plan: "starter" }] as const) {
      const { identity } = await start({ ...options, protocols: [scim()] });
      expect(await identity.handle({ method: "GET", path: `${scimPath}/Users`, query: "", headers: {} })).toBeUndefined();
    }
  });
});

async function refusalAt(call: ScimCall, path: string): Promise<number> {
  return (await call("GET", path)).status;
}
