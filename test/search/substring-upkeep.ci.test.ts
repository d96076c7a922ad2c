import { join } from "node:path";
import Database from "better-sqlite3";
import { type Filter, globalScope, type SearchPage, type Storage, type Table } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { expect, onTestFinished, test } from "vitest";
import { books, idOf, north, tables, tenants, tenantsToStart, toBook } from "../contract/storage/tables.js";
import { makeDirectory } from "../support/temporary.js";
import { buildIndexes } from "./support.js";

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
  // A writer of a busy machine may keep its lock for long.
  const database = new Database(filename, { timeout: 60_000 });
  onTestFinished(() => void database.close());
  return database;
}

function tableNames(database: Database.Database): unknown[] {
  return database
    .prepare("select name from sqlite_master where name like '%substring%' or name = 'ix_latchkey_books_title'")
    .pluck()
    .all();
}

function build(storage: Storage, filter: Filter, table: Table = books): Promise<void> {
  return buildIndexes(storage, {
    scope: globalScope,
    table,
    criteria: { filter, sort: [{ column: "title", direction: "asc" }] },
  });
}

/** Searches until the index holds everything: each search that meets work to be done has it done. */
async function caughtUp(storage: Storage, database: Database.Database): Promise<void> {
  await build(storage, contains("title"));
  expect(tableNames(database)).toEqual(expect.arrayContaining([index, "ix_latchkey_books_title"]));
  const behind = `select (select count(*) from latchkey_books_substring_changes) + 1 - is_built from latchkey_books_substring_build`;
  await expect
    .poll(async () => {
      await search(storage, contains("title"));
      return database.prepare(behind).pluck().get();
    })
    .toBe(0);
}

test("a large table gets an index that matches the table, despite concurrent writes", async () => {
  const filename = join(makeDirectory(), "a.db");
  const storage = await newStorage(filename, 100, 600);
  const database = look(filename);
  const building = build(storage, contains("title"));
  await insert(storage, 600, 700);
  await storage.transaction((tx) =>
    tx.remove(north, books, { op: "in", column: "id", values: [idOf(label(3)), idOf(label(650))] }),
  );
  await storage.transaction((tx) => tx.update(north, books, toBook(label(5), { title: "renamed" }, { version: 2 })));
  await building;
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

test("one text is put into the index in the order of texts, despite concurrent writes", async () => {
  const filename = join(makeDirectory(), "a.db");
  const indexes = [
    { columns: ["title"], whenLarge: true },
    { columns: ["title"], kind: "substring" },
  ] as const;
  const alone = tables.map((table) => (table.name === "books" ? { ...books, indexes } : table));
  const storage = openOn(filename, 100);
  await storage.open(alone);
  await storage.transaction((tx) => tx.insert(globalScope, tenants, tenantsToStart));
  // So that the order of texts is not that of ids.
  const titleOf = (number: number): string => `title ${(number * 7) % 2_111}`;
  const write = (from: number, to: number): Promise<void> => {
    const records = Array.from({ length: to - from }, (_, offset) =>
      toBook(`m${1_000 + from + offset}`, { title: titleOf(from + offset) }),
    );
    return storage.transaction((tx) => tx.insert(globalScope, books, records));
  };
  await write(0, 2_000);
  const table = alone.find(({ name }) => name === "books") ?? books;
  const find = (text: string): Promise<SearchPage> =>
    storage.search(globalScope, table, {
      filter: contains(text),
      sort: [{ column: "title", direction: "asc" }],
      limit: 2,
      offset: 0,
    });
  const database = look(filename);
  const building = build(storage, contains("title"), table);
  await expect.poll(() => tableNames(database), { timeout: 10_000 }).toContain("latchkey_books_substring_rows");
  const kept = database.prepare("select count(*) from latchkey_books_substring_rows").pluck();
  await expect.poll(() => kept.get(), { timeout: 10_000 }).toBeGreaterThan(0);
  // Behind where the filling is, before it, and away from both.
  await write(2_000, 2_100);
  for (const number of [1, 1_998, 700])
    await storage.transaction((tx) =>
      tx.update(
        north,
        table,
        toBook(`m${1_000 + number}`, { title: number === 1 ? "title 9998" : `a title ${number}` }, { version: 2 }),
      ),
    );
  await storage.transaction((tx) => tx.remove(north, table, { op: "equals", column: "id", value: idOf("m1500") }));
  await building;
  const behind =
    "select (select count(*) from latchkey_books_substring_changes) + 1 - is_built from latchkey_books_substring_build";
  await expect
    .poll(
      async () => {
        await find("title");
        return database.prepare(behind).pluck().get();
      },
      { timeout: 10_000 },
    )
    .toBe(0);
  const indexed = database.prepare("select id, title from latchkey_books_substring_rows order by id").all();
  expect(indexed).toEqual(database.prepare("select id, title from latchkey_books order by id").all());
  expect(indexed).toHaveLength(2_099);
  const inTheirOrder = database
    .prepare("select title from latchkey_books_substring_rows order by number limit 400")
    .pluck()
    .all();
  expect(inTheirOrder).toEqual([...inTheirOrder].sort());
  expect(database.prepare(`insert into ${index} (${index}, rank) values ('integrity-check', 1)`).run().changes).toBe(1);
  expect([(await find("9998")).total, (await find("a title")).total, (await find("ti")).total]).toEqual([1, 2, 2_099]);
});

test("small tables, short patterns, narrow tests and an Infinity make no index of texts", async () => {
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
    await build(storage, filter);
    expect(tableNames(look(filename)).filter((name) => name !== "ix_latchkey_books_title")).toEqual([]);
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
