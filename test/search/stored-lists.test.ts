import { join } from "node:path";
import Database from "better-sqlite3";
import { type Filter, globalScope, type RecordToStore, type Storage } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { expect, onTestFinished } from "vitest";
import { books, idOf, north, tables, tenants, tenantsToStart, toBook } from "../contract/storage/tables.js";
import { hasPostgres, testDatabase } from "../support/postgres.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { buildIndexes } from "./support.js";

const { newSchema, newStorage, pool } = testDatabase(hasPostgres);
const label = (number: number): string => `n${100 + number}`;
const isOf = (value: string): Filter => ({ op: "includes", member: "genres", value });

function bookOf(number: number, genres: unknown, version = 1): RecordToStore {
  return toBook(label(number), {}, { version, json: JSON.stringify({ genres, label: label(number) }) });
}

async function totalOf(storage: Storage, value: string): Promise<number> {
  return (await storage.search(globalScope, books, { filter: isOf(value), sort: [], limit: 0, offset: 0 })).total;
}

async function fill(storage: Storage): Promise<void> {
  await storage.open(tables);
  await storage.transaction((tx) => tx.insert(globalScope, tenants, tenantsToStart));
  const records = Array.from({ length: 60 }, (_, number) => bookOf(number, number % 3 === 0 ? ["Crime", "Spy"] : ["Spy"]));
  await storage.transaction((tx) => tx.insert(globalScope, books, records));
}

/** Changes lists in each way there is, and undoes one change. */
async function change(storage: Storage): Promise<void> {
  await storage.transaction((tx) => tx.update(north, books, bookOf(0, ["Poem", 5, "poem"], 2)));
  await storage.transaction((tx) => tx.rewrite(north, books, [bookOf(3, "Crime", 2)]));
  await storage.transaction((tx) => tx.remove(north, books, { op: "equals", column: "id", value: idOf(label(6)) }));
  await storage.transaction((tx) => tx.insert(north, books, [bookOf(60, ["CRIME"]), bookOf(61, null)]));
  const undone = storage.transaction(async (tx) => {
    await tx.insert(north, books, [bookOf(62, ["Crime"])]);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
}

async function expectTotals(storage: Storage, totals: Readonly<Record<string, number>>): Promise<void> {
  for (const [value, total] of Object.entries(totals))
    expect({ value, total: await totalOf(storage, value) }).toEqual({ value, total });
}

function buildLists(storage: Storage): Promise<void> {
  return buildIndexes(storage, { scope: globalScope, table: books, criteria: { filter: isOf("spy"), sort: [] } });
}

const before = { crime: 20, spy: 60, Crime: 0, cri: 0 };
const after = { crime: 18, spy: 57, poem: 1 };

requirement("search.roles", "SQLite stores the items of lists of a large table, and keeps them with each write", async () => {
  const filename = join(makeDirectory(), "a.db");
  const storage = sqliteStorage({ filename, searchIndexFrom: 50, readerThreads: 0 });
  onTestFinished(() => storage.close());
  await fill(storage);
  await expectTotals(storage, before);
  await buildLists(storage);
  const database = new Database(filename, { timeout: 60_000 });
  onTestFinished(() => void database.close());
  const triggers = database.prepare("select count(*) from sqlite_master where name like 'sl_latchkey_books_genres%'").pluck();
  expect(triggers.get()).toBe(3);
  await expectTotals(storage, before);
  await change(storage);
  await expectTotals(storage, after);
  expect(database.prepare("select count(*) from latchkey_books_genres_items").pluck().get()).toBe(18 + 57 + 1);
});

if (hasPostgres)
  requirement("search.roles", "Postgres indexes the items of lists, and the orders, of a large table", async () => {
    const schema = newSchema();
    const storage = newStorage({ schema, searchIndexFrom: 50 });
    onTestFinished(() => storage.close());
    await fill(storage);
    await expectTotals(storage, before);
    await buildLists(storage);
    const find = "select count(*) as n from pg_indexes where schemaname = $1 and indexname = 'sl_latchkey_books_genres'";
    expect(Number((await pool().query(find, [schema])).rows[0]?.n)).toBe(1);
    const byPages = { sort: [{ column: "pages", direction: "desc" }] } as const;
    await buildIndexes(storage, { scope: globalScope, table: books, criteria: byPages });
    const order = "select count(*) as n from pg_indexes where schemaname = $1 and indexname = 'sx_latchkey_books_pages_desc_id'";
    expect(Number((await pool().query(order, [schema])).rows[0]?.n)).toBe(1);
    await change(storage);
    await expectTotals(storage, after);
  });
