// Apps that `latchkey init` wrote, and what `latchkey dev` says to try, as processes.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createStage, type Stage } from "../blackbox/support/stage.js";
import { requirement } from "../support/requirement.js";
import { listen } from "../transport/support/hosts.js";
import { RawConnection } from "../transport/support/raw-connection.js";
import { call } from "./calls.js";
import { startProcess } from "./processes.js";
import { makeEmpty, runnerIn } from "./support.js";

// The package is built.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let stage: Stage;
let directory: string;

beforeAll(async () => {
  stage = await createStage();
});

afterAll(() => stage[Symbol.asyncDispose]());

beforeEach(async () => {
  directory = await makeEmpty();
  return () => rm(directory, { recursive: true });
});

for (const framework of ["express", "fastify"])
  requirement("cli.init", `a new ${framework} app runs: its user logs in, and its routes are guarded`, async () => {
    const folder = join(directory, "my-app");
    const made = await runnerIn(() => directory)(["init", "my-app", "--framework", framework]);
    expect([made.code, made.said]).toEqual([0, ""]);
    // What `npm install` would bring: the packed package and what it depends on.
    await mkdir(join(folder, "node_modules"));
    const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    for (const name of Object.keys(manifest.dependencies))
      await symlink(
        name === "latchkey" ? stage.directory : join(stage.directory, "node_modules", name),
        join(folder, "node_modules", name),
      );
    const { ADMIN_PASSWORD = "", LATCHKEY_API_KEY = "" } = parseEnv(await readFile(join(folder, ".env"), "utf8"));
    const app = await startProcess(manifest.scripts.start.split(" ").slice(1), { cwd: folder, env: { PORT: "0" } });
    const [url = ""] = app.lines;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const login = (password: string) => call(`${url}/login`, "", { email: "admin@example.com", password });
    expect((await login("wrong")).status).toBe(401);
    const { body, status } = await login(ADMIN_PASSWORD);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(["token"]);
    const own = (await call(`${url}/me`, `Bearer ${body.token}`)).body as unknown as { readonly id: string };
    expect(own).toEqual({ id: expect.any(String), roles: ["admin"] });
    expect((await call(`${url}/users`, `Bearer ${body.token}`)).body).toEqual(["admin@example.com"]);
    expect((await call(`${url}/me`, "Bearer nonsense")).status).toBe(401);
    expect((await call(`${url}/api/group`, LATCHKEY_API_KEY)).body).toEqual({ groups: [] });
    for (const email of ["admin@example.com", "unknown@example.com"])
      expect(await call(`${url}/forgot-password`, "", { email })).toMatchObject({ status: 200, body: {} });
    const guessed = { changePasswordId: "a".repeat(64), loginId: "admin@example.com", password: "another password" };
    expect((await call(`${url}/change-password`, "", guessed)).status).toBe(404);
    const user = await fetch(`${url}/api/user/${own.id}`, {
      method: "PATCH",
      headers: { authorization: LATCHKEY_API_KEY, "content-type": "application/json" },
      body: JSON.stringify({ user: { passwordChangeRequired: true } }),
    });
    expect(user.status).toBe(200);
    const unfinished = await login(ADMIN_PASSWORD);
    expect([unfinished.status, Object.keys(unfinished.body)]).toEqual([403, ["message"]]);
    await using silent = await RawConnection.open(Number(new URL(url).port));
    await using half = await RawConnection.open(Number(new URL(url).port));
    half.write("GET /me HTTP/1.1\r\nhost: loc");
    expect(await app.stop("SIGTERM")).toBe(0);
    await Promise.all([silent.closed(), half.closed()]);
    const refuses = async (env: Readonly<Record<string, string>>): Promise<string> => {
      const child = spawn(process.execPath, manifest.scripts.start.split(" ").slice(1), { cwd: folder, env });
      const [said, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
      expect([code, said.split("\n").length]).toEqual([1, 2]);
      return said;
    };
    await using other = await listen(() => undefined);
    expect(await refuses({ PORT: String(other.port) })).toBe(
      `Port ${other.port} is in use. Stop what listens there, or set PORT.\n`,
    );
    expect(await refuses({ PORT: "0", LATCHKEY_SECRET: "short" })).toMatch(/^A secret must have at least 32 characters/);
  });

test("dev listens where PORT says, and prints calls to try, which work", async () => {
  const args = [`${stage.directory}/dist/cli.js`, "dev"];
  const running = await startProcess(args, { cwd: directory, env: { PORT: "0" }, last: /^Ctrl\+C/ });
  expect(running.lines[0]).not.toContain(":9011");
  const calls = running.lines.filter((line) => line.startsWith("curl "));
  expect(calls).toHaveLength(2);
  for (const line of calls) {
    const curl = spawn("sh", ["-c", line.replace("curl", "curl -s -o /dev/null -w '%{http_code}'")]);
    const [status] = await once(curl.stdout, "data");
    expect([line, String(status)]).toEqual([line, "200"]);
  }
  expect(await running.stop("SIGINT")).toBe(0);
});
