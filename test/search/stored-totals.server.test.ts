import { globalScope, type Storage } from "latchkey/ports";
import { expect } from "vitest";
import { books, idOf, north, tables, tenants, tenantsToStart, toBook } from "../contract/storage/tables.js";
import { testDatabase, testOnServer } from "../support/postgres.js";
import { buildIndexes } from "./support.js";

const { newSchema, newStorage, pool } = testDatabase();
const criteria = { sort: [{ column: "title", direction: "asc" }], limit: 2, offset: 0 } as const;

testOnServer("two processes keep one total, however many transactions write side by side and are undone", async () => {
  const schema = newSchema();
  const first = newStorage({ schema, searchIndexFrom: 50 });
  const second = newStorage({ schema, searchIndexFrom: 50 });
  for (const storage of [first, second]) await storage.open(tables);
  await first.transaction((tx) => tx.insert(globalScope, tenants, tenantsToStart));
  let next = 1_000;
  const add = async (storage: Storage, count: number): Promise<void> => {
    const records = Array.from({ length: count }, () => toBook(`b${next++}`));
    await storage.transaction((tx) => tx.insert(globalScope, books, records));
  };
  const undone = (storage: Storage): Promise<void> =>
    storage
      .transaction(async (tx) => {
        await tx.insert(globalScope, books, [toBook(`b${next++}`)]);
        throw new Error("undone");
      })
      .catch(() => undefined);
  await add(first, 100);
  const work: Promise<unknown>[] = [];
  for (let round = 0; round < 30; round++) {
    for (const storage of [first, second]) {
      work.push(add(storage, 1 + (round % 10)), undone(storage));
      work.push(storage.search(globalScope, books, criteria), storage.search(north, books, criteria));
      const gone = { op: "equals", column: "id", value: idOf(`b${1_000 + round}`) } as const;
      work.push(storage.transaction((tx) => tx.remove(north, books, gone)));
    }
    if (round % 10 === 0)
      for (const storage of [first, second]) work.push(buildIndexes(storage, { scope: globalScope, table: books, criteria }));
    if (round % 5 === 0) await Promise.all(work.splice(0));
  }
  await Promise.all(work);
  const kept = `select count(*) as n from "${schema}"."latchkey_search_counts" where of_name = 'latchkey_books'`;
  await expect.poll(async () => Number((await pool().query(kept)).rows[0]?.n)).toBeGreaterThan(0);
  for (let time = 0; time < 520; time++) await add(first, 1);
  const exact = (await first.find(globalScope, books, undefined)).length;
  for (const storage of [first, second])
    for (const scope of [globalScope, north]) expect((await storage.search(scope, books, criteria)).total).toBe(exact);
  // What changes appended is added up once it is much.
  await expect.poll(async () => Number((await pool().query(kept)).rows[0]?.n)).toBeLessThan(10);
  for (const storage of [first, second]) expect((await storage.search(north, books, criteria)).total).toBe(exact);
  for (const storage of [first, second]) await storage.close();
});
