import { join } from "node:path";
import Database from "better-sqlite3";
import { type Filter, globalScope, type SearchPage, type Storage } from "latchkey";
import { sqliteStorage } from "latchkey/sqlite";
import { expect, onTestFinished, test } from "vitest";
import { books, idOf, north, tables, tenants, tenantsToStart, toBook } from "../contract/storage/tables.js";
import { makeDirectory } from "../support/temporary.js";

const index = "latchkey_books_substrings";
const contains = (text: string): Filter => ({ op: "matches", column: "title", pattern: ["", text, ""] });
const label = (number: number): string => `n${100 + number}`;

function openOn(filename: string, searchIndexFrom: number): Storage {
  const storage = sqliteStorage({ filename, searchIndexFrom });
  onTestFinished(() => storage.close());
  return storage;
}

async function newStorage(filename: string, searchIndexFrom: number, count: number): Promise<Storage> {
  const storage = openOn(filename, searchIndexFrom);
  await storage.open(tables);
  await storage.transaction((tx) => tx.insert(globalScope, tenants, tenantsToStart));
  await insert(storage, 0, count);
  return storage;
}

function insert(storage: Storage, from: number, to: number): Promise<void> {
  const records = Array.from({ length: to - from }, (_, offset) =>
    toBook(label(from + offset), { title: `title ${from + offset}` }),
  );
  return storage.transaction((tx) => tx.insert(globalScope, books, records));
}

function search(storage: Storage, filter: Filter, scope = globalScope): Promise<SearchPage> {
  return storage.search(scope, books, { filter, sort: [{ column: "title", direction: "asc" }], limit: 2, offset: 0 });
}

function look(filename: string): Database.Database {
  const database = new Database(filename);
  onTestFinished(() => void database.close());
  return database;
}

function tableNames(database: Database.Database): unknown[] {
  return database
    .prepare("select name from sqlite_master where name like '%substring%' or name = 'ix_latchkey_books_title'")
    .pluck()
    .all();
}

/** Searches until the index holds everything: each search that meets work to be done has it done. */
async function caughtUp(storage: Storage, database: Database.Database): Promise<void> {
  await search(storage, contains("title"));
  await expect.poll(() => tableNames(database)).toEqual(expect.arrayContaining([index, "ix_latchkey_books_title"]));
  const behind = `select (select count(*) from latchkey_books_substring_changes) + 1 - is_built from latchkey_books_substring_build`;
  await expect
    .poll(async () => {
      await search(storage, contains("title"));
      return database.prepare(behind).pluck().get();
    })
    .toBe(0);
}

test("a large table gets an index that holds what the table holds, whatever is written meanwhile", async () => {
  const filename = join(makeDirectory(), "a.db");
  const storage = await newStorage(filename, 100, 600);
  const database = look(filename);
  await search(storage, contains("title"));
  await insert(storage, 600, 700);
  await storage.transaction((tx) =>
    tx.remove(north, books, { op: "in", column: "id", values: [idOf(label(3)), idOf(label(650))] }),
  );
  await storage.transaction((tx) => tx.update(north, books, toBook(label(5), { title: "renamed" }, { version: 2 })));
  await caughtUp(storage, database);
  const rows = "select id, title, subtitle from";
  const indexed = database.prepare(`${rows} latchkey_books_substring_rows order by id`).all();
  expect(indexed).toHaveLength(698);
  expect(indexed).toEqual(database.prepare(`${rows} latchkey_books order by id`).all());
  // FTS5 compares its index with the rows that it was made of, and throws when they differ.
  expect(database.prepare(`insert into ${index} (${index}, rank) values ('integrity-check', 1)`).run().changes).toBe(1);
  expect((await search(storage, contains("enam"))).total).toBe(1);
  expect((await search(storage, contains("title"))).total).toBe(697);
});

test("small tables, short patterns, narrow tests and an Infinity make no index", async () => {
  const directory = makeDirectory();
  const cases: readonly [number, Filter][] = [
    [101, contains("title")],
    [100, contains("ti")],
    [100, { op: "and", filters: [contains("title"), { op: "equals", column: "isLent", value: false }] }],
    [Number.POSITIVE_INFINITY, contains("title")],
  ];
  for (const [number, [from, filter]] of cases.entries()) {
    const filename = join(directory, `${number}.db`);
    const storage = await newStorage(filename, from, 100);
    expect((await search(storage, filter)).total).toBe(100);
    await storage.transaction((tx) => tx.remove(globalScope, books, { op: "equals", column: "title", value: "none" }));
    expect(tableNames(look(filename))).toEqual([]);
  }
});

test("a process finds the index that another one made, and sees what others write at once", async () => {
  const filename = join(makeDirectory(), "a.db");
  const first = await newStorage(filename, 100, 600);
  const second = openOn(filename, 100);
  await second.open(tables);
  await caughtUp(first, look(filename));
  for (let number = 600; number < 620; number++) {
    const writer = number % 2 === 0 ? first : second;
    await insert(writer, number, number + 1);
    for (const reader of [first, second])
      for (const scope of [globalScope, north]) {
        expect((await search(reader, contains("title"), scope)).total).toBe(number + 1);
        expect((await search(reader, contains(`title ${number}`), scope)).total).toBe(1);
      }
  }
});

test("searchIndexFrom must be a positive number", () => {
  expect(() => sqliteStorage({ filename: ":memory:", searchIndexFrom: 0 })).toThrow(TypeError);
  expect(() => sqliteStorage({ filename: ":memory:", searchIndexFrom: Number.NaN })).toThrow(TypeError);
});
