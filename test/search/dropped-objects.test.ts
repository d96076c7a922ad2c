// An administrator drops by hand what helps searches, while a service runs: answers stay right, and a plan has it made again.
import { join } from "node:path";
import Database from "better-sqlite3";
import { type Filter, globalScope, type IndexedSearch, type IndexPlan, type Storage } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { expect, onTestFinished } from "vitest";
import { books, idOf, tables, tenants, tenantsToStart, toBook } from "../contract/storage/tables.js";
import { hasPostgres, testDatabase } from "../support/postgres.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { buildIndexes } from "./support.js";

const { newSchema, newStorage, pool } = testDatabase(hasPostgres);
const label = (number: number): string => `n${100 + number}`;
const size = 60;

const filters: Readonly<Record<string, Filter | undefined>> = {
  all: undefined,
  genre: { op: "includes", member: "genres", value: "spy" },
  text: { op: "matches", column: "title", pattern: ["", "old", ""] },
};

const searches: readonly IndexedSearch[] = Object.values(filters).map((filter) => ({
  scope: globalScope,
  table: books,
  criteria: { ...(filter && { filter }), sort: [{ column: "pages", direction: "desc" }] },
}));

/** A storage with everything built, and statements of an administrator. */
interface Place {
  readonly storage: Storage;
  readonly run: (statement: string) => Promise<void>;
}

async function fill(storage: Storage): Promise<void> {
  await storage.open(tables);
  await storage.transaction((tx) => tx.insert(globalScope, tenants, tenantsToStart));
  await insert(storage, 0, size);
  await buildIndexes(storage, ...searches);
  expect(await listLacking(storage)).toEqual([]);
}

// An embedded Postgres has no trigrams.
async function listLacking(storage: Storage): Promise<readonly IndexPlan[]> {
  return ((await storage.planIndexes?.(searches)) ?? []).filter(({ needs }) => needs === undefined);
}

async function insert(storage: Storage, from: number, count: number): Promise<void> {
  const records = Array.from({ length: count }, (_, index) => {
    const own = label(from + index);
    return toBook(own, { title: `old ${own}` }, { json: JSON.stringify({ genres: ["Spy"], label: own }) });
  });
  await storage.transaction((tx) => tx.insert(globalScope, books, records));
}

async function totals(storage: Storage): Promise<Readonly<Record<string, number>>> {
  const sort = [{ column: "pages", direction: "desc" }] as const;
  const found = Object.entries(filters).map(async ([name, filter]) => {
    const page = { sort, limit: 1_000, offset: 0 };
    const { records, total } = await storage.search(globalScope, books, { ...(filter && { filter }), ...page });
    expect(records).toHaveLength(total);
    return [name, total] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

const expectTotal = async (storage: Storage, total: number): Promise<void> =>
  expect(await totals(storage)).toEqual({ all: total, genre: total, text: total });

async function expectRightWithout({ run, storage }: Place, ...statements: readonly string[]): Promise<void> {
  await expectTotal(storage, size);
  for (const statement of statements) await run(statement);
  await expectTotal(storage, size);
  await insert(storage, size, 5);
  const isOne = { op: "equals", column: "id", value: idOf(label(3)) } as const;
  await storage.transaction((tx) => tx.remove(globalScope, books, isOne));
  await expectTotal(storage, size + 4);
  // What is left of it is made anew, with what was written meanwhile.
  expect(await listLacking(storage)).toHaveLength(1);
  await buildIndexes(storage, ...searches);
  expect(await listLacking(storage)).toEqual([]);
  await expectTotal(storage, size + 4);
  await insert(storage, size + 5, 1);
  await expectTotal(storage, size + 5);
}

async function onSqlite(): Promise<Place> {
  const filename = join(makeDirectory(), "a.db");
  const storage = sqliteStorage({ filename, searchIndexFrom: 50, readerThreads: 0 });
  onTestFinished(() => storage.close());
  await fill(storage);
  const database = new Database(filename, { timeout: 60_000 });
  onTestFinished(() => void database.close());
  return { storage, run: async (statement) => void database.exec(statement) };
}

async function onPostgres(): Promise<Place> {
  const schema = newSchema();
  const storage = newStorage({ schema, searchIndexFrom: 50 });
  onTestFinished(() => storage.close());
  await fill(storage);
  return { storage, run: async (statement) => void (await pool().query(statement.replaceAll("SCHEMA", `"${schema}"`))) };
}

const bySqlite: Readonly<Record<string, string>> = {
  "a kept total": "drop trigger sc_latchkey_books",
  "a part of a kept total": "drop trigger sc_latchkey_books_delete",
  "a list": "drop trigger sl_latchkey_books_genres",
  "a part of a list": "drop trigger sl_latchkey_books_genres_delete",
  "the index of texts": "drop table latchkey_books_substrings",
  "a trigger of the index of texts": "drop trigger latchkey_books_substring_changes_insert",
  "an order": "drop index sx_latchkey_books_pages_desc_id",
};

for (const [what, statement] of Object.entries(bySqlite))
  requirement("search.dropped", `SQLite answers right without ${what}, which somebody has dropped`, async () => {
    await expectRightWithout(await onSqlite(), statement);
  });

requirement("search.dropped", "SQLite searches without a table whose triggers nobody dropped", async () => {
  const { run, storage } = await onSqlite();
  await run("drop table latchkey_books_genres_items; drop table latchkey_search_counts");
  await expectTotal(storage, size);
});

const byPostgres: Readonly<Record<string, string>> = {
  "a kept total": "drop trigger sc_insert_latchkey_books on SCHEMA.latchkey_books",
  "a part of a kept total": "drop trigger sc_delete_latchkey_books on SCHEMA.latchkey_books",
  "a trigger that is disabled": "alter table SCHEMA.latchkey_books disable trigger sc_delete_latchkey_books",
  "a list": "drop index SCHEMA.sl_latchkey_books_genres",
  "an order": "drop index SCHEMA.sx_latchkey_books_pages_desc_id",
};

if (hasPostgres) {
  for (const [what, statement] of Object.entries(byPostgres))
    requirement("search.dropped", `Postgres answers right without ${what}, which somebody has dropped`, async () => {
      await expectRightWithout(await onPostgres(), statement);
    });

  requirement("search.dropped", "Postgres searches without a table whose triggers nobody dropped", async () => {
    const { run, storage } = await onPostgres();
    await run("drop table SCHEMA.latchkey_search_counts");
    await expectTotal(storage, size);
  });
}
