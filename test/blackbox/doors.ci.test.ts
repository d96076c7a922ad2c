import { Agent } from "node:http";
import { afterAll, beforeAll, expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { consoleDoors, doors } from "../transport/support/doors.js";
import { exchange } from "../transport/support/exchange.js";
import { startServer } from "./support/server.js";
import { createStage, type Stage } from "./support/stage.js";

let stage: Stage;

beforeAll(async () => {
  stage = await createStage();
}, 60_000);

afterAll(() => stage[Symbol.asyncDispose]());

const env = { DATABASE_URL: "memory:", LATCHKEY_API_KEY: "key-of-the-test" };
const ofConsole = consoleDoors.map(({ method, path }) => ({ method, path: `/admin${path}` }));

// The answer of a framework for a path that is nobody's says nothing; those of the service at least that they are not for caches.
const saying = ["cache-control", "access-control-allow-origin"];

requirement("doors.paths", "npm start answers every route, page and path of a protocol, with each framework", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  for (const framework of ["fastify", "express", "koa", "node"]) {
    await using server = await startServer(stage.directory, { ...env, LATCHKEY_FRAMEWORK: framework });
    const shut: string[] = [];
    for (const { method, path } of [...doors, ...ofConsole]) {
      const { headers, status } = await exchange(server.port, { method, path, agent });
      if (status === 404 && !saying.some((name) => name in headers)) shut.push(`${method} ${path}`);
    }
    expect([framework, shut]).toEqual([framework, []]);
  }
  agent.destroy();
  console.info(`doors: ${doors.length + ofConsole.length}`);
});

requirement("doors.paths", "npm start has an issuer on this machine, and says what is missing elsewhere", async () => {
  await using server = await startServer(stage.directory, env);
  const headers = { authorization: env.LATCHKEY_API_KEY };
  const { tenants } = JSON.parse((await exchange(server.port, { path: "/api/tenant", headers })).body);
  const path = `/${tenants[0].id}/.well-known/openid-configuration`;
  const issuer = `http://127.0.0.1:${server.port}/${tenants[0].id}`;
  expect(JSON.parse((await exchange(server.port, { path })).body)).toMatchObject({ issuer });

  const open = { ...env, HOST: "0.0.0.0", LATCHKEY_API_KEY: "a-key-of-the-test-that-is-long-enough" };
  await using other = await startServer(stage.directory, open);
  expect((await exchange(other.port, { path })).status).toBe(404);
  expect((await exchange(other.port, { path })).status).toBe(404);
  expect(other.complaints().split("LATCHKEY_PUBLIC_URL")).toHaveLength(2);
});
