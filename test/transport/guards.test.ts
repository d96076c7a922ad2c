// Guards of the host's routes: the same callers pass and the same are refused in every framework.
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import fastify from "fastify";
import Koa from "koa";
import type { IdentityService } from "latchkey";
import { expressGuards } from "latchkey/express";
import { fastifyGuards } from "latchkey/fastify";
import { fetchGuards } from "latchkey/fetch";
import { type IdentityState, koaGuards } from "latchkey/koa";
import { memoryStorage } from "latchkey/memory";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeClientKey, makeProof, makeToken } from "../support/dpop.js";
import { makeAction, takeAction } from "../support/families/user-actions.js";
import { makeApplication, makeUser } from "../support/families.js";
import { arrangeLogin, ids, logIn } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, forEachStorage, makeTenant, startWorld, uuid, type World } from "../support/world.js";
import { exchange, type Received } from "./support/exchange.js";

type Guarding = (identity: IdentityService) => RequestListener | Promise<RequestListener>;
const { application: applicationId } = ids;

/** A host of each framework with a route for users, one for buyers, one for sellers and one for keys; each answers its caller. */
const hosts: Readonly<Record<string, Guarding>> = {
  express(identity) {
    const { requireApiKey, requireRole, requireUser } = expressGuards(identity);
    const app = express();
    const answer: express.RequestHandler = (request, response) => void response.json(request.identity);
    app.all("/user", requireUser({ applicationId }), answer);
    app.all("/buyer", requireRole("buyer", { applicationId }), answer);
    app.all("/seller", requireRole(["seller"], { applicationId, fresh: true }), answer);
    app.all("/key", requireApiKey(), answer);
    app.use(((error, _request, response, _next) => {
      response.status(error.status).set(error.headers).end();
    }) satisfies express.ErrorRequestHandler);
    return app;
  },
  async fastify(identity) {
    const { requireApiKey, requireRole, requireUser } = fastifyGuards(identity);
    const app = fastify();
    const routes = {
      "/user": requireUser({ applicationId }),
      "/buyer": requireRole("buyer", { applicationId }),
      "/seller": requireRole(["seller"], { applicationId, fresh: true }),
      "/key": requireApiKey(),
    };
    for (const [path, onRequest] of Object.entries(routes)) app.all(path, { onRequest }, async (request) => request.identity);
    await app.ready();
    return app.routing as RequestListener;
  },
  koa(identity) {
    const { requireApiKey, requireRole, requireUser } = koaGuards(identity);
    const guards = {
      "/user": requireUser({ applicationId }),
      "/buyer": requireRole("buyer", { applicationId }),
      "/seller": requireRole(["seller"], { applicationId, fresh: true }),
      "/key": requireApiKey(),
    };
    const app = new Koa<IdentityState>();
    for (const [path, guard] of Object.entries(guards))
      app.use((context, next) => (context.path === path ? guard(context, next) : next()));
    app.use((context) => {
      context.body = context.state.identity;
    });
    return app.callback();
  },
  fetch(identity) {
    const { requireApiKey, requireRole, requireUser } = fetchGuards(identity);
    const answer = (_request: Request, caller: unknown): Response => Response.json(caller);
    const routes = new Map([
      ["/user", requireUser({ applicationId })(answer)],
      ["/buyer", requireRole("buyer", { applicationId })(answer)],
      ["/seller", requireRole(["seller"], { applicationId, fresh: true })(answer)],
      ["/key", requireApiKey()(answer)],
    ]);
    return async (request, response) => {
      const { remoteAddress } = request.socket;
      const answered = await routes.get(request.url ?? "")?.(toRequest(request), { remoteAddress });
      response.setHeaders(answered?.headers ?? new Map()).writeHead(answered?.status ?? 404);
      response.end(await answered?.text());
    };
  },
};

function toRequest({ headers, method, url }: IncomingMessage): Request {
  return new Request(`http://${headers.host}${url}`, { method: method ?? "GET", headers: headers as Record<string, string> });
}

type Ask = (path: string, headers?: Readonly<Record<string, string>>, method?: string) => Promise<Received>;

