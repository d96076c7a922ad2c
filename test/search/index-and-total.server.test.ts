import { globalScope } from "latchkey/ports";
import { expect } from "vitest";
import { books, tables, tenants, tenantsToStart, toBook } from "../contract/storage/tables.js";
import { testDatabase, testOnServer } from "../support/postgres.js";
import { buildIndexes } from "./support.js";

const { newSchema, newStorage, pool } = testDatabase();
const criteria = { sort: [{ column: "title", direction: "desc" }], limit: 2, offset: 0 } as const;
const count = 200;

const countOf = async (text: string, values: readonly unknown[]): Promise<number> =>
  Number((await pool().query(text, [...values])).rows[0]?.n);

testOnServer("an index and a total of one table are made one after the other, and nobody who writes waits for them", async () => {
  const schema = newSchema();
  const table = `${schema}.latchkey_books`;
  const storages = [newStorage({ schema, searchIndexFrom: 50 }), newStorage({ schema, searchIndexFrom: 50 })];
  for (const storage of storages) await storage.open(tables);
  const [first] = storages;
  await first?.transaction(async (tx) => {
    await tx.insert(globalScope, tenants, tenantsToStart);
    await tx.insert(
      globalScope,
      books,
      Array.from({ length: count }, (_, index) => toBook(`b${index + 1_000}`)),
    );
  });
  const indexes = (): Promise<number> =>
    countOf("select count(*) as n from pg_indexes where schemaname = $1 and indexname like 'sx%'", [schema]);
  const triggers = (): Promise<number> =>
    countOf("select count(*) as n from pg_trigger where tgrelid = to_regclass($1) and not tgisinternal", [table]);
  const waiting = (): Promise<number> =>
    countOf("select count(*) as n from pg_locks where relation = to_regclass($1) and not granted", [table]);

  // Another process works on the table.
  const other = await pool().connect();
  await other.query("select pg_advisory_lock(hashtextextended($1, 0))", [`change ${table}`]);
  const builds = storages.map((storage) => buildIndexes(storage, { scope: globalScope, table: books, criteria }));
  for (const storage of storages) expect((await storage.search(globalScope, books, criteria)).total).toBe(count);
  for (const storage of storages)
    await expect.poll(async () => (await storage.readIndexProgress?.())?.map(({ state }) => state)).toEqual(["building"]);
  await first?.transaction((tx) => tx.insert(globalScope, books, [toBook("b5000")]));
  expect([await waiting(), await indexes(), await triggers()]).toEqual([0, 0, 0]);

  await other.query("select pg_advisory_unlock(hashtextextended($1, 0))", [`change ${table}`]);
  other.release();
  for (const storage of storages)
    await expect
      .poll(async () => (await storage.readIndexProgress?.())?.map(({ state }) => state), { timeout: 10_000 })
      .toEqual(["ready"]);
  await Promise.all(builds);
  expect(await triggers()).toBe(4);
  expect(await indexes()).toBe(1);
  for (const storage of storages) expect((await storage.search(globalScope, books, criteria)).total).toBe(count + 1);
  for (const storage of storages) await storage.close();
});
