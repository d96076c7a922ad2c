import { type Generated, Kysely, PostgresDialect, sql } from "kysely";
import { globalScope, type Storage, type Transaction } from "latchkey/ports";
import { pgClientOf } from "latchkey/postgres";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keep, keptLabels } from "../contract/storage/kit.js";
import { books, tables, tenants, tenantsToStart, toBook } from "../contract/storage/tables.js";
import { clientOf, testDatabase } from "../support/postgres.js";

const database = testDatabase();
type Tx = Transaction<Kysely<unknown>>;
let orders: string;
let storage: Storage<Kysely<unknown>>;

beforeEach(async () => {
  const schema = database.newSchema();
  orders = `"${schema}".orders`;
  storage = database.newStorage({ schema });
  await storage.open(tables);
  await keep(storage, tenants, tenantsToStart);
  await storage.transaction((tx) =>
    clientOf(tx).query(`create table ${orders} (id int8 generated always as identity, name text not null unique)`),
  );
});
afterEach(() => storage.close());

const order = (tx: Tx, name: string): Promise<unknown> => clientOf(tx).query(`insert into ${orders} (name) values ($1)`, [name]);
const ordersOf = async (tx: Tx): Promise<string[]> =>
  (await clientOf(tx).query(`select name from ${orders} order by id`)).rows.map(({ name }) => name);
const keptOrders = (): Promise<string[]> => storage.transaction(ordersOf);

async function writeBoth(tx: Tx, label: string): Promise<void> {
  await order(tx, label);
  await tx.insert(globalScope, books, [toBook(label)]);
}

test("the host's rows and ours commit together", async () => {
  await storage.transaction(async (tx) => {
    await writeBoth(tx, "a");
    expect([await ordersOf(tx), await keptLabels(tx)]).toEqual([["a"], ["a"]]);
  });
  expect([await keptOrders(), await keptLabels(storage)]).toEqual([["a"], ["a"]]);
});

test("the host's rows and ours are undone together", async () => {
  const failing = storage.transaction(async (tx) => {
    await writeBoth(tx, "a");
    throw new RangeError("no");
  });
  await expect(failing).rejects.toThrow(RangeError);
  expect([await keptOrders(), await keptLabels(storage)]).toEqual([[], []]);
});

test("a savepoint undoes the host's rows as well, and lets the transaction go on after an error of the host", async () => {
  await storage.transaction(async (tx) => {
    await writeBoth(tx, "a");
    const savepoint = tx.savepoint(async () => {
      await writeBoth(tx, "b");
      await order(tx, "a");
    });
    await expect(savepoint).rejects.toMatchObject({ code: "23505" });
    await writeBoth(tx, "c");
  });
  expect([await keptOrders(), await keptLabels(storage)]).toEqual([
    ["a", "c"],
    ["a", "c"],
  ]);
});

test("values are read as the host's own pool reads them", async () => {
  await storage.transaction(async (tx) => {
    await order(tx, "a");
    const [row] = (await clientOf(tx).query(`select id, 7::int8 as big, true as flag from ${orders}`)).rows;
    expect(row).toEqual({ id: "1", big: "7", flag: true });
  });
  expect(pg.types.getTypeParser(20)("7")).toBe("7");
});

test("the handle is Kysely, on the same transaction as the connection below it", async () => {
  const table = orders.replaceAll('"', "");
  await storage.transaction(async (tx) => {
    const { native } = tx as Transaction<Kysely<Record<string, { id: Generated<string>; name: string }>>>;
    expect(native).toBe(tx.native);
    const inserted = await native.insertInto(table).values({ name: "a" }).returning(["id", "name"]).executeTakeFirstOrThrow();
    expect(inserted).toEqual({ id: "1", name: "a" });
    const second = await native.insertInto(table).values({ name: "b" }).executeTakeFirstOrThrow();
    expect(second.numInsertedOrUpdatedRows).toBe(1n);
    const update = native.updateTable(table).set({ name: "c" });
    expect((await update.where("name", "=", "b").executeTakeFirstOrThrow()).numUpdatedRows).toBe(1n);
    expect((await native.deleteFrom(table).where("name", "=", "c").executeTakeFirstOrThrow()).numDeletedRows).toBe(1n);
    expect(await native.selectFrom(table).select("name").execute()).toEqual([{ name: "a" }]);
    expect(await ordersOf(tx)).toEqual(["a"]);
    expect((await sql<{ n: number }>`select ${1}::int + 1 as n`.execute(native)).rows).toEqual([{ n: 2 }]);
    expect((await native.introspection.getTables()).some(({ name }) => table.endsWith(name))).toBe(true);
  });
  expect(await keptOrders()).toEqual(["a"]);
});

test("work that runs again gets a handle of its own, and the earlier one runs nothing any more", async () => {
  const handles: Kysely<unknown>[] = [];
  await storage.transaction(async (tx) => {
    handles.push(tx.native);
    await order(tx, `run ${handles.length}`);
    if (handles.length < 3) await sql.raw("do $$ begin raise exception using errcode = '40001'; end $$").execute(tx.native);
  });
  expect(new Set(handles).size).toBe(3);
  for (const handle of handles) await expect(sql`select 1`.execute(handle)).rejects.toThrow("over");
  expect(await keptOrders()).toEqual(["run 3"]);
});

test("a handle begins no transaction of its own, and streams nothing", async () => {
  await storage.transaction(async ({ native }) => {
    await expect(native.transaction().execute(async () => undefined)).rejects.toThrow("inside a transaction");
    const { name } = native.constructor;
    expect(name).toBe("Kysely");
  });
});

test("another query builder may stand on the connection", async () => {
  await storage.transaction(async (tx) => {
    const pool = { connect: async () => clientOf(tx), end: async () => undefined, options: {} };
    const db = new Kysely<Record<string, { name: string }>>({ dialect: new PostgresDialect({ pool }) });
    await db.insertInto(orders.replaceAll('"', "")).values({ name: "a" }).execute();
  });
  expect(await keptOrders()).toEqual(["a"]);
  expect(() => pgClientOf({})).toThrow("takes tx.db");
});

test("a handle is of no use when its transaction is over, and cannot end the connection", async () => {
  const left = await storage.transaction(async (tx) => {
    clientOf(tx).release();
    await expect(Reflect.get(clientOf(tx), "end")()).rejects.toThrow("inside a transaction");
    await order(tx, "a");
    return { tx };
  });
  await expect(order(left.tx, "late")).rejects.toThrow("over");
  await storage.transaction(async (tx) => {
    await expect(order(left.tx, "in the transaction of another")).rejects.toThrow("over");
    expect(await ordersOf(tx)).toEqual(["a"]);
  });
});
