import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { connect, createServer as createHttp2Server, type OutgoingHttpHeaders } from "node:http2";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import express from "express";
import fastify from "fastify";
import Koa from "koa";
import { identityRouter } from "latchkey/express";
import { identityPlugin } from "latchkey/fastify";
import { fetchHandler } from "latchkey/fetch";
import { identityMiddleware } from "latchkey/koa";
import { nodeHandler } from "latchkey/node";
import { describe, expect, test } from "vitest";
import { requirement } from "../support/requirement.js";
import { exchange, type Received } from "./support/exchange.js";
import { listen } from "./support/hosts.js";
import { authorized, createTestService, type TestService } from "./support/service.js";

type Identity = TestService["identity"];
type Answer = Pick<Received, "status" | "body">;

const body = JSON.stringify({ group: { name: "Editors" } });
const headers = { ...authorized, "content-type": "application/json" };

const created = { status: 200, body: expect.stringContaining('"name":"Editors"') };
const missing = { status: 400, body: expect.stringContaining("[missing]group") };
const unreadable = { status: 400, body: expect.stringMatching(/\[unreadableBody\].*read the body before/) };

/** Sends a body without its length, as browsers and proxies do over HTTP/2. */
async function overHttp2(listener: RequestListener, sent: string): Promise<Answer> {
  const server = createHttp2Server(listener as never).listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  try {
    const request = client.request({ ":method": "POST", ":path": "/api/group", ...headers }, { endStream: sent === "" });
    if (sent !== "") request.end(sent);
    const [received] = (await once(request, "response")) as [OutgoingHttpHeaders];
    return { status: Number(received[":status"]), body: await text(request) };
  } finally {
    client.destroy();
    server.close();
  }
}

describe("over HTTP/2, without a length", () => {
  const listeners: Readonly<Record<string, (identity: Identity) => Promise<RequestListener>>> = {
    node: async (identity) => (req, res) => void nodeHandler(identity)(req, res),
    koa: async (identity) => new Koa().use(identityMiddleware(identity)).callback(),
    fastify: async (identity) => {
      const app = fastify({ http2: true });
      app.register(identityPlugin(identity) as never);
      await app.ready();
      return app.routing as never;
    },
  };
  describe.each(Object.entries(listeners))("%s", (_name, start) => {
    requirement("wire.unreadable-body", "a body is read, and none is none", async () => {
      const { identity } = await createTestService({ maxBodyBytes: 1_000 });
      const listener = await start(identity);
      expect(await overHttp2(listener, body)).toEqual(created);
      expect(await overHttp2(listener, "")).toEqual(missing);
      expect((await overHttp2(listener, JSON.stringify("x".repeat(2_000)))).status).toBe(413);
    });
  });
});

describe("after something else has read it", () => {
  const take = async (req: IncomingMessage): Promise<string> => text(req);
  const listeners: Readonly<Record<string, (identity: Identity, leaves: boolean) => RequestListener>> = {
    node: (identity, leaves) => async (req, res) => {
      const taken = await take(req);
      await nodeHandler(identity)(leaves ? Object.assign(req, { body: JSON.parse(taken) }) : req, res);
    },
    koa: (identity, leaves) =>
      new Koa()
        .use(async (context, next) => {
          const taken = await take(context.req);
          if (leaves) Object.assign(context.request, { body: taken });
          await next();
        })
        .use(identityMiddleware(identity))
        .callback(),
    express: (identity, leaves) =>
      express().use(
        (req, _res, next) =>
          void take(req).then((taken) => {
            if (leaves) req.body = JSON.parse(taken);
            next();
          }),
        identityRouter(identity),
      ),
  };
  describe.each(Object.entries(listeners))("%s", (_name, start) => {
    requirement("wire.unreadable-body", "it is refused, unless what it held was left", async () => {
      const { identity } = await createTestService();
      for (const [leaves, expected] of [
        [false, unreadable],
        [true, created],
      ] as const) {
        await using running = await listen(createServer(start(identity, leaves)));
        expect(await exchange(running.port, { method: "POST", path: "/api/group", headers, body })).toMatchObject(expected);
      }
    });
  });
});

describe("left as an empty object", () => {
  const leave = (left: unknown): RequestListener => {
    const service = createTestService();
    return express().use(
      (req, _res, next) =>
        void text(req).then(() => {
          req.body = left;
          next();
        }),
      async (req, res, next) => identityRouter((await service).identity)(req, res, next),
    );
  };
  const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
  const rows: readonly (readonly [left: unknown, headers: object, body: string])[] = [
    [{}, headers, body],
    [Object.create(null), headers, '{"":0}'],
    [{}, { ...headers, "content-type": "application/merge-patch+json" }, body],
    [{}, form, "a"],
  ];

  requirement("wire.unreadable-body", "it is refused where the length says more", async () => {
    for (const [left, sentHeaders, sent] of rows) {
      await using running = await listen(createServer(leave(left)));
      const request = { method: "POST", path: "/api/group", headers: sentHeaders as typeof headers, body: sent };
      expect([sent, await exchange(running.port, request)]).toMatchObject([sent, unreadable]);
    }
    for (const sent of ["{}", "{ }", "{\r\n}"]) {
      await using running = await listen(createServer(leave({})));
      const request = { method: "POST", path: "/api/group", headers, body: sent };
      expect([sent, await exchange(running.port, request)]).toMatchObject([sent, missing]);
    }
  });

  requirement("wire.unreadable-body", "it is refused by fetch handlers too", async () => {
    const { identity } = await createTestService();
    const length = { "content-length": String(body.length) };
    const request = new Request("http://localhost/api/group", { method: "POST", headers: { ...headers, ...length }, body });
    await request.text();
    const response = await fetchHandler(identity)(request, { parsedBody: {} });
    expect(await response?.text()).toContain("[unreadableBody]");
  });
});

describe("injected as a stream", () => {
  test("by Fastify", async () => {
    const { identity } = await createTestService();
    const app = fastify();
    app.register(identityPlugin(identity));
    const payload = Readable.from([Buffer.from(body)]);
    const answer = await app.inject({ method: "POST", url: "/api/group", headers, payload });
    expect({ status: answer.statusCode, body: answer.body }).toEqual(created);
    const empty = await app.inject({ method: "POST", url: "/api/group", headers });
    expect({ status: empty.statusCode, body: empty.body }).toEqual(missing);
  });

  requirement("wire.unreadable-body", "by the service, which refuses what JSON would empty", async () => {
    const { identity } = await createTestService();
    const send = (given: unknown) => identity.inject({ method: "POST", url: "/api/group", headers, body: given });
    expect(await send(Readable.from([Buffer.from(body)]))).toMatchObject(created);
    expect(await send(new Blob(["x"]).stream())).toMatchObject({ status: 400, body: expect.stringContaining("[invalidJSON]") });
    for (const lost of [new Map(), new FormData(), () => undefined])
      await expect(send(lost)).rejects.toThrow("body must be a text, bytes, a stream");
  });
});
