// The commands of pages, in a shell.
import { cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, vi } from "vitest";
import { createStage, type Stage } from "../blackbox/support/stage.js";
import { requirement } from "../support/requirement.js";
import { runPage } from "./processes.js";
import { makeEmpty, runnerIn } from "./support.js";

// The package is built, and each command is a process.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const root = join(import.meta.dirname, "../..");

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

const copyExamples = (name: string, to: string): Promise<void> =>
  cp(join(root, "examples", name), join(directory, to), { recursive: true });

const pageOf = (name: string): Promise<string> => readFile(join(root, "docs", name), "utf8");

const firstShell = (page: string): string => /```sh\n([\s\S]*?)```/.exec(page)?.[1] ?? "";

requirement(["cli.configuration", "docs.snippets"], "the commands of docs/configuration.md do what the page says", async () => {
  await copyExamples("configuration", "examples/configuration");
  const commands = `set -e\n${firstShell(await pageOf("configuration.md"))}`;
  const { stderr, stdout } = await runPage({ stage, directory, env: { SHOP_WEBHOOK_TOKEN: "a token" } }, commands);
  expect(stderr).toBe("");
  const [planned, applied] = stdout.match(/^\d+ .*, \d+ .*, \d+ .*$/gm) ?? [];
  expect(planned).toMatch(/^7 to create, 1 to change, 0 to remove\.$/);
  expect(applied).toMatch(/^7 .*, 1 .*, 0 .*\.$/);
  expect(stdout).toMatch(/\nNothing to change\.\n$/);
  expect(JSON.parse(await readFile(join(directory, "identity.json"), "utf8"))).toMatchObject({ formatVersion: 1 });
});

requirement(["cli.lambdas", "docs.snippets"], "the commands of docs/lambdas.md do what the page says", async () => {
  await copyExamples("lambda-folder", "examples/lambda-folder");
  const commands = firstShell(await pageOf("lambdas.md")).replace(" --follow", "");
  const { stdout } = await runPage({ stage, directory }, commands);
  expect(stdout).toContain("2 passed, 0 failed");
  expect(stdout).toContain("3 created, 0 changed, 0 removed.");
});

/** What the commands of the page print; the export prints no counts. */
const created = [
  ...[3, 3, 2, 2, 2, 1, 2, 2, 1, 1].map((count) => `${count} created, 0 updated, 0 skipped, 0 failed.`),
  // The scheme of the user of Cognito is not there.
  "0 created, 0 updated, 15 skipped, 1 failed.",
];

requirement(["cli.users-import", "docs.snippets"], "the commands of docs/moving.md do what the page says", async () => {
  await copyExamples("moving", ".");
  const shop = {
    formatVersion: 1,
    applications: [{ name: "Shop", roles: [{ name: "editor" }] }],
    groups: [{ name: "Everybody" }],
  };
  await writeFile(join(directory, "shop.json"), JSON.stringify(shop));
  await writeFile(join(directory, "package.json"), JSON.stringify({ type: "module" }));
  const run = runnerIn(() => directory);
  for (const args of [["migrate"], ["apply", "shop.json"]]) expect(await run(args)).toMatchObject({ code: 0, said: "" });
  const commands = [...(await pageOf("moving.md")).matchAll(/^```sh\n([\s\S]*?)```/gm)].flatMap(([, text = ""]) =>
    text.trim().split("\n"),
  );
  expect(commands).toHaveLength(created.length + 1);
  await mkdir(join(directory, "node_modules"));
  await symlink(stage.directory, join(directory, "node_modules", "latchkey"));
  // The last import ends with 2.
  const { stdout } = await runPage({ stage, directory }, [...commands, "true"].join("\n"));
  expect(stdout.match(/^\d+ created.*$/gm)).toEqual(created);
});
