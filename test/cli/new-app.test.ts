import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseEnv } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createStage, type Stage } from "../blackbox/support/stage.js";
import { requirement } from "../support/requirement.js";
import { runnerIn } from "./support.js";

// Each command is a process.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let stage: Stage;
let directory: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  stage = await createStage();
});

afterAll(() => stage[Symbol.asyncDispose]());

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "latchkey-new-app-"));
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await rm(directory, { recursive: true });
});

const run = runnerIn(
  () => stage,
  () => directory,
);

interface Running {
  readonly child: ChildProcess;
  readonly line: string;
}

// The first line that a program prints.
async function start(args: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<Running> {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const [line] = await Promise.race([once(createInterface(child.stdout), "line"), once(child, "exit")]);
  return { child, line: String(line) };
}

async function stop({ child }: Running): Promise<number> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const [code] = await ended;
  return code;
}

interface Answer {
  readonly status: number;
  readonly body: {
    readonly groups: readonly object[];
    readonly token: string;
    readonly user: { readonly id: string; readonly registrations: readonly { readonly roles: readonly string[] }[] };
  };
}

async function call(url: string, authorization: string, body?: object): Promise<Answer> {
  const headers = { "content-type": "application/json", ...(authorization && { authorization }) };
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(url, { headers, ...init });
  return { status: response.status, body: JSON.parse((await response.text()) || "null") };
}

for (const framework of ["express", "fastify"])
  requirement("cli.init", `a new ${framework} app runs: its user logs in, and its routes are guarded`, async () => {
    const folder = join(directory, "my-app");
    const made = await run(["init", "my-app", "--framework", framework]);
    expect([made.code, made.said]).toEqual([0, ""]);
    // What `npm install` would bring: the packed package and what it depends on.
    await mkdir(join(folder, "node_modules"));
    const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    for (const name of Object.keys(manifest.dependencies))
      await symlink(
        name === "latchkey" ? stage.directory : join(stage.directory, "node_modules", name),
        join(folder, "node_modules", name),
      );
    const {
      ADMIN_PASSWORD = "",
      LATCHKEY_API_KEY = "",
      LATCHKEY_SECRET = "",
    } = parseEnv(await readFile(join(folder, ".env"), "utf8")) as Record<string, string>;
    expect(Math.min(LATCHKEY_API_KEY.length, LATCHKEY_SECRET.length)).toBeGreaterThanOrEqual(32);
    expect((await stat(join(folder, ".env"))).mode & 0o777).toBe(0o600);

    const app = await start(manifest.scripts.start.split(" ").slice(1), folder, { PORT: "0" });
    expect(app.line).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const login = (password: string) => call(`${app.line}/login`, "", { email: "admin@example.com", password });
    expect((await login("wrong")).status).toBe(404);
    const { body, status } = await login(ADMIN_PASSWORD);
    expect(status).toBe(200);
    expect((await call(`${app.line}/me`, `Bearer ${body.token}`)).body).toEqual({ id: body.user.id, roles: ["admin"] });
    expect((await call(`${app.line}/users`, `Bearer ${body.token}`)).body).toEqual(["admin@example.com"]);
    expect((await call(`${app.line}/me`, "Bearer nonsense")).status).toBe(401);
    expect((await call(`${app.line}/api/group`, LATCHKEY_API_KEY)).body).toEqual({ groups: [] });
    expect(await stop(app)).toBe(0);
  });

requirement("cli.init", "init depends on this release, and writes into an empty folder only", async () => {
  expect(await run(["init", "--json", "--name", "@Acme/My App!"])).toMatchObject({ code: 0, said: "" });
  const manifest = JSON.parse(await readFile(join(directory, "package.json"), "utf8"));
  const own = JSON.parse(await readFile(join(stage.directory, "package.json"), "utf8"));
  expect(manifest).toMatchObject({ name: "acme-my-app", dependencies: { latchkey: `^${own.version}`, fastify: "^5.0.0" } });
  const before = await readdir(directory);
  expect(await run(["init"])).toMatchObject({ code: 1, printed: "", said: expect.stringContaining("is not empty") });
  expect(await readdir(directory)).toEqual(before);
  await mkdir(join(directory, "used"));
  await writeFile(join(directory, "used", "notes.txt"), "");
  expect((await run(["init", "used"])).code).toBe(1);
  expect((await run(["init", "other", "--framework", "hapi"])).said).toBe("--framework takes express or fastify.\n");
});

requirement("cli.dev", "dev serves example data on the loopback address until it is stopped", async () => {
  const running = await start([`${stage.directory}/dist/cli.js`, "dev", "--port", "0", "--json"], directory);
  const { apiKey, applicationId, url, users } = JSON.parse(running.line);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  for (const { email, password, role } of users) {
    const login = await call(`${url}/api/login`, apiKey, { loginId: email, password, applicationId });
    expect([login.status, login.body.user.registrations[0]?.roles]).toEqual([200, [role]]);
  }
  expect((await call(`${url}/api/group`, apiKey)).body.groups).toMatchObject([{ name: "Staff" }]);
  expect((await call(`${url}/api/group`, "wrong")).status).toBe(401);
  expect(await readdir(directory)).toEqual([]);
  expect(await stop(running)).toBe(0);
});

test("dev prints calls to try, which work", async () => {
  const child = spawn(process.execPath, [`${stage.directory}/dist/cli.js`, "dev", "--port", "0"], { cwd: directory, env: {} });
  children.push(child);
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (line.startsWith("Ctrl+C")) break;
  }
  const calls = lines.filter((line) => line.startsWith("curl "));
  expect(calls).toHaveLength(2);
  for (const line of calls) {
    const curl = spawn("sh", ["-c", line.replace("curl", "curl -s -o /dev/null -w '%{http_code}'")]);
    const [status] = await once(curl.stdout, "data");
    expect([line, String(status)]).toEqual([line, "200"]);
  }
});

requirement("cli.dev", "dev does not run in production", async () => {
  expect(await run(["dev"], { env: { NODE_ENV: "production" } })).toMatchObject({ code: 1, printed: "" });
  expect((await run(["dev", "--port", "http"])).said).toBe("--port takes a number from 0 to 65535.\n");
});
