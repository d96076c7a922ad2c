import type { Kysely } from "kysely";
import { globalScope, type RecordToStore, type Storage, StorageUnavailable, type Table, type Transaction } from "latchkey/ports";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { keep, keptLabels, rejectionOf } from "../contract/storage/kit.js";
import {
  books,
  bookTags,
  entries,
  idOf,
  north,
  tables,
  tenants,
  tenantsToStart,
  toBook,
  toRecord,
} from "../contract/storage/tables.js";
import { clientOf, testDatabase } from "../support/postgres.js";

const { newStorage } = testDatabase();
type Tx = Transaction<Kysely<unknown>>;
let storage: Storage<Kysely<unknown>>;

/** A log whose records may have a tenant. */
const trail: Table = { ...entries, name: "trail", tenancy: "optional" };

beforeEach(async () => {
  storage = newStorage();
  await storage.open([...tables, trail]);
  await keep(storage, tenants, tenantsToStart);
});
afterEach(() => storage.close());

const many = Array.from({ length: 60 }, (_, index) => index);
const raise = (state: string): string => `do $$ begin raise exception using errcode = '${state}'; end $$`;

async function increment(tx: Tx, label: string): Promise<void> {
  const { version } = (await tx.retrieve(north, books, idOf(label))) ?? { version: 0 };
  await tx.update(north, books, toBook(label, { pages: version }, { version: version + 1 }));
}

describe("transactions side by side", () => {
  test("do not rely on what another one changes: of many that want to be the only book, one is", async () => {
    const outcomes = await Promise.all(
      many.map((index) =>
        storage.transaction(async (tx) => {
          if ((await tx.find(globalScope, books, undefined, { limit: 1 })).length > 0) return false;
          await tx.insert(globalScope, books, [toBook(`b${index}`)]);
          return true;
        }),
      ),
    );
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    expect(await keptLabels(storage)).toHaveLength(1);
  });

  test("leave no reference to what is removed meanwhile, though the database does not know the reference", async () => {
    const labels = many.slice(0, 20).map((index) => `b${100 + index}`);
    await keep(
      storage,
      books,
      labels.map((label) => toBook(label)),
    );
    const refer = (label: string) => async (tx: Tx) => {
      if ((await tx.retrieve(north, books, idOf(label))) !== undefined) await tx.insert(globalScope, entries, [toEntry(label)]);
    };
    const remove = (label: string) => async (tx: Tx) => {
      const referring = await tx.find(globalScope, entries, { op: "equals", column: "text", value: label });
      if (referring.length === 0) await tx.remove(globalScope, books, { op: "equals", column: "title", value: label });
    };
    await Promise.all(labels.flatMap((label) => [storage.transaction(refer(label)), storage.transaction(remove(label))]));
    const kept = await keptLabels(storage);
    for (const label of await keptLabels(storage, undefined, entries)) expect(kept).toContain(label);
  });

  test("all change the same two records, in any order, and none is lost", async () => {
    await keep(storage, books, [toBook("a"), toBook("b")]);
    await Promise.all(
      many.map((index) =>
        storage.transaction(async (tx) => {
          for (const label of index % 2 === 0 ? ["a", "b"] : ["b", "a"]) await increment(tx, label);
        }),
      ),
    );
    for (const label of ["a", "b"])
      expect(await storage.retrieve(north, books, idOf(label))).toMatchObject({ version: 1 + many.length });
  });

  test("that add and take leave out and repeat nothing", async () => {
    const labels = many.map((index) => `e${100 + index}`);
    const taken: string[] = [];
    const take = async (): Promise<void> => {
      const records = await storage.transaction((tx) => tx.take(entries, 7));
      taken.push(...records.map(({ json }) => JSON.parse(json).label));
    };
    await Promise.all(labels.flatMap((label) => [keep(storage, entries, [toEntry(label)]), take()]));
    while (taken.length < labels.length) await take();
    expect(taken.sort()).toEqual(labels);
  });
});

