import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import fastify from "fastify";
import Koa from "koa";
import { identityRouter } from "latchkey/express";
import { identityPlugin } from "latchkey/fastify";
import { identityMiddleware } from "latchkey/koa";
import { nodeHandler } from "latchkey/node";
import { describe, expect, test, vi } from "vitest";
import { requirement } from "../support/requirement.js";
import { exchange, type Received, type Sent } from "./support/exchange.js";
import { hosts } from "./support/hosts.js";
import { authorized, createTestService } from "./support/service.js";

/** Makes one request to a listener of its own. */
async function ask(listener: RequestListener, sent: Sent): Promise<Received> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await exchange((server.address() as AddressInfo).port, sent);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const listGroups = { path: "/api/group", headers: authorized };

describe.each(hosts)("$name", (host) => {
  test.each(["/identity/", "/", "/deep/down", "/v1.0"])("mounts at %s", async (basePath) => {
    const { identity } = await createTestService();
    await using running = await host.start([{ identity, basePath }]);
    const path = `${basePath === "/" ? "" : basePath.replace(/\/$/, "")}/api/group?a=%2F&b=?`;
    expect(await exchange(running.port, { path, headers: authorized })).toMatchObject({ status: 200, body: '{"groups":[]}' });
  });

  test.each([
    ["/api/group/%2e%2ex", 400],
    ["/api/group/%00", 400],
    ["/api/group/a%2Fb", 400],
    ["/api/group/..;/x", 404],
    ["/api/gr%6fup", 404],
    ["/API/group", 404],
    ["/api/group/search?name=%zz", 200],
    ["/api/group/search?name=%00", 400],
    ["/api/group/search?numberOfResults=1&numberOfResults=2", 200],
    ["/api/group/search?__proto__=1&constructor=2", 200],
    [`/api/group/${"x".repeat(5_000)}`, 400],
    // Fastify refuses bad percent-encoding before it looks for a route.
    ["/api/group/%zz", 400],
  ])("answers the odd path %s with %i", async (path, status) => {
    const { identity, logged } = await createTestService();
    await using running = await host.start([{ identity, basePath: "" }]);
    expect((await exchange(running.port, { path, headers: authorized })).status).toBe(status);
    expect(logged).toEqual([]);
  });
});

describe("A host that answered already, as on a timeout of its own, keeps its answer", () => {
  test("express", async () => {
    const { identity } = await createTestService();
    const app = express();
    app.use((_req, res, next) => {
      res.status(503).send("too late");
      next();
    });
    app.use(identityRouter(identity));
    expect(await ask(app, listGroups)).toMatchObject({ status: 503, body: "too late" });
  });

  test("node", async () => {
    const { identity } = await createTestService();
    const handler = nodeHandler(identity);
    const answered: Promise<void>[] = [];
    const listener: RequestListener = (req, res) => {
      res.writeHead(503).end("too late");
      answered.push(handler(req, res));
    };
    expect(await ask(listener, listGroups)).toMatchObject({ status: 503, body: "too late" });
    await expect(Promise.all(answered)).resolves.toEqual([undefined]);
  });
});

test("node answers 404 by itself when there is nobody behind it", async () => {
  const { identity } = await createTestService();
  const received = await ask((req, res) => void nodeHandler(identity)(req, res), { path: "/other" });
  expect(received).toMatchObject({ status: 404, body: "", headers: { "content-length": ["0"] } });
});

requirement("doors.errors", "node prints an error that nobody takes, and answers 500", async () => {
  const broken = { handle: () => Promise.reject(new Error("broken")) };
  const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const handler = nodeHandler(broken);
  for (const listener of [
    (req: IncomingMessage, res: ServerResponse) => void handler(req, res),
    (req: IncomingMessage, res: ServerResponse) => void handler(req, res, () => void res.end("not found")),
  ])
    expect(await ask(listener, listGroups)).toMatchObject({ status: 500, body: "" });
  expect(printed).toHaveBeenCalledTimes(2);
  printed.mockRestore();
  const taken = (req: IncomingMessage, res: ServerResponse) =>
    void handler(req, res, (error) => void res.end(`host: ${String(error)}`));
  expect((await ask(taken, listGroups)).body).toBe("host: Error: broken");
});

test("an error of the service's own goes to the host's error handler", async () => {
  const broken = { handle: () => Promise.reject(new Error("broken")) };
  const app = express().use(identityRouter(broken));
  app.use((error: Error, _req: express.Request, res: express.Response, _next: express.NextFunction) => {
    res.status(500).send(`host: ${error.message}`);
  });
  expect(await ask(app, listGroups)).toMatchObject({ status: 500, body: "host: broken" });

  const koa = new Koa();
  koa.use((context, next) =>
    next().catch((error: Error) => {
      context.body = `host: ${error.message}`;
    }),
  );
  koa.use(identityMiddleware(broken));
  expect(await ask(koa.callback(), listGroups)).toMatchObject({ body: "host: broken" });
});

test("fastify keeps the host's parsers, hooks and more exact routes as they are", async () => {
  const { identity } = await createTestService();
  const app = fastify();
  const seen: string[] = [];
  app.addHook("onRequest", async (request) => void seen.push(request.url));
  app.addContentTypeParser("text/csv", { parseAs: "string" }, (_request, body, done) => done(null, String(body).split(",")));
  app.register(identityPlugin(identity));
  app.post("/api/group/import", async (request) => ({ rows: request.body, type: request.headers["content-type"] }));
  app.post("/rows", async (request) => ({ rows: request.body, type: request.headers["content-type"] }));
  await app.ready();
  for (const path of ["/rows", "/api/group/import"]) {
    const sent = { method: "POST", path, headers: { "content-type": "text/csv" }, body: "a,b" };
    expect(JSON.parse((await ask(app.routing, sent)).body)).toEqual({ rows: ["a", "b"], type: "text/csv" });
  }
  expect((await ask(app.routing, listGroups)).status).toBe(200);
  expect(seen).toEqual(["/rows", "/api/group/import", "/api/group"]);
  await app.close();
});

test("koa lets middleware around it see and add to the answer", async () => {
  const { identity } = await createTestService();
  const koa = new Koa();
  koa.use(async (context, next) => {
    await next();
    context.set("x-seen", `${context.status} ${String(context.body).length}`);
  });
  koa.use(identityMiddleware(identity));
  expect((await ask(koa.callback(), listGroups)).headers["x-seen"]).toEqual(["200 13"]);
  expect((await ask(koa.callback(), { path: "/api/group" })).headers["x-seen"]).toEqual(["401 4"]);
});
