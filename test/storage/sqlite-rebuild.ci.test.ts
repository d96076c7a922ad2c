// Long records stay out of the tree that look-ups walk: tables have rowids, and those of earlier releases get them.
import { copyFileSync } from "node:fs";
import Database from "better-sqlite3";
import { createIdentityService } from "latchkey";
import type { Storage } from "latchkey/ports";
import { type SqliteStorageOptions, sqliteStorage } from "latchkey/sqlite";
import { expect, onTestFinished, test } from "vitest";
import { tables } from "../../src/families/index.js";
import { requirement } from "../support/requirement.js";
import { testSecret } from "../support/world.js";
import { schemaOf, toEarlierLayout } from "./support/earlier-layout.js";
import { changeOneOfEach, keepOneOfEach, readWriters } from "./support/earlier-versions.js";
import { temporaryFiles } from "./support/temporary-files.js";

const newFile = temporaryFiles();

async function open(filename: string, options: Partial<SqliteStorageOptions> = {}): Promise<Storage> {
  const storage = sqliteStorage({ filename, ...options });
  onTestFinished(() => storage.close());
  await storage.open(tables);
  return storage;
}

let earlier: Promise<string> | undefined;

/** A file of an earlier release, with a record in each table: a copy of one that is made once. */
async function earlierFile(): Promise<string> {
  earlier ??= makeEarlierFile();
  const filename = newFile();
  copyFileSync(await earlier, filename);
  return filename;
}

async function makeEarlierFile(): Promise<string> {
  const filename = newFile();
  const storage = await open(filename);
  await keepOneOfEach(storage, tables, 1);
  await storage.close();
  toEarlierLayout(filename);
  return filename;
}

const withoutRowids = (filename: string): readonly string[] =>
  [...schemaOf(filename)].filter(([, sql]) => /without rowid$/i.test(sql)).map(([name]) => name);

requirement(
  "sqlite.rowids",
  "every table of a new file has rowids, and its wide texts behind the columns that came with it",
  async () => {
    const filename = newFile();
    await open(filename);
    expect(withoutRowids(filename)).toEqual([]);
    const database = new Database(filename, { readonly: true });
    onTestFinished(() => void database.close());
    for (const table of tables) {
      const name = `latchkey_${table.name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
      const columns = database.prepare("select name from pragma_table_info(?)").pluck().all(name);
      const later = Object.values(table.columns).filter(({ since }) => since !== undefined && since !== table.since).length;
      expect([name, columns.slice(-2 - later, columns.length - later)]).toEqual([name, ["json", "hidden"]]);
    }
  },
);

requirement(
  "sqlite.rebuild",
  "tables of an earlier release are made as those of a new file, with all that they hold",
  async () => {
    const filename = await earlierFile();
    expect(withoutRowids(filename).length).toBeGreaterThan(20);
    const storage = await open(filename);
    const fresh = newFile();
    await open(fresh);
    expect(schemaOf(filename)).toEqual(schemaOf(fresh));
    for (const table of tables) expect([table.name, await readWriters(storage, table)]).toEqual([table.name, [[1, 1]]]);
    // References hold again.
    const database = new Database(filename, { readonly: true });
    onTestFinished(() => void database.close());
    expect(database.pragma("foreign_key_check")).toEqual([]);
    const identity = await createIdentityService({ storage: sqliteStorage({ filename: newFile() }), secret: testSecret });
    await identity.close();
  },
);

requirement("sqlite.rebuild", "an earlier release goes on with the rebuilt tables that it opened before", async () => {
  const filename = await earlierFile();
  const earlier = await open(filename, { maxRebuildBytes: 0 });
  await readWriters(earlier, tables[0] as (typeof tables)[0]);
  await open(filename);
  expect(withoutRowids(filename)).toEqual([]);
  await changeOneOfEach(earlier, tables, 1);
  await keepOneOfEach(earlier, tables, 2);
  for (const table of tables.filter(({ isLog }) => isLog !== true))
    expect([table.name, await readWriters(earlier, table)]).toEqual([
      table.name,
      [
        [1, 2],
        [2, 1],
      ],
    ]);
});

requirement("sqlite.rebuild", "a large file stays as it is until it is asked for", async () => {
  const filename = await earlierFile();
  const before = schemaOf(filename);
  const storage = await open(filename, { maxRebuildBytes: 4_096 });
  expect(schemaOf(filename)).toEqual(before);
  for (const table of tables) expect(await readWriters(storage, table)).toEqual([[1, 1]]);
});

requirement("sqlite.rebuild", "columns that a later release added stay", async () => {
  const filename = await earlierFile();
  const database = new Database(filename, { timeout: 60_000 });
  database.exec(`alter table latchkey_groups add column "of_later" text; update latchkey_groups set of_later = 'kept'`);
  database.close();
  await open(filename);
  const after = new Database(filename, { readonly: true });
  onTestFinished(() => void after.close());
  expect(after.prepare("select of_later from latchkey_groups").pluck().all()).toEqual(["kept"]);
});

requirement("sqlite.rebuild", "a rebuild that fails leaves the table as it was, and references enforced", async () => {
  const filename = await earlierFile();
  const database = new Database(filename, { timeout: 60_000 });
  database.exec("create table latchkey_groups_rebuilt (n integer)");
  const before = schemaOf(filename).get("latchkey_groups");
  const storage = sqliteStorage({ filename });
  onTestFinished(() => storage.close());
  await expect(storage.open(tables)).rejects.toThrow("latchkey_groups_rebuilt");
  expect(schemaOf(filename).get("latchkey_groups")).toBe(before);
  database.exec("drop table latchkey_groups_rebuilt");
  database.close();
  const again = await open(filename);
  for (const table of tables) expect(await readWriters(again, table)).toEqual([[1, 1]]);
});

test("the index of texts of a large table survives a rebuild, triggers included", async () => {
  const filename = newFile();
  const identity = await createIdentityService({
    storage: sqliteStorage({ filename, searchIndexFrom: 1 }),
    secret: testSecret,
  });
  const { groups } = identity;
  const names = ["Editors", "Writers", "Readers"];
  for (const name of names) await groups.create({ group: { name } });
  for (const planned of await identity.planIndexes()) await planned.build();
  await identity.close();
  const triggers = [...schemaOf(filename).keys()].filter((name) => name.includes("substring"));
  expect(triggers.length).toBeGreaterThan(3);
  toEarlierLayout(filename);
  const again = await createIdentityService({ storage: sqliteStorage({ filename, searchIndexFrom: 1 }), secret: testSecret });
  onTestFinished(() => again.close());
  expect([...schemaOf(filename).keys()].filter((name) => name.includes("substring"))).toEqual(triggers);
  await again.groups.create({ group: { name: "Late editors" } });
  const found = await again.groups.search({ search: { name: "edit" } });
  expect(found.groups.map(({ name }) => name)).toEqual(["Editors", "Late editors"]);
});
