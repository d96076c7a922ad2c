// What the command line says of, and does with, a SQLite file of an earlier release.
import { chmodSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { schemaOf, toEarlierLayout } from "../storage/support/earlier-layout.js";
import { requirement } from "../support/requirement.js";
import { makeMigrated, runnerIn } from "./support.js";

let directory: string;

beforeAll(async () => {
  directory = await makeMigrated();
});

afterAll(() => rm(directory, { recursive: true }));

const run = runnerIn(() => directory);

requirement("sqlite.rebuild", "migrate rebuilds the tables of an earlier release, and doctor asks for it", async () => {
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
