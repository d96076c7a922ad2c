import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect } from "vitest";
import { createStage, type Stage } from "../blackbox/support/stage.js";
import { requirement } from "../support/requirement.js";
import { exchange } from "../transport/support/exchange.js";

let stage: Stage;
let directory: string;
let child: ChildProcess;

beforeAll(async () => {
  stage = await createStage();
  directory = await mkdtemp(join(tmpdir(), "latchkey-console-"));
}, 60_000);

afterAll(async () => {
  child.kill("SIGKILL");
  await rm(directory, { recursive: true });
  await stage[Symbol.asyncDispose]();
});

requirement("console.command", "latchkey console opens on this machine, by a link that works once", async () => {
  const args = ["console", "--database", "memory:", "--port", "0", "--json", "--module", join(directory, "service.mjs")];
  const service = `import { memoryStorage } from "${stage.directory}/dist/memory.js"; export const options = { storage: memoryStorage(), auditChanges: true };`;
  await writeFile(join(directory, "service.mjs"), service);
  child = spawn(process.execPath, [`${stage.directory}/dist/cli.js`, ...args], { cwd: directory, env: {} });
  const [line] = await once(createInterface(child.stdout ?? process.stdin), "line");
  const { host, pathname: path, port } = new URL(JSON.parse(String(line)).url);
  const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    exchange(Number(port), { path: url, headers: { host, ...headers } });
  expect((await get("/session")).status).toBe(401);
  expect((await get("/open/wrong")).status).toBe(403);
  expect((await get(path, { host: "rebound.example" })).status).toBe(403);
  const opened = await get(path);
  expect([opened.status, opened.headers.location]).toEqual([303, ["/"]]);
  expect((await get(path)).status).toBe(403);
  const cookie = opened.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  expect(JSON.parse((await get("/session", { cookie })).body)).toMatchObject({
    role: "full",
    user: { fullName: "latchkey console" },
  });
  expect((await get("/session", { cookie, host: "rebound.example" })).status).toBe(401);
  expect((await get("/api/tenant", { cookie })).status).toBe(200);
  expect((await get("/api/tenant")).status).toBe(401);
  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([0, null]);
});
