import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { createApp as createExpressApp } from "../../examples/express.js";
import { createApp as createFastifyApp } from "../../examples/fastify.js";
import { createApp as createHonoApp } from "../../examples/hono.js";
import { createApp as createKoaApp } from "../../examples/koa.js";

const apiKey = "the-key-of-the-examples-0123456789";

/** An example's app as something that answers requests, over a socket where its framework needs one. */
interface RunningApp extends AsyncDisposable {
  readonly request: (path: string, init?: RequestInit) => Promise<Response>;
}

async function listen(listener: RequestListener): Promise<RunningApp> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    request: (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function startFastify(): Promise<RunningApp> {
  const app = await createFastifyApp(apiKey);
  const address = await app.listen({ port: 0, host: "127.0.0.1" });
  return { request: (path, init) => fetch(`${address}${path}`, init), [Symbol.asyncDispose]: () => app.close() };
}

async function startHono(): Promise<RunningApp> {
  const app = await createHonoApp(apiKey);
  return { request: async (path, init) => app.request(path, init), [Symbol.asyncDispose]: async () => undefined };
}

const examples: Readonly<Record<string, () => Promise<RunningApp>>> = {
  express: async () => listen((await createExpressApp(apiKey)).app),
  fastify: startFastify,
  koa: async () => listen((await createKoaApp(apiKey)).callback()),
  hono: startHono,
};

describe.each(Object.entries(examples))("examples/%s.ts", (name, start) => {
  const postTeam = (app: RunningApp, team: string): Promise<Response> =>
    name === "koa"
      ? app.request(`/teams/${encodeURIComponent(team)}`, { method: "POST" })
      : app.request("/teams", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ team }),
        });

  test("shows over HTTP what the app's own route made in process", async () => {
    await using app = await start();
    const made = await postTeam(app, "Éditeurs");
    const { id, team } = (await made.json()) as { readonly id: string; readonly team: string };
    expect([made.status, team]).toEqual([201, "Éditeurs"]);
    const read = await app.request(`/identity/api/group/${id}`, { headers: { authorization: apiKey } });
    expect([read.status, await read.json()]).toMatchObject([200, { group: { id, name: "Éditeurs" } }]);
  });

  test("takes a body over HTTP, refuses a wrong key and leaves other paths to the app", async () => {
    await using app = await start();
    const body = JSON.stringify({ group: { name: "Readers" } });
    const init = { method: "POST", headers: { authorization: apiKey, "content-type": "application/json" }, body };
    expect((await app.request("/identity/api/group", init)).status).toBe(200);
    expect((await app.request("/identity/api/group", { headers: { authorization: "wrong" } })).status).toBe(401);
    for (const path of ["/identity/api/nothing", "/api/group", "/nothing"]) expect((await app.request(path)).status).toBe(404);
  });
});

test.each(["express", "fastify"])("examples/%s.ts answers a POST without a body with 400", async (name) => {
  await using app = await examples[name]?.();
  expect((await app?.request("/teams", { method: "POST" }))?.status).toBe(400);
});

test("examples/koa.ts answers a refusal of the in-process API with its status and code", async () => {
  await using app = await examples.koa?.();
  const refused = await app?.request(`/teams/${"x".repeat(192)}`, { method: "POST" });
  expect([refused?.status, await refused?.json()]).toEqual([400, { refused: "[tooLong]group.name" }]);
});
