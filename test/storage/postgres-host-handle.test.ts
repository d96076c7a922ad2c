import { Kysely, PostgresDialect } from "kysely";
import { globalScope, type Storage, type Transaction } from "latchkey";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keep, keptLabels } from "../contract/storage/kit.js";
import { books, tables, tenants, tenantsToStart, toBook } from "../contract/storage/tables.js";
import { testDatabase } from "../support/postgres.js";

const database = testDatabase();
type Tx = Transaction<pg.PoolClient>;
let orders: string;
let storage: Storage<pg.PoolClient>;

beforeEach(async () => {
  const schema = database.newSchema();
  orders = `"${schema}".orders`;
  storage = database.newStorage({ schema });
  await storage.open(tables);
  await keep(storage, tenants, tenantsToStart);
  await storage.transaction(({ native }) =>
    native.query(`create table ${orders} (id int8 generated always as identity, name text not null unique)`),
  );
});
afterEach(() => storage.close());

const order = ({ native }: Tx, name: string): Promise<unknown> =>
  native.query(`insert into ${orders} (name) values ($1)`, [name]);
const ordersOf = async ({ native }: Tx): Promise<string[]> =>
  (await native.query(`select name from ${orders} order by id`)).rows.map(({ name }) => name);
const keptOrders = (): Promise<string[]> => storage.transaction(ordersOf);

async function writeBoth(tx: Tx, label: string): Promise<void> {
  await order(tx, label);
  await tx.insert(globalScope, books, [toBook(label)]);
}

test("the host's rows and ours are kept together", async () => {
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
    const [row] = (await tx.native.query(`select id, 7::int8 as big, true as flag from ${orders}`)).rows;
    expect(row).toEqual({ id: "1", big: "7", flag: true });
  });
  expect(pg.types.getTypeParser(20)("7")).toBe("7");
});

test("a query builder may stand on the handle", async () => {
  await storage.transaction(async ({ native }) => {
    const pool = { connect: async () => native, end: async () => undefined, options: {} };
    const db = new Kysely<Record<string, { name: string }>>({ dialect: new PostgresDialect({ pool }) });
    const table = orders.replaceAll('"', "");
    await db.insertInto(table).values({ name: "a" }).execute();
    expect(await db.selectFrom(table).select("name").execute()).toEqual([{ name: "a" }]);
  });
  expect(await keptOrders()).toEqual(["a"]);
});

test("a handle is of no use when its transaction is over, and cannot end the connection", async () => {
  const left = await storage.transaction(async (tx) => {
    tx.native.release();
    await expect(Reflect.get(tx.native, "end")()).rejects.toThrow("inside a transaction");
    await order(tx, "a");
    return { tx };
  });
  await expect(order(left.tx, "late")).rejects.toThrow("over");
  await storage.transaction(async (tx) => {
    await expect(order(left.tx, "in the transaction of another")).rejects.toThrow("over");
    expect(await ordersOf(tx)).toEqual(["a"]);
  });
});
