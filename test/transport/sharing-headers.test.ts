import type { RequestListener } from "node:http";
import express from "express";
import fastify from "fastify";
import Koa from "koa";
import { identityRouter } from "latchkey/express";
import { identityPlugin } from "latchkey/fastify";
import { identityMiddleware } from "latchkey/koa";
import { nodeHandler } from "latchkey/node";
import type { ApiResponse } from "latchkey/ports";
import { describe, expect, test } from "vitest";
import { requirement } from "../support/requirement.js";
import { exchange } from "./support/exchange.js";
import { listen } from "./support/hosts.js";

const own: Readonly<Record<string, string>> = { "set-cookie": "visit=1", vary: "Cookie", "cache-control": "private" };

const service = {
  paths: ["/api/*"],
  handle: async (): Promise<ApiResponse> => ({
    status: 200,
    headers: { "set-cookie": ["a=1", "b=2"], vary: "Origin, cookie", "cache-control": "no-store" },
    body: "{}",
  }),
};

const bareService = { ...service, handle: async (): Promise<ApiResponse> => ({ status: 200, headers: {}, body: "{}" }) };

const listeners: Readonly<Record<string, (identity: typeof service) => Promise<RequestListener>>> = {
  express: async (identity) => express().use((_req, res, next) => void next(res.set(own) && undefined), identityRouter(identity)),
  koa: async (identity) =>
    new Koa()
      .use((context, next) => {
        context.set(own);
        return next();
      })
      .use(identityMiddleware(identity))
      .callback(),
  node: async (identity) => (req, res) => void nodeHandler(identity)(req, res.setHeaders(new Map(Object.entries(own)))),
  fastify: async (identity) => {
    const app = fastify();
    app.addHook("onRequest", async (_request, reply) => void reply.headers(own));
    app.register(identityPlugin(identity));
    await app.ready();
    return app.routing;
  },
  "fastify, raw": async (identity) => {
    const app = fastify();
    app.addHook("onRequest", async (_request, reply) => void reply.raw.setHeaders(new Map(Object.entries(own))));
    app.register(identityPlugin(identity));
    await app.ready();
    return app.routing;
  },
};

describe.each(Object.entries(listeners))("%s", (_name, start) => {
  requirement("doors.host-headers", "sends what the host has set beside the headers of the service", async () => {
    await using running = await listen(await start(service));
    const { headers } = await exchange(running.port, { path: "/api/group" });
    expect(headers).toMatchObject({
      "set-cookie": ["visit=1", "a=1", "b=2"],
      vary: ["Cookie, Origin"],
      "cache-control": ["private, no-store"],
    });
  });

  test("sends what the host has set where the service sets nothing", async () => {
    await using running = await listen(await start(bareService));
    const { headers } = await exchange(running.port, { path: "/api/group" });
    expect(headers).toMatchObject({ "set-cookie": ["visit=1"], vary: ["Cookie"], "cache-control": ["private"] });
  });
});
