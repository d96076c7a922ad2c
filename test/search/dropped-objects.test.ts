// An administrator drops by hand what helps searches, while a service runs: answers stay right, and a plan has it made again.
import { join } from "node:path";
import Database from "better-sqlite3";
import {
  type Filter,
  globalScope,
  type IndexedSearch,
  type IndexPlan,
  type IndexPlanOptions,
  type Storage,
  type StorageReader,
} from "latchkey/ports";
import { postgresStorage } from "latchkey/postgres";
import { sqliteStorage } from "latchkey/sqlite";
import pg from "pg";
import { expect, onTestFinished } from "vitest";
import { books, idOf, tables, tenants, tenantsToStart, toBook } from "../contract/storage/tables.js";
import { hasPostgres, postgresUrl, testDatabase } from "../support/postgres.js";
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
async function listLacking(storage: Storage, options?: IndexPlanOptions): Promise<readonly IndexPlan[]> {
  return ((await storage.planIndexes?.(searches, options)) ?? []).filter(({ needs }) => needs === undefined);
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

requirement("search.dropped", "SQLite reads without a dropped table in each of its ways to read", async () => {
  const filter = filters.genre;
  const read = { scope: globalScope, table: books, filter };
  const ways: Readonly<Record<string, (reader: StorageReader) => Promise<number | undefined>>> = {
    find: async (reader) => (await reader.find(globalScope, books, filter)).length,
    "find after": async (reader) => (await reader.find(globalScope, books, filter, { after: "" })).length,
    findEach: async (reader) => (await reader.findEach?.([read]))?.[0]?.length,
    findIds: async (reader) => (await reader.findIds(globalScope, books, "id", filter)).length,
    search: async (reader) => (await reader.search(globalScope, books, { filter, sort: [], limit: 1, offset: 0 })).total,
  };
  const places: Readonly<
    Record<string, (storage: Storage, way: (reader: StorageReader) => Promise<unknown>) => Promise<unknown>>
  > = {
    outside: (storage, way) => way(storage),
    "in a snapshot": (storage, way) => storage.snapshot(way),
    "in a transaction": (storage, way) => storage.transaction(way),
  };
  const { run, storage } = await onSqlite();
  for (const [place, readIn] of Object.entries(places))
    for (const [name, way] of Object.entries(ways)) {
      expect([place, name, await readIn(storage, way)]).toEqual([place, name, size]);
      await run("drop table latchkey_books_genres_items");
      expect([place, name, await readIn(storage, way)]).toEqual([place, name, size]);
      await run("drop trigger sl_latchkey_books_genres");
      await buildIndexes(storage, ...searches);
    }
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

  const changed: Readonly<Record<string, string>> = {
    "that were off for a while": `alter table SCHEMA.latchkey_books disable trigger user; delete from SCHEMA.latchkey_books
      where id = '${idOf(label(3))}'; alter table SCHEMA.latchkey_books enable trigger user`,
    "in a session of a replica": `begin; set local session_replication_role to replica; delete from SCHEMA.latchkey_books
      where id = '${idOf(label(3))}'; commit`,
  };
  for (const [what, statement] of Object.entries(changed))
    requirement("search.dropped", `Postgres repairs a kept total after writes beside its triggers ${what}`, async () => {
      const { run, storage } = await onPostgres();
      await run(statement);
      expect(await listLacking(storage)).toEqual([]);
      const planned = await listLacking(storage, { checksTotals: true });
      expect(planned.map(({ change }) => change)).toEqual(["repair"]);
      await insert(storage, size, 2);
      for (const { build } of planned) await build();
      expect(await listLacking(storage, { checksTotals: true })).toEqual([]);
      await expectTotal(storage, size + 1);
      await insert(storage, size + 2, 1);
      await expectTotal(storage, size + 2);
    });

  requirement("search.dropped", "Postgres counts right after its table was truncated", async () => {
    const { run, storage } = await onPostgres();
    await run("truncate SCHEMA.latchkey_books cascade");
    await expectTotal(storage, 0);
    await insert(storage, size, 2);
    await expectTotal(storage, 2);
    expect(await storage.planIndexes?.(searches, { checksTotals: true })).toEqual([]);
  });

  requirement("search.dropped", "Postgres searches without a table whose triggers nobody dropped", async () => {
    const { run, storage } = await onPostgres();
    await run("drop table SCHEMA.latchkey_search_counts");
    await expectTotal(storage, size);
  });
}

// An embedded Postgres has one user.
if (postgresUrl !== undefined)
  requirement("search.dropped", "Postgres names the fix to a user who may not change the schema", async () => {
    const schema = newSchema();
    const owner = newStorage({ schema, searchIndexFrom: 50 });
    onTestFinished(() => owner.close());
    await owner.open(tables);
    await owner.transaction((tx) => tx.insert(globalScope, tenants, tenantsToStart));
    await insert(owner, 0, size);
    const role = `role_${schema}`;
    await pool().query(`create role ${role} login password 'x'; grant usage on schema "${schema}" to ${role};
      grant select, insert, update, delete on all tables in schema "${schema}" to ${role}`);
    const guest = new pg.Pool({ ...pool().options, options: `-c role=${role}` });
    const storage = postgresStorage({ pool: guest, schema, searchIndexFrom: 50 });
    onTestFinished(async () => {
      await storage.close();
      await guest.end();
      await pool().query(`drop owned by ${role}; drop role ${role}`);
    });
    await storage.open(tables);
    const planned = ((await storage.planIndexes?.(searches)) ?? []).filter(({ needs }) => needs === undefined);
    expect(planned.length).toBeGreaterThan(2);
    for (const { build } of planned) await expect(build()).rejects.toThrow("Run latchkey indexes as the owner of the tables");
    const more = { ...books, name: "moreBooks", since: 2 };
    const migrating = postgresStorage({ pool: guest, schema });
    await expect(migrating.open([...tables, more])).rejects.toThrow("Run latchkey migrate as the owner of the tables");
  });