async function listen(listener: RequestListener): Promise<Ask> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return (path, headers = {}, method = "GET") => exchange(port, { path, headers, method });
}

describe.each(Object.entries(hosts))("guards of %s", (_name, guarding) => {
  async function start(): Promise<{
    readonly world: World;
    readonly ask: Ask;
    readonly headers: Readonly<Record<string, string>>;
  }> {
    const world = await startWorld(memoryStorage());
    await arrangeLogin(world);
    const { token } = await logIn(world);
    return { world, ask: await listen(await guarding(world.identity)), headers: { authorization: `Bearer ${token}` } };
  }

  requirement("guards.users", "let users with a token pass, by header and by cookie", async () => {
    const { ask, headers, world } = await start();
    const answer = await ask("/user", headers);
    expect(answer.status).toBe(200);
    const caller = { kind: "user", userId: ids.user, tenantId: world.defaultTenantId, applicationId, roles: ["buyer"] };
    expect(JSON.parse(answer.body)).toMatchObject(caller);
    expect((await ask("/buyer", headers)).status).toBe(200);
    const cookie = { cookie: `access_token=${headers.authorization?.slice(7)}` };
    expect((await ask("/user", cookie)).status).toBe(200);
    expect((await ask("/user", { ...cookie, "sec-fetch-site": "cross-site" }, "POST")).status).toBe(401);
  });

  requirement("guards.refusals", "refuse others by the convention of the framework", async () => {
    const { ask, headers, world } = await start();
    const nobody = await ask("/user");
    expect([nobody.status, nobody.headers["www-authenticate"]]).toEqual([401, ['Bearer realm="oauth2"']]);
    for (const authorization of ["Bearer x", bootstrapKey, "Basic x"])
      expect((await ask("/user", { authorization })).status).toBe(401);
    expect((await ask("/seller", headers)).status).toBe(403);
    const other = await makeTenant(world, "Other");
    expect((await ask("/user", { ...headers, "x-service-tenantid": other })).status).toBe(401);
    expect((await ask("/user", { ...headers, "x-service-tenantid": world.defaultTenantId })).status).toBe(200);
  });

  requirement("guards.keys", "let holders of a key pass, also of one with few rights", async () => {
    const { ask, headers, world } = await start();
    const permissions = { endpoints: { "/api/group": ["GET" as const] } };
    await world.identity.apiKeys.create({ apiKey: { key: "a-key-with-few-rights-0123456789abc", permissions } });
    for (const authorization of [bootstrapKey, "a-key-with-few-rights-0123456789abc"])
      expect((await ask("/key", { authorization })).status).toBe(200);
    for (const authorization of ["no-such-key", headers.authorization ?? ""])
      expect((await ask("/key", { authorization })).status).toBe(401);
    expect((await ask("/key")).status).toBe(401);
  });

  requirement("guards.dpop", "want the proof of a token that is bound, for the URL of the host's route", async () => {
    const world = await startWorld(memoryStorage(), { publicUrl: "https://id.example.com/identity" });
    await arrangeLogin(world);
    const key = await makeClientKey();
    const token = await makeToken(world, key, { sub: ids.user, aud: applicationId, applicationId, roles: ["buyer"] });
    const ask = await listen(await guarding(world.identity));
    const now = world.clock.now();
    const proofFor = (url: string): Promise<string> => makeProof(key, { token, url, now });
    const authorization = `DPoP ${token}`;
    const dpop = await proofFor("https://id.example.com/user");
    expect((await ask("/user", { authorization, dpop })).status).toBe(200);
    expect((await ask("/user", { authorization, dpop })).status).toBe(401);
    expect((await ask("/user", { authorization, dpop: await proofFor("https://id.example.com/identity/user") })).status).toBe(
      401,
    );
    expect((await ask("/user", { authorization: `Bearer ${token}` })).status).toBe(401);
  });
});

