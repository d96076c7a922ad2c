import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import fastify from "fastify";
import { createRemoteJWKSet, jwtVerify } from "jose";
import Koa from "koa";
import { createIdentityService, defaultApiEntityId, type IdentityService } from "latchkey";
import { identityRouter } from "latchkey/express";
import { identityPlugin } from "latchkey/fastify";
import { fetchHandler } from "latchkey/fetch";
import { identityMiddleware } from "latchkey/koa";
import { memoryStorage } from "latchkey/memory";
import { describe, expect, onTestFinished, test } from "vitest";
import { askToken, startServer } from "../../examples/client-credentials.js";

const apiScope = `target-entity:${defaultApiEntityId}`;

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("examples/client-credentials.ts", () => {
  test("gets a token that reads groups and that a library verifies by the published keys", async () => {
    const { server, clientId, clientSecret } = await startServer();
    onTestFinished(() => void server.close().closeAllConnections());
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const token = await askToken(origin, clientId, clientSecret, apiScope);
    const keys = createRemoteJWKSet(new URL(`${origin}/.well-known/jwks.json`));
    const { payload } = await jwtVerify(token, keys, { audience: defaultApiEntityId, subject: clientId, typ: "JWT" });
    expect(payload.permissions).toEqual({ [defaultApiEntityId]: ["GET:/api/group"] });
    const call = (path: string): Promise<Response> => fetch(origin + path, { headers: { authorization: `Bearer ${token}` } });
    expect((await call("/api/group")).status).toBe(200);
    expect((await call("/api/user/search")).status).toBe(401);
    await expect(askToken(origin, clientId, "wrong", apiScope)).rejects.toThrow("There is no such client");
    await expect(askToken(origin, clientId, clientSecret, `${apiScope}:GET:/api/user`)).rejects.toThrow("not granted");
  });
});

/** A form that goes through a framework, as it comes and through the framework's own parser. */
const frameworks: Readonly<Record<string, (identity: IdentityService) => Promise<string>>> = {
  express: (identity) => listen(express().use(identityRouter(identity))),
  "express with parsers": (identity) =>
    listen(express().use(express.json(), express.urlencoded({ extended: true }), identityRouter(identity))),
  koa: (identity) => listen(new Koa().use(identityMiddleware(identity)).callback()),
  async fastify(identity) {
    const app = fastify();
    app.register(identityPlugin(identity));
    onTestFinished(() => app.close());
    return app.listen({ port: 0, host: "127.0.0.1" });
  },
};

describe.each(Object.entries(frameworks))("on %s", (_name, start) => {
  test("a form gets a token, and a form with a parameter twice does not", async () => {
    const identity = await createIdentityService({ storage: memoryStorage() });
    onTestFinished(() => identity.close());
    const { entityType } = await identity.entityTypes.create({ entityType: { name: "Service" } });
    const { entity } = await identity.entities.create({ entity: { name: "Client", type: { id: entityType.id } } });
    const origin = await start(identity);
    const token = await askToken(origin, entity.clientId, entity.clientSecret ?? "", "");
    expect(await identity.oauth2.introspect({ token })).toMatchObject({ active: true, sub: entity.id });
    const body = new URLSearchParams([
      ["grant_type", "client_credentials"],
      ["grant_type", "password"],
    ]);
    const twice = await fetch(`${origin}/oauth2/token`, { method: "POST", body });
    expect([twice.status, await twice.json()]).toMatchObject([400, { error_reason: "repeated_parameter" }]);
    const json = await fetch(`${origin}/oauth2/token`, {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json" },
    });
    expect([json.status, await json.json()]).toMatchObject([400, { error: "invalid_request" }]);
  });
});

test("as Request and Response a form gets a token", async () => {
  const identity = await createIdentityService({ storage: memoryStorage() });
  onTestFinished(() => identity.close());
  const { entityType } = await identity.entityTypes.create({ entityType: { name: "Service" } });
  const { entity } = await identity.entities.create({ entity: { name: "Client", type: { id: entityType.id } } });
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: entity.clientId,
    client_secret: entity.clientSecret ?? "",
  });
  const response = await fetchHandler(identity)(new Request("http://localhost/oauth2/token", { method: "POST", body }));
  expect([response?.status, await response?.json()]).toMatchObject([200, { token_type: "Bearer" }]);
});
