import { type Generated, type Kysely, sql } from "kysely";
import { memoryStorage } from "latchkey/memory";
import { globalScope, type Storage, type Transaction } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keep, keptLabels } from "../contract/storage/kit.js";
import { books, tables, tenants, tenantsToStart, toBook } from "../contract/storage/tables.js";
import { temporaryFiles } from "./support/temporary-files.js";

/** The host's own tables, beside ours. */
interface HostDatabase {
  readonly orders: { readonly id: Generated<number>; readonly name: string };
}
type Host = Kysely<HostDatabase>;

const newFile = temporaryFiles();
let storage: Storage<Host>;

beforeEach(async () => {
  storage = sqliteStorage<HostDatabase>({ filename: newFile() });
  await storage.open(tables);
  await keep(storage, tenants, tenantsToStart);
  await storage.transaction(({ native }) =>
    native.schema
      .createTable("orders")
      .addColumn("id", "integer", (column) => column.primaryKey())
      .addColumn("name", "text", (column) => column.notNull().unique())
      .execute(),
  );
});
afterEach(() => storage.close());

const order = (db: Host, name: string): Promise<unknown> => db.insertInto("orders").values({ name }).execute();
const orders = async (db: Host): Promise<string[]> =>
  (await db.selectFrom("orders").select("name").orderBy("id").execute()).map(({ name }) => name);
const keptOrders = (): Promise<string[]> => storage.transaction((tx) => orders(tx.native));

async function writeBoth(tx: Transaction<Host>, label: string): Promise<void> {
  await order(tx.native, label);
  await tx.insert(globalScope, books, [toBook(label)]);
}

test("the host's rows and ours commit together", async () => {
  await storage.transaction(async (tx) => {
    await writeBoth(tx, "a");
    expect([await orders(tx.native), await keptLabels(tx)]).toEqual([["a"], ["a"]]);
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

test("a savepoint undoes the host's rows as well", async () => {
  await storage.transaction(async (tx) => {
    await writeBoth(tx, "a");
    const savepoint = tx.savepoint(async () => {
      await writeBoth(tx, "b");
      throw new RangeError("undo");
    });
    await savepoint.catch(() => undefined);
    await writeBoth(tx, "c");
  });
  expect([await keptOrders(), await keptLabels(storage)]).toEqual([
    ["a", "c"],
    ["a", "c"],
  ]);
});

test("a transaction of the host that fails undoes nothing of one that waits with it", async () => {
  const outcomes = await Promise.allSettled([
    storage.transaction((tx) => writeBoth(tx, "a")),
    storage.transaction(async (tx) => {
      await writeBoth(tx, "b");
      await order(tx.native, "b");
    }),
    storage.transaction((tx) => writeBoth(tx, "c")),
  ]);
  expect(outcomes.map((outcome) => outcome.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect([await keptOrders(), await keptLabels(storage)]).toEqual([
    ["a", "c"],
    ["a", "c"],
  ]);
});

test("the host sees the database's own error of its own statement, and may go on", async () => {
  await storage.transaction(async (tx) => {
    await order(tx.native, "a");
    await expect(order(tx.native, "a")).rejects.toMatchObject({ code: "SQLITE_CONSTRAINT_UNIQUE" });
    await expect(sql`not even SQL`.execute(tx.native)).rejects.toMatchObject({ code: "SQLITE_ERROR" });
    await order(tx.native, "b");
  });
  expect(await keptOrders()).toEqual(["a", "b"]);
});

test("the host's statements answer as those of Kysely's own SQLite dialect do", async () => {
  await storage.transaction(async ({ native }) => {
    const inserted = await native.insertInto("orders").values({ name: "a" }).executeTakeFirstOrThrow();
    expect(inserted).toMatchObject({ insertId: 1n, numInsertedOrUpdatedRows: 1n });
    const returned = await native.insertInto("orders").values({ name: "b" }).returning(["id", "name"]).execute();
    expect(returned).toEqual([{ id: 2, name: "b" }]);
    const update = native.updateTable("orders").set({ name: "c" });
    expect((await update.where("id", "=", 1).executeTakeFirstOrThrow()).numUpdatedRows).toBe(1n);
    const removed = await native.deleteFrom("orders").executeTakeFirstOrThrow();
    expect(removed.numDeletedRows).toBe(2n);
    expect((await native.introspection.getTables()).map(({ name }) => name)).toContain("orders");
  });
});

test("one transaction returns the same handle each time", async () => {
  await storage.transaction(async (tx) => {
    expect(tx.native).toBe(tx.native);
  });
});

test("a handle is of no use when its transaction is over", async () => {
  const { native } = await storage.transaction(async (tx) => ({ native: tx.native }));
  const failed = Promise.withResolvers<Host>();
  await storage
    .transaction(async (tx) => {
      failed.resolve(tx.native);
      throw new RangeError("no");
    })
    .catch(() => undefined);
  for (const handle of [native, await failed.promise]) {
    await expect(order(handle, "late")).rejects.toThrow("over");
    await expect(orders(handle)).rejects.toThrow("over");
  }
  await storage.transaction(async (tx) => {
    await expect(order(native, "in the transaction of another")).rejects.toThrow("over");
    expect(await orders(tx.native)).toEqual([]);
  });
});

test("a handle begins no transaction of its own, and streams nothing", async () => {
  await storage.transaction(async ({ native }) => {
    await expect(native.transaction().execute(async () => undefined)).rejects.toThrow("inside a transaction");
    await expect(native.selectFrom("orders").selectAll().stream().next()).rejects.toThrow("not supported");
    await order(native, "a");
  });
  expect(await keptOrders()).toEqual(["a"]);
});

test("the memory storage has no handle", async () => {
  const memory = memoryStorage();
  expect(await memory.transaction(async (tx) => [tx.native])).toEqual([undefined]);
  await memory.close();
});
