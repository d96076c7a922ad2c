// `latchkey indexes` on SQLite, killed at several points: searches stay right, nothing half-made is used, and the next run finishes.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import Database from "better-sqlite3";
import { type Filter, globalScope, type Storage } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { afterAll, beforeAll, expect, onTestFinished, vi } from "vitest";
import { tables } from "../../src/families/index.js";
import { groupsTable } from "../../src/records/groups/family.js";
import { createStage, type Stage } from "../blackbox/support/stage.js";
import { requirement } from "../support/requirement.js";
import { processRunnerIn } from "./processes.js";
import { makeMigrated } from "./support.js";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const size = 60_000;
let stage: Stage;
let directory: string;

beforeAll(async () => {
  stage = await createStage();
  directory = await makeMigrated();
  const database = new Database(join(directory, "latchkey.db"));
  database.exec(`insert into latchkey_groups (id, tenant_id, version, insert_instant, last_update_instant, json, name_folded)
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${size})
    select printf('%08x-0000-4000-8000-000000000000', n), (select id from latchkey_tenants), 1, n, n, '{}', 'group ' || n from numbers`);
  database.close();
});

afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

const run = processRunnerIn(
  () => stage,
  () => directory,
);

/** What was made so far: indexes, triggers and tables, and the rows of the index of texts. */
type Read = (sql: string) => number;

/** Starts the command, and kills it once the database is at a point. Answers whether it got there. */
async function killAt(isThere: (read: Read) => boolean): Promise<boolean> {
  const database = new Database(join(directory, "latchkey.db"), { readonly: true });
  onTestFinished(() => void database.close());
  const read: Read = (sql) => Number(database.prepare(sql).pluck().get());
  const child: ChildProcess = spawn(process.execPath, [`${stage.directory}/dist/cli.js`, "indexes"], { cwd: directory });
  const gone = once(child, "exit");
  while (!isThere(read) && child.exitCode === null) await pause(1);
  const isRunning = child.kill("SIGKILL");
  await gone;
  return isRunning;
}

const count = (name: string): string => `select count(*) from sqlite_master where name like '${name}'`;
const rows = "latchkey_groups_substring_rows";

async function totalOf(storage: Storage, text?: string): Promise<number> {
  const filter: Filter | undefined =
    text === undefined ? undefined : { op: "matches", column: "nameFolded", pattern: ["", text, ""] };
  const criteria = {
    ...(filter && { filter }),
    sort: [{ column: "nameFolded", direction: "asc" }],
    limit: 5,
    offset: 0,
  } as const;
  const { records, total } = await storage.search(globalScope, groupsTable, criteria);
  expect(records).toHaveLength(Math.min(5, total));
  return total;
}

async function expectRight(more: number): Promise<void> {
  const storage = sqliteStorage({ filename: join(directory, "latchkey.db") });
  await storage.open(tables);
  try {
    const texts = [undefined, "group", "999", "up 7"] as const;
    const found: number[] = [];
    for (const text of texts) found.push(await totalOf(storage, text));
    const names = Array.from({ length: size }, (_, index) => `group ${index + 1}`);
    const having = (text: string): number => names.filter((name) => name.includes(text)).length;
    expect(found).toEqual([size + more, size + more, having("999"), having("up 7")]);
  } finally {
    await storage.close();
  }
}

function write(number: number): void {
  const database = new Database(join(directory, "latchkey.db"), { timeout: 60_000 });
  database.exec(`insert into latchkey_groups (id, tenant_id, version, insert_instant, last_update_instant, json, name_folded)
    select printf('%08x-0000-4000-9000-000000000000', ${number}), (select id from latchkey_tenants), 1, 1, 1, '{}', 'group z' || ${number}`);
  expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
  database.close();
}

requirement("cli.indexes", "indexes that is killed leaves nothing half-made in use, and the next run finishes", async () => {
  const points: readonly ((read: Read) => boolean)[] = [
    () => true,
    (read) => read(count("ix_latchkey_groups_name_folded")) > 0,
    (read) => read(count("sc_latchkey_groups")) > 0,
    (read) => read(count(rows)) > 0,
    (read) => read(`select count(*) from ${rows}`) > 5_000,
    (read) => read(`select count(*) from ${rows}`) > 30_000,
  ];
  for (const [number, point] of points.entries()) {
    expect([number, await killAt(point)]).toEqual([number, true]);
    write(number);
    await expectRight(number + 1);
  }
  const { indexes } = JSON.parse((await run(["indexes", "--json"])).printed);
  expect(indexes).toEqual([{ change: "create", name: "latchkey_groups_substrings", table: "latchkey_groups" }]);
  expect((await run(["indexes"])).printed).toBe("No large table lacks an index.\n");
  await expectRight(points.length);
  const database = new Database(join(directory, "latchkey.db"), { readonly: true });
  onTestFinished(() => void database.close());
  expect(database.prepare(`select count(*) from ${rows}`).pluck().get()).toBe(size + points.length);
});
