import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import express from "express";
import fastify from "fastify";
import Koa from "koa";
import type { IdentityService } from "latchkey";
import { identityRouter } from "latchkey/express";
import { identityPlugin } from "latchkey/fastify";
import { fetchHandler } from "latchkey/fetch";
import { identityMiddleware } from "latchkey/koa";
import { nodeHandler } from "latchkey/node";

/** Where a service is mounted: `""` is the root. */
export interface Mount {
  readonly identity: Pick<IdentityService, "handle" | "paths">;
  readonly basePath: string;
}

/** A body parser that the host runs before the service. Fastify's own parsers serve the host's routes in any case. */
export type Parser = "none" | "json" | "text" | "raw";

/** A host application that is listening. */
export interface RunningHost extends AsyncDisposable {
  readonly port: number;
  readonly server: Server;
}

/**
 * A framework as a host: it mounts services, answers `GET /hello` and `POST /api/custom` (echo of a JSON body) itself, and
 * anything unknown with 404 `no such page`.
 */
export interface Host {
  readonly name: string;
  readonly parsers: readonly Parser[];
  start(mounts: readonly Mount[], parser?: Parser): Promise<RunningHost>;
}

/** Listens on a free port of this machine. */
export async function listen(given: Server | RequestListener): Promise<RunningHost> {
  const server = typeof given === "function" ? createServer(given) : given;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    server,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const notFound = "no such page";

const expressHost: Host = {
  name: "express",
  parsers: ["none", "json", "text", "raw"],
  start(mounts, parser = "none") {
    const app = express();
    if (parser === "json") app.use(express.json(), leaveEmptyObject);
    if (parser === "text") app.use(express.text({ type: "*/*" }));
    if (parser === "raw") app.use(express.raw({ type: "*/*" }));
    app.get("/hello", (_req, res) => void res.send("hello"));
    app.post("/api/custom", express.json(), (req, res) => void res.json({ echo: toEcho(req.body) }));
    for (const { identity, basePath } of mounts) app.use(basePath === "" ? "/" : basePath, identityRouter(identity));
    app.use((_req, res) => void res.status(404).send(notFound));
    return listen(createServer(app));
  },
};

// Express 4 left an empty object where its parser had nothing to do.
function leaveEmptyObject(req: express.Request, _res: express.Response, next: express.NextFunction): void {
  req.body ??= {};
  next();
}

const fastifyHost: Host = {
  name: "fastify",
  parsers: ["none"],
  async start(mounts) {
    const app = fastify();
    app.get("/hello", async () => "hello");
    app.post("/api/custom", async (request) => ({ echo: request.body }));
    for (const { identity, basePath } of mounts) app.register(identityPlugin(identity), { prefix: basePath });
    app.setNotFoundHandler((_request, reply) => reply.code(404).send(notFound));
    await app.ready();
    return listen(app.server);
  },
};

const koaHost: Host = {
  name: "koa",
  parsers: ["none", "json", "text", "raw"],
  start(mounts, parser = "none") {
    const app = new Koa<Koa.DefaultState, { request: { body?: unknown } }>();
    // Koa would print that a client went away.
    app.silent = true;
    app.use(async (context, next) => {
      // As koa-bodyparser does: what it does not parse, it leaves unread and sets to an empty object.
      if (parser !== "none")
        context.request.body = parser !== "json" || context.is("json") ? await parse(context.req, parser) : {};
      await next();
    });
    app.use(async (context, next) => {
      if (context.path === "/hello") context.body = "hello";
      else if (context.path === "/api/custom" && context.method === "POST")
        context.body = { echo: toEcho(context.request.body ?? (await parse(context.req, "json"))) };
      else await next();
    });
    for (const { identity, basePath } of mounts) app.use(identityMiddleware(identity, { basePath }));
    app.use((context) => {
      context.status = 404;
      context.body = notFound;
    });
    return listen(createServer(app.callback()));
  },
};

const nodeHost: Host = {
  name: "node",
  parsers: ["none"],
  start(mounts) {
    const handlers = mounts.map(({ identity, basePath }) => nodeHandler(identity, { basePath }));
    const answer = async (req: IncomingMessage, res: ServerResponse, index: number): Promise<void> => {
      const handler = handlers[index];
      if (handler === undefined) answerNotFound(res);
      else await handler(req, res, () => void answer(req, res, index + 1));
    };
    return listen(createServer(besideOwnRoutes((req, res) => void answer(req, res, 0))));
  },
};

// Bun, Deno and Hono's Node server hand a `Request` to the handler; so does this bridge, in the fewest lines that do.
const fetchHost: Host = {
  name: "fetch",
  parsers: ["none"],
  start(mounts) {
    const handlers = mounts.map(({ identity, basePath }) => fetchHandler(identity, { basePath }));
    const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
      const request = toRequest(req);
      for (const handler of handlers) {
        const response = await handler(request, { remoteAddress: req.socket.remoteAddress });
        if (response !== undefined) return writeFetchResponse(res, response);
      }
      answerNotFound(res);
    };
    return listen(createServer(besideOwnRoutes((req, res) => void answer(req, res))));
  },
};

