import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { requirement } from "../support/requirement.js";
import { exchange } from "../transport/support/exchange.js";
import { makeEmpty, startIn } from "./support.js";

requirement("console.command", "latchkey console opens on this machine, by a link that works once", async () => {
  const directory = await makeEmpty();
  onTestFinished(() => rm(directory, { recursive: true }));
  const service = `import { memoryStorage } from "latchkey/memory"; export const options = { storage: memoryStorage(), auditChanges: true };`;
  await writeFile(join(directory, "service.mjs"), service);
  const running = startIn(directory, ["console", "--database", "memory:", "--port", "0", "--json", "--module", "service.mjs"]);
  const [line] = await running.read();
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
  expect(await running.stop()).toBe(0);
  await expect(get("/session")).rejects.toThrow("ECONNREFUSED");
});
