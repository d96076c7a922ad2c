// What `latchkey doctor --upgrade` says of databases of this release, of earlier and later ones, without changing them.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { sqliteStorage } from "latchkey/sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toEarlierLayout } from "../storage/support/earlier-layout.js";
import { keepOneOfEach, newestVersion, tablesAt } from "../storage/support/earlier-versions.js";
import { requirement } from "../support/requirement.js";
import { makeEmpty, runnerIn } from "./support.js";

let directory: string;

beforeAll(async () => {
  directory = await makeEmpty();
});

afterAll(() => rm(directory, { recursive: true }));

const run = runnerIn(() => directory);

async function makeFile(name: string, version: number): Promise<string> {
  const filename = join(directory, name);
  const storage = sqliteStorage({ filename });
  const known = tablesAt(version);
  await storage.open(known);
  await keepOneOfEach(storage, known, 1);
  await storage.close();
  return filename;
}

const digestOf = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex");

interface Finding {
  readonly check: string;
  readonly result: string;
  readonly detail: string;
}

async function checkUpgrade(file: string): Promise<{ readonly code: number; readonly findings: readonly Finding[] }> {
  const before = digestOf(file);
  const { code, printed } = await run(["doctor", "--upgrade", "--json", "--database", `sqlite:${file}`]);
  expect(digestOf(file)).toBe(before);
  return { code, findings: JSON.parse(printed).findings };
}

requirement("cli.doctor-upgrade", "names each step from an earlier schema, the way back, and a backup", async () => {
  const { code, findings } = await checkUpgrade(await makeFile("earlier.db", 1));
  const found = new Map(findings.map(({ check, ...rest }) => [check, rest]));
  expect(code).toBe(0);
  expect(found.get("upgrade")).toMatchObject({
    result: "ok",
    detail: expect.stringMatching(new RegExp(`^from version 1 to ${newestVersion}: .*table \\w+`)),
  });
  // An index of a table that is there already says how many rows it has to read.
  expect(found.get("upgrade")?.detail).toMatch(/index \w+ \([\w, ]+\) over 1 rows/);
  expect(found.get("way back")).toMatchObject({ result: "ok" });
  expect(found.get("backup")).toMatchObject({ result: "warn" });
  expect([...found.keys()]).not.toContain("service");
});

test("doctor --upgrade says that nothing is to be done on the schema of this release", async () => {
  const { code, findings } = await checkUpgrade(await makeFile("current.db", newestVersion));
  expect(code).toBe(0);
  expect(findings.at(-1)).toMatchObject({ check: "upgrade", detail: "the first start changes nothing" });
});

test("doctor --upgrade says that a release is older than the schema", async () => {
  const file = await makeFile("later.db", newestVersion);
  const database = new Database(file);
  database.prepare("insert into latchkey_schema_versions (version) values (?)").run(newestVersion + 1);
  database.pragma("wal_checkpoint(truncate)");
  database.close();
  const { code, findings } = await checkUpgrade(file);
  expect(code).toBe(0);
  expect(findings.at(-1)).toMatchObject({ check: "upgrade", result: "warn", detail: expect.stringContaining("is older") });
});

test("doctor --upgrade says what space the tables of an earlier layout need", async () => {
  const file = await makeFile("layout.db", newestVersion);
  toEarlierLayout(file);
  const { code, findings } = await checkUpgrade(file);
  expect(code).toBe(0);
  expect(findings).toContainEqual(
    expect.objectContaining({
      check: "rebuild",
      result: "ok",
      detail: expect.stringMatching(/rebuilds \d+ tables; at most \d+ MiB/),
    }),
  );
});

test("doctor --upgrade refuses a module, which would open the database", async () => {
  const { code, said } = await run(["doctor", "--upgrade", "--module", "identity.js"]);
  expect([code, said]).toEqual([1, expect.stringContaining("--upgrade looks at a database: pass --database.")]);
});