function toRequest(req: IncomingMessage): Request {
  const headers = new Headers();
  for (let index = 0; index < req.rawHeaders.length; index += 2)
    headers.append(req.rawHeaders[index] ?? "", req.rawHeaders[index + 1] ?? "");
  const hasBody = req.method !== "GET" && req.method !== "HEAD" && (req.headers["content-length"] ?? "0") !== "0";
  const isChunked = req.headers["transfer-encoding"] !== undefined;
  const body = hasBody || isChunked ? { body: toWebStream(req), duplex: "half" as const } : {};
  return new Request(new URL(req.url ?? "/", `http://${req.headers.host}`), { method: req.method ?? "GET", headers, ...body });
}

function toWebStream(req: IncomingMessage): ReadableStream<Uint8Array> {
  const parts = req.iterator({ destroyOnReturn: false });
  return new ReadableStream({
    async pull(controller) {
      const part = await parts.next();
      if (part.done === true) controller.close();
      else controller.enqueue(part.value);
    },
  });
}

async function writeFetchResponse(res: ServerResponse, response: Response): Promise<void> {
  if (response.headers.get("content-type") === "application/x-ndjson") {
    res.setHeaders(response.headers).writeHead(response.status);
    // As Hono's server does: a client that goes away cancels the body, and a body that fails cuts the connection.
    await pipeline(response.body ?? [], res).catch(() => undefined);
    return;
  }
  const body = Buffer.from(await response.arrayBuffer());
  const length = response.status === 304 || res.req.method === "HEAD" ? {} : { "content-length": String(body.length) };
  res.setHeaders(response.headers).writeHead(response.status, length).end(body);
}

function answerNotFound(res: ServerResponse): void {
  res.writeHead(404, { "content-length": notFound.length }).end(notFound);
}

function besideOwnRoutes(otherwise: RequestListener): RequestListener {
  return (req, res) => {
    if (req.url === "/hello") res.end("hello");
    else if (req.url === "/api/custom" && req.method === "POST")
      void parse(req, "json").then((body) => res.end(JSON.stringify({ echo: body })));
    else otherwise(req, res);
  };
}

async function parse(req: IncomingMessage, parser: Exclude<Parser, "none">): Promise<unknown> {
  const bytes = Buffer.concat(await req.toArray());
  if (parser === "raw") return bytes;
  return parser === "text" ? bytes.toString() : JSON.parse(bytes.toString() || "{}");
}

// A parser for all types that ran before leaves text or bytes to the host's own route.
function toEcho(body: unknown): unknown {
  return typeof body === "string" || Buffer.isBuffer(body) ? JSON.parse(body.toString()) : body;
}

export const hosts: readonly Host[] = [expressHost, fastifyHost, koaHost, nodeHost, fetchHost];
