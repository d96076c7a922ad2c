import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/eventually.js";
import { requirement } from "../support/requirement.js";
import { exchange } from "../transport/support/exchange.js";
import { startServer } from "./support/server.js";
import { createStage, type Stage } from "./support/stage.js";

let stage: Stage;

beforeAll(async () => {
  stage = await createStage();
}, 60_000);

afterAll(() => stage[Symbol.asyncDispose]());

const console = { "x-console": "1", "sec-fetch-site": "same-origin" };

requirement("console.start", "npm start prints the console and a link, and makes nothing before the link is used", async () => {
  for (const framework of ["fastify", "express", "koa", "node"]) {
    const env = { DATABASE_URL: "memory:", LATCHKEY_API_KEY: "key-of-the-test", LATCHKEY_FRAMEWORK: framework };
    await using server = await startServer(stage.directory, env);
    const { port } = server;
    const link = await eventually(
      () => server.printed.find((line) => line.startsWith("first administrator")) ?? Promise.reject(),
    );
    expect(server.printed).toContain(`console http://127.0.0.1:${port}/admin`);
    const authorization = "key-of-the-test";
    const applications = await exchange(port, { path: "/api/application", headers: { authorization } });
    expect(JSON.parse(applications.body)).toEqual({ applications: [] });
    const session = await exchange(port, { path: "/admin/session", headers: console });
    expect([session.status, JSON.parse(session.body).setUp]).toEqual([401, true]);
    const token = link.slice(link.indexOf("#") + 1);
    const create = (email: string) =>
      exchange(port, {
        method: "POST",
        path: "/admin/session/set-up",
        headers: console,
        body: { token, email, password: "correct horse battery" },
      });
    const statuses = await Promise.all([create("ann@example.com"), create("bob@example.com")]);
    expect(statuses.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    expect((await exchange(port, { path: "/other" })).status).toBe(404);
  }
});

test("npm start leaves the console out", async () => {
  for (const framework of ["fastify", "express", "koa", "node"]) {
    const env = { DATABASE_URL: "memory:", LATCHKEY_API_KEY: "key", LATCHKEY_CONSOLE: "0", LATCHKEY_FRAMEWORK: framework };
    await using server = await startServer(stage.directory, env);
    expect((await exchange(server.port, { path: "/admin/session", headers: console })).status).toBe(404);
    expect(server.printed.some((line) => line.includes("/admin"))).toBe(false);
  }
});
