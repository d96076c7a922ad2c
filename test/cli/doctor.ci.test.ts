// What `latchkey doctor` says where the engine of lambdas is not installed.
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import { createStage } from "../blackbox/support/stage.js";
import { requirement } from "../support/requirement.js";
import { expectFailure } from "./doctor-failures.js";
import { processRunnerIn } from "./processes.js";
import { makeMigrated, runnerIn } from "./support.js";

// The package is built, and each command is a process.
vi.setConfig({ testTimeout: 120_000 });

requirement("cli.doctor-truth", "a package without isolated-vm", async () => {
  await using stage = await createStage();
  const directory = await makeMigrated();
  onTestFinished(() => rm(directory, { recursive: true }));
  const bare = { ...stage, directory: join(directory, "bare") };
  mkdirSync(join(bare.directory, "node_modules"), { recursive: true });
  for (const name of ["dist", "package.json"])
    await cp(join(stage.directory, name), join(bare.directory, name), { recursive: true });
  const modules = join(stage.directory, "node_modules");
  for (const name of readdirSync(modules))
    if (name !== "isolated-vm") symlinkSync(join(modules, name), join(bare.directory, "node_modules", name));
  const run = processRunnerIn(
    () => bare,
    () => directory,
  );
  const without = await run(["doctor"]);
  expect([without.code, without.printed]).toEqual([0, expect.stringContaining("ok    lambdas: there are none\n")]);
  const lambdas = [{ name: "One", type: "JWTPopulate", body: "function populate() {}\n" }];
  writeFileSync(join(directory, "config.json"), JSON.stringify({ formatVersion: 1, lambdas }));
  expect((await runnerIn(() => directory)(["apply", "config.json"])).code).toBe(0);
  await expectFailure(run, { detail: /^no lambda can be run, and there are 1$/, hint: /npm install isolated-vm/ });
});