forEachStorage((start) => {
  const authorize = (world: World, token: string, fresh: boolean): Promise<unknown> =>
    world.identity.verifyToken(token, { applicationId, fresh });

  const endings: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
    "was deactivated": ({ caller }) => caller.delete(`/api/user/${ids.user}`),
    "was removed": ({ caller }) => caller.delete(`/api/user/${ids.user}?hardDelete=true`),
    "has expired": ({ caller, clock }) => caller.patch(`/api/user/${ids.user}`, { user: { expiry: clock.instant } }),
    "is not registered any more": ({ caller }) => caller.delete(`/api/user/registration/${ids.user}/${applicationId}`),
    "logged out everywhere": ({ caller }) => caller.delete(`/api/jwt/refresh?userId=${ids.user}`),
    "chose another password": async ({ caller, clock }) => {
      clock.advance(1_000);
      await caller.patch(`/api/user/${ids.user}`, { user: { password: "another horse battery" } });
    },
    "is banned": async (world) => takeAction(world, await makeAction(world), ids.user),
  };

  describe.each([true, false])("a fresh look at a token, with a refresh token: %s", (generateRefreshTokens) => {
    for (const [what, end] of Object.entries(endings))
      requirement("guards.fresh", `finds that the user ${what}`, async () => {
        const world = await start();
        const loginConfiguration = { generateRefreshTokens, requireAuthentication: true };
        await arrangeLogin(world, { application: { loginConfiguration } });
        const login = { loginId: "ann@example.com", password: "correct horse battery", applicationId };
        const { token = "" } = (await world.identity.logins.login(login)) as { readonly token?: string };
        expect(await authorize(world, token, true)).toMatchObject({ kind: "user", roles: ["buyer"] });
        await end(world);
        expect(await authorize(world, token, true)).toBeUndefined();
        expect(await authorize(world, token, false)).toMatchObject({ kind: "user", userId: ids.user });
      });
  });

  requirement("guards.fresh", "shows the roles of now", async () => {
    const world = await start();
    await arrangeLogin(world);
    const { token } = await logIn(world);
    await world.caller.patch(`/api/user/registration/${ids.user}/${applicationId}`, { registration: { roles: [] } });
    const roles = [{ name: "seller" }];
    for (const role of roles) await world.caller.post(`/api/application/${applicationId}/role`, { role });
    await world.caller.put(`/api/user/registration/${ids.user}`, { registration: { applicationId, roles: ["seller"] } });
    expect(await authorize(world, token, true)).toMatchObject({ roles: ["seller"] });
    expect(await authorize(world, token, false)).toMatchObject({ roles: ["buyer"] });
  });

  requirement("guards.application", "is for the application that is named, and for who is registered to it", async () => {
    const world = await start();
    await arrangeLogin(world);
    const { token } = await logIn(world);
    const other = await makeApplication(world, world.defaultTenantId, "Other");
    expect(await world.identity.verifyToken(token, { applicationId: other })).toBeUndefined();
    expect(await world.identity.verifyToken(token)).toMatchObject({ kind: "user" });
    const stranger = await makeUser(world, world.defaultTenantId, "stranger@example.com");
    await world.caller.patch(`/api/user/${stranger}`, { user: { password: "correct horse battery" } });
    const login = { loginId: "stranger@example.com", password: "correct horse battery", applicationId };
    const { token: foreign = "" } = (await world.identity.logins.login(login)) as { readonly token?: string };
    expect(await world.identity.verifyToken(foreign, { applicationId })).toBeUndefined();
    expect(await world.identity.verifyToken(foreign)).toMatchObject({ kind: "user" });
  });
});

test("a guard that asks for what makes no sense is a TypeError", async () => {
  const { identity } = await startWorld(memoryStorage());
  const request = { method: "GET", path: "/", query: "", headers: {} };
  const ask = (more: object): Promise<unknown> => identity.authorize(request, { kind: "user", ...more });
  await expect(ask({ role: "buyer" })).rejects.toThrow("A role is one of an application");
  await expect(ask({ applicationId: "shop" })).rejects.toThrow("applicationId must be a UUID");
  await expect(ask({ applicatonId: uuid(1) })).rejects.toThrow("Did you mean applicationId?");
});
