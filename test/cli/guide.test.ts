import { execFile } from "node:child_process";
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, vi } from "vitest";
import { createStage } from "../blackbox/support/stage.js";
import { requirement } from "../support/requirement.js";

// Each command is a process.
vi.setConfig({ testTimeout: 120_000 });

const root = join(import.meta.dirname, "../..");

requirement(["cli.configuration", "docs.snippets"], "the commands of docs/configuration.md do what the page says", async () => {
  const page = await readFile(join(root, "docs/configuration.md"), "utf8");
  const commands = /```sh\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
  await using stage = await createStage();
  const directory = await mkdtemp(join(tmpdir(), "latchkey-guide-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  await cp(join(root, "examples/configuration"), join(directory, "examples/configuration"), { recursive: true });
  const command = join(directory, "latchkey");
  await writeFile(command, `#!/bin/sh\nexec "${process.execPath}" "${stage.directory}/dist/cli.js" "$@"\n`);
  await chmod(command, 0o755);
  const env = { PATH: `${directory}:/usr/bin:/bin`, SHOP_WEBHOOK_TOKEN: "a token" };
  const { stderr, stdout } = await promisify(execFile)("sh", ["-euc", commands], { cwd: directory, env });
  expect(stderr).toBe("");
  const [planned, applied] = stdout.match(/^\d+ .*, \d+ .*, \d+ .*$/gm) ?? [];
  expect(planned).toMatch(/^7 to create, 1 to change, 0 to remove\.$/);
  expect(applied).toMatch(/^7 .*, 1 .*, 0 .*\.$/);
  expect(stdout).toMatch(/\nNothing to change\.\n$/);
  expect(JSON.parse(await readFile(join(directory, "identity.json"), "utf8"))).toMatchObject({ formatVersion: 1 });
});
