// The built command as npm links it: all other tests of commands run them in process.
import { readFileSync, statSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createStage, type Stage } from "../blackbox/support/stage.js";
import { processRunnerIn, startProcess } from "./processes.js";
import { makeEmpty } from "./support.js";

// The package is built, and each command is a process.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let stage: Stage;
let directory: string;

beforeAll(async () => {
  stage = await createStage();
  directory = await makeEmpty();
});

afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

const run = processRunnerIn(
  () => stage,
  () => directory,
);

test("the file that npm links can be run", () => {
  expect(readFileSync(join(stage.directory, "dist/cli.js"), "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
  expect(statSync(join(stage.directory, "dist/cli.js")).mode & 0o100).toBe(0o100);
});

test("a process reads its directory, standard input, variables and modules, and ends with the exit code", async () => {
  const module = `import { memoryStorage } from "${stage.directory}/dist/memory.js"; export const options = { storage: memoryStorage() };`;
  await writeFile(join(directory, "options.mjs"), module);
  const header = { $secret: "env:TOKEN" };
  const webhook = { url: "https://hooks.example.com/", connectTimeout: 1, readTimeout: 1, headers: { "X-Env": header } };
  const args = ["plan", "-", "--module", "options.mjs", "--detailed-exitcode"];
  const input = JSON.stringify({ formatVersion: 1, webhooks: [webhook] });
  expect(await run(args, { input, env: { TOKEN: "from-the-variable" } })).toEqual({
    code: 2,
    printed: expect.stringContaining("1 to create"),
    said: "",
  });
  expect(await run(args, { input })).toEqual({
    code: 1,
    printed: "",
    said: "webhooks[0].headers.X-Env: There is no secret env:TOKEN.\n",
  });
});

test.each(["SIGINT", "SIGTERM"] as const)("a command that serves ends well after %s", async (signal) => {
  const args = [`${stage.directory}/dist/cli.js`, "console", "--database", "memory:", "--port", "0", "--json"];
  const running = await startProcess(args, { cwd: directory });
  expect(JSON.parse(running.lines.join("")).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/open\//);
  expect(await running.stop(signal)).toBe(0);
});
