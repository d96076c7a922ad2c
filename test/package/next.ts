/** The packed package in an application that Next builds: docs/bundling.md. Run by `.ci/run`, after `npm run build`. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { hashSync } from "bcryptjs";
import { addFile, makeProject, removeProjects, run } from "./support/projects.ts";

const packages = ["next@16.4.6", "react@19.3.1", "react-dom@19.3.1"];
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" as const };

// What is used by its path: threads of SQLite and of hashes, the guest of a runner, the console.
const program = `
import { createIdentityService } from "latchkey";
import { adminConsole } from "latchkey/console";
import { fetchHandler } from "latchkey/fetch";
import { nodeVmRunner } from "latchkey/runners";
import { sqliteStorage } from "latchkey/sqlite";

async function start() {
  const storage = sqliteStorage({ filename: "identity.db" });
  const identity = await createIdentityService({ storage, secret: "s".repeat(32), lambdas: { runner: nodeVmRunner() } });
  await identity.bulkUsers.import({ users: [{ username: "bea", active: true, passwordHash: "HASH" }] });
  const { user } = await identity.logins.login({ loginId: "bea", password: "correct horse battery" });
  const lambda = { name: "Color", type: "JWTPopulate", body: "function populate(jwt) { jwt.color = 'blue'; }" };
  const { jwt } = await identity.lambdas.run((await identity.lambdas.create({ lambda })).lambda.id, { jwt: {}, user });
  return { color: jwt.color, answer: fetchHandler(identity), admin: fetchHandler(adminConsole(identity), { basePath: "/admin" }) };
}

// With the first request: Next loads the modules of routes while it builds, too.
let started;

async function handle(request) {
  started ??= start();
  const { admin, answer, color } = await started;
  if (new URL(request.url).pathname === "/color") return new Response(color);
  return (await admin(request)) ?? (await answer(request)) ?? new Response(null, { status: 404 });
}

export const dynamic = "force-dynamic";
export { handle as GET, handle as POST };
`;

const layout = "export default ({ children }) => <html><body>{children}</body></html>;";

const project = makeProject(["better-sqlite3"]);
run("npm", ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", ...packages], project);
run("npm", ["rebuild", "better-sqlite3", "--silent"], project);
addFile(project, "app/layout.jsx", layout);
addFile(project, "app/[...path]/route.js", program.replace("HASH", hashSync("correct horse battery", 4)));

let server: ChildProcess | undefined;

after(async () => {
  if (server !== undefined) {
    const ended = new Promise((resolve) => server?.once("exit", resolve));
    server.kill();
    await ended;
  }
  removeProjects();
});

function findPort(): Promise<number> {
  return new Promise((resolve) => {
    const listener = createServer().listen(0, "127.0.0.1", () => {
      const address = listener.address();
      listener.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** Builds the application, and starts it. Returns its address. */
async function start(): Promise<string> {
  addFile(project, "next.config.mjs", 'export default { serverExternalPackages: ["latchkey"] };');
  const command = join(project, "node_modules/next/dist/bin/next");
  run(process.execPath, [command, "build"], project, env);
  const port = await findPort();
  const child = spawn(process.execPath, [command, "start", "-H", "127.0.0.1", "-p", String(port)], { cwd: project, env });
  server = child;
  await new Promise<void>((resolve, reject) => {
    let said = "";
    const read = (part: Buffer): void => {
      said += part;
      if (/ready/i.test(said)) resolve();
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", () => reject(new Error(said)));
  });
  return `http://127.0.0.1:${port}`;
}

describe("an application that Next builds", () => {
  test("takes what it needs from the installed package", async () => {
    const address = await start();
    assert.equal(await (await fetch(`${address}/color`)).text(), "blue");
    assert.equal((await fetch(`${address}/admin/`)).status, 200);
    // The API answers: without a key it refuses.
    assert.equal((await fetch(`${address}/api/tenant`)).status, 401);
  });
});
