// What the command line says of, and does with, a SQLite file of an earlier release.
import { chmodSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { createStage, type Stage } from "../blackbox/support/stage.js";
import { schemaOf, toEarlierLayout } from "../storage/support/earlier-layout.js";
import { requirement } from "../support/requirement.js";
import { runnerIn } from "./support.js";

// Each command is a process.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let stage: Stage;
let directory: string;

beforeAll(async () => {
  stage = await createStage();
  directory = await mkdtemp(join(tmpdir(), "latchkey-cli-"));
});

afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

const run = runnerIn(
  () => stage,
  () => directory,
);

requirement("sqlite.rebuild", "migrate rebuilds the tables of an earlier release, and doctor asks for it", async () => {
  await run(["migrate"]);
  const file = join(directory, "latchkey.db");
  toEarlierLayout(file);
  chmodSync(file, 0o644);
  const found = await run(["doctor"]);
  expect(found.printed).toMatch(/^warn {2}layout: \d+ tables are those of an earlier release$/m);
  expect(found.printed).toMatch(/^warn {2}file: others may read it$/m);
  toEarlierLayout(file);
  expect((await run(["migrate", "--dry-run"])).printed).toMatch(/^\d+ tables of an earlier release would be rebuilt\.$/m);
  expect((await run(["migrate"])).printed).toMatch(/^\d+ tables of an earlier release were rebuilt\.$/m);
  expect([...schemaOf(file).values()].filter((sql) => sql.endsWith("without rowid"))).toEqual([]);
  expect((await run(["migrate"])).printed).toMatch(/nothing to do\.\n$/);
});
