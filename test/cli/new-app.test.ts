import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { beforeEach, expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { listen } from "../transport/support/hosts.js";
import { call } from "./calls.js";
import { makeEmpty, runnerIn, startIn } from "./support.js";

let directory: string;

beforeEach(async () => {
  directory = await makeEmpty();
  return () => rm(directory, { recursive: true });
});

const run = runnerIn(() => directory);

requirement("cli.init", "init depends on this release, and writes into an empty folder only", async () => {
  expect(await run(["init", "--json", "--name", "@Acme/My App!"])).toMatchObject({ code: 0, said: "" });
  const manifest = JSON.parse(await readFile(join(directory, "package.json"), "utf8"));
  const own = JSON.parse(await readFile(join(import.meta.dirname, "../../package.json"), "utf8"));
  expect(manifest).toMatchObject({ name: "acme-my-app", dependencies: { latchkey: `^${own.version}`, fastify: "^5.0.0" } });
  // Of several versions that work, the newest.
  expect((await run(["init", "express", "--framework", "express"])).code).toBe(0);
  const ofExpress = JSON.parse(await readFile(join(directory, "express", "package.json"), "utf8"));
  expect(ofExpress.dependencies).toMatchObject({ express: "^5.0.0", "better-sqlite3": own.peerDependencies["better-sqlite3"] });
  const { LATCHKEY_API_KEY = "", LATCHKEY_SECRET = "" } = parseEnv(await readFile(join(directory, ".env"), "utf8"));
  expect(Math.min(LATCHKEY_API_KEY.length, LATCHKEY_SECRET.length)).toBeGreaterThanOrEqual(32);
  expect((await stat(join(directory, ".env"))).mode & 0o777).toBe(0o600);
  const before = await readdir(directory);
  expect(await run(["init"])).toMatchObject({ code: 1, printed: "", said: expect.stringContaining("is not empty") });
  expect(await readdir(directory)).toEqual(before);
  await mkdir(join(directory, "used"));
  await writeFile(join(directory, "used", "notes.txt"), "");
  expect((await run(["init", "used"])).code).toBe(1);
  expect((await run(["init", "other", "--framework", "hapi"])).said).toBe("--framework takes express or fastify.\n");
});

requirement("cli.dev", "dev serves example data on the loopback address until it is stopped", async () => {
  const running = startIn(directory, ["dev", "--port", "0", "--json"]);
  const [line = ""] = await running.read();
  const { apiKey, applicationId, url, users } = JSON.parse(line);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  for (const { email, password, role } of users) {
    const login = await call(`${url}/api/login`, apiKey, { loginId: email, password, applicationId });
    expect([login.status, login.body.user.registrations[0]?.roles]).toEqual([200, [role]]);
  }
  expect((await call(`${url}/api/group`, apiKey)).body.groups).toMatchObject([{ name: "Staff" }]);
  expect((await call(`${url}/api/group`, "wrong")).status).toBe(401);
  expect(await readdir(directory)).toEqual([]);
  expect(await running.stop()).toBe(0);
});

requirement("cli.dev", "dev says how to choose another port where one is in use", async () => {
  await using other = await listen(() => undefined);
  const { code, said } = await run(["dev", "--port", String(other.port)]);
  expect([code, said]).toEqual([1, "The port is in use. Stop what listens there, or pass another one with --port.\n"]);
});

requirement("cli.dev", "dev does not run in production", async () => {
  expect(await run(["dev"], { env: { NODE_ENV: "production" } })).toMatchObject({ code: 1, printed: "" });
  expect((await run(["dev", "--port", "http"])).said).toBe("--port and PORT take a number from 0 to 65535.\n");
});