const toEntry = (label: string): RecordToStore => toRecord(label, { text: label }, { tenantId: null });

describe("work that met another transaction", () => {
  /** Runs work that meets another transaction so many times. */
  async function meet(times: number, state: string, work: (tx: Tx) => Promise<void>): Promise<number> {
    let runs = 0;
    await storage.transaction(async (tx) => {
      runs++;
      await work(tx);
      if (runs <= times) await clientOf(tx).query(raise(state));
    });
    return runs;
  }

  test.each(["40001", "40P01"])("runs again after the error %s, and its callbacks are called once", async (state) => {
    const calls: string[] = [];
    const runs = await meet(3, state, async (tx) => {
      tx.afterCommit(() => calls.push("called"));
      await tx.insert(globalScope, books, [toBook("a")]);
    });
    expect([runs, calls, await keptLabels(storage)]).toEqual([4, ["called"], ["a"]]);
  });

  test("runs again though it made something else of the error, or nothing", async () => {
    let runs = 0;
    const result = await storage.transaction(async (tx) => {
      runs++;
      const met = tx.savepoint(async () => void (runs === 1 && (await clientOf(tx).query(raise("40001")))));
      if (runs === 1) await expect(met).rejects.toMatchObject({ code: "40001" });
      return tx.insert(globalScope, books, [toBook(`r${runs}`)]).then(
        () => "inserted",
        () => "refused",
      );
    });
    expect([runs, result, await keptLabels(storage)]).toEqual([2, "inserted", ["r2"]]);
  });

  test("is given up after many runs, for the caller to try later", async () => {
    const met = storage.transaction((tx) => clientOf(tx).query(raise("40001")));
    expect((await rejectionOf(met, StorageUnavailable)).cause).toMatchObject({ code: "40001" });
    await keep(storage, books, [toBook("a")]);
  });

  test("is given up soon where a reference does not hold, with the database's own error as the cause", async () => {
    let runs = 0;
    const orphan = storage.transaction(async (tx) => {
      runs++;
      await tx.insert(globalScope, bookTags, [toRecord("t", { bookId: idOf("nowhere"), tag: "x" })]);
    });
    await expect(orphan).rejects.toMatchObject({ name: "ReferenceViolation", cause: { code: "23503" } });
    expect(runs).toBe(3);
  });
});

test("a record of a log, whose answer is not waited for, fails its transaction where a reference does not hold", async () => {
  let runs = 0;
  const orphan = storage.transaction(async (tx) => {
    runs++;
    await tx.insert(globalScope, books, [toBook("a")]);
    await tx.insert(globalScope, trail, [toRecord("t", { text: "x" }, { tenantId: idOf("nobody") })]);
  });
  await expect(orphan).rejects.toMatchObject({ name: "ReferenceViolation", cause: { code: "23503" } });
  expect([runs, await keptLabels(storage), await keptLabels(storage, undefined, trail)]).toEqual([3, [], []]);
  await keep(storage, trail, [toRecord("t", { text: "x" })]);
  expect(await keptLabels(storage, undefined, trail)).toEqual(["t"]);
});

test("a transaction whose statement failed is not kept, even if nobody minded the error", async () => {
  const careless = storage.transaction(async (tx) => {
    await tx.insert(globalScope, books, [toBook("a")]);
    await clientOf(tx)
      .query("not even SQL")
      .catch(() => undefined);
  });
  await expect(careless).rejects.toMatchObject({ code: "42601" });
  expect(await keptLabels(storage)).toEqual([]);
});

test("nothing is written any more when the host has ended the transaction by itself", async () => {
  const ended = storage.transaction(async (tx) => {
    await clientOf(tx).query("rollback");
    await tx.savepoint(async () => undefined);
    await clientOf(tx).query("select 1");
    await rejectionOf(tx.insert(globalScope, books, [toBook("a")]), StorageUnavailable);
  });
  await rejectionOf(ended, StorageUnavailable);
  expect(await keptLabels(storage)).toEqual([]);
});
