// Inserts in a host's transaction, whose answers nobody waits for (src/ports/storage.ts: mayCollideLate).
import type { Kysely } from "kysely";
import { globalScope, type Storage, type Transaction, UniqueViolation } from "latchkey/ports";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { keep, keptLabels, rejectionOf } from "../contract/storage/kit.js";
import { books, bookTags, idOf, tables, tenants, tenantsToStart, toBook, toRecord } from "../contract/storage/tables.js";
import { turns } from "../support/eventually.js";
import { clientOf, testDatabase } from "../support/postgres.js";

const { newStorage } = testDatabase();
type Tx = Transaction<Kysely<unknown>>;
let storage: Storage<Kysely<unknown>>;

beforeEach(async () => {
  storage = newStorage();
  await storage.open(tables);
  await keep(storage, tenants, tenantsToStart);
});
afterEach(() => storage.close());

describe("inserts that do not wait for their answers", () => {
  /** Runs work that may collide late, and returns how often it ran. */
  async function runLate(work: (tx: Tx, run: number) => Promise<void>): Promise<number> {
    let runs = 0;
    await storage.transaction((tx) => work(tx, ++runs), { mayCollideLate: true });
    return runs;
  }
  const labels = Array.from({ length: 50 }, (_, index) => `b${100 + index}`);
  const add = (tx: Tx, label: string) => tx.insert(globalScope, books, [toBook(label)]);

  test("are stored in their order, and read by what comes after them", async () => {
    const runs = await runLate(async (tx) => {
      for (const label of labels) {
        await add(tx, label);
        expect((await tx.retrieve(globalScope, books, idOf(label)))?.id).toBe(idOf(label));
      }
    });
    expect([runs, await keptLabels(storage)]).toEqual([1, labels]);
  });

  test("run again where a record collides, and are then refused one by one", async () => {
    await keep(storage, books, [toBook("b120")]);
    const refused: string[][] = [[], []];
    const runs = await runLate(async (tx, run) => {
      for (const label of labels)
        await tx.savepoint(() => add(tx, label)).catch((error) => refused[run - 1]?.push(`${label} ${error.name}`));
    });
    expect([runs, refused[1]]).toEqual([2, ["b120 UniqueViolation"]]);
    expect(await keptLabels(storage)).toEqual(labels);
  });

  test("reject with the collision where the work does not catch it, and store nothing", async () => {
    await keep(storage, books, [toBook("b120")]);
    await rejectionOf(
      runLate(async (tx) => {
        for (const label of labels) await add(tx, label);
      }),
      UniqueViolation,
    );
    expect(await keptLabels(storage)).toEqual(["b120"]);
  });

  test("run again for a collision, though the work rejects with an error of its own", async () => {
    await keep(storage, books, [toBook("a")]);
    const runs: number[] = [];
    const failing = runLate(async (tx, run) => {
      runs.push(run);
      await add(tx, "a");
      throw new Error("of the work itself");
    });
    await rejectionOf(failing, UniqueViolation);
    expect(runs).toEqual([1, 2]);
  });

  test("are undone with their savepoint, one inside of another too", async () => {
    const runs = await runLate(async (tx) => {
      await add(tx, "a");
      const undone = tx.savepoint(async () => {
        await add(tx, "b");
        await tx.savepoint(() => add(tx, "c"));
        throw new Error("undo");
      });
      await expect(undone).rejects.toThrow("undo");
      await tx.savepoint(() => add(tx, "d"));
    });
    expect([runs, await keptLabels(storage)]).toEqual([1, ["a", "d"]]);
  });

  const addMany = (tx: Tx, some: readonly string[]) =>
    tx.insert(
      globalScope,
      books,
      some.map((label) => toBook(label)),
    );

  test("of many records at once are stored, and read by what comes after them", async () => {
    const runs = await runLate(async (tx) => {
      await addMany(tx, labels.slice(0, 20));
      await add(tx, labels[20] ?? "");
      await addMany(tx, labels.slice(21, 40));
      expect(await keptLabels(tx)).toEqual(labels.slice(0, 40));
      await addMany(tx, labels.slice(40));
    });
    expect([runs, await keptLabels(storage)]).toEqual([1, labels]);
  });

  test("of many records at once run again where one collides, and are then refused together", async () => {
    await keep(storage, books, [toBook("b120")]);
    const refused: string[] = [];
    const runs = await runLate(async (tx, run) => {
      await addMany(tx, labels.slice(0, 10));
      const colliding = tx.savepoint(() => addMany(tx, labels.slice(10, 30)));
      await colliding.catch((error) => refused.push(`${run} ${error.name}`));
      await addMany(tx, labels.slice(30));
    });
    expect([runs, refused.at(-1)]).toEqual([2, "2 UniqueViolation"]);
    expect(await keptLabels(storage)).toEqual([...labels.slice(0, 10), "b120", ...labels.slice(30)]);
  });

  test("of many records at once are undone with their savepoint, as are single ones before and after them", async () => {
    const runs = await runLate(async (tx) => {
      await addMany(tx, labels.slice(0, 10));
      const undone = tx.savepoint(async () => {
        await add(tx, "a");
        await addMany(tx, labels.slice(10, 30));
        await add(tx, "b");
        throw new Error("undo");
      });
      await expect(undone).rejects.toThrow("undo");
      await addMany(tx, labels.slice(30));
    });
    expect([runs, await keptLabels(storage)]).toEqual([1, [...labels.slice(0, 10), ...labels.slice(30)]]);
  });

  test("are known to hold once they have settled", async () => {
    await keep(storage, books, [toBook("a")]);
    const effects: string[] = [];
    const failing = runLate(async (tx) => {
      await add(tx, "b");
      await tx.settle?.();
      effects.push("b");
      await add(tx, "a");
      await tx.settle?.();
      effects.push("a");
    });
    await rejectionOf(failing, UniqueViolation);
    expect(effects).toEqual(["b", "b"]);
  });

  test("fail where a reference does not hold, with the database's own error as the cause", async () => {
    const orphan = runLate((tx) => tx.insert(globalScope, bookTags, [toRecord("t", { bookId: idOf("nowhere"), tag: "x" })]));
    await expect(orphan).rejects.toMatchObject({ name: "ReferenceViolation", cause: { code: "23503" } });
  });

  test("wait for each answer while the host has statements of its own", async () => {
    await keep(storage, books, [toBook("a")]);
    const runs = await runLate(async (tx) => {
      const client = clientOf(tx);
      await rejectionOf(
        tx.savepoint(() => add(tx, "a")),
        UniqueViolation,
      );
      await client.query("select 1");
    });
    expect(runs).toBe(1);
  });

  // An embedded server has one connection, which reads share with the transaction that has it.
  test("collide without a reader outside of the transaction seeing that", async () => {
    await keep(storage, books, [toBook("b120")]);
    const readers: Promise<unknown>[] = [];
    await runLate(async (tx) => {
      const adding = tx.savepoint(() => addMany(tx, labels)).catch(() => undefined);
      for (let turn = 0; turn < 20; turn++) {
        readers.push(storage.retrieve(globalScope, books, idOf("b120")));
        await turns(1);
      }
      await adding;
    });
    for (const read of await Promise.all(readers)) expect(read).toMatchObject({ id: idOf("b120") });
  });

  test("end a transaction that waits for a reader outside of it, once they collide", async () => {
    await keep(storage, books, [toBook("a")]);
    const runs = await runLate(async (tx) => {
      await add(tx, "b");
      await add(tx, "a").catch(() => undefined);
      await storage.retrieve(globalScope, books, idOf("a"));
    }).catch((error: Error) => error.name);
    expect(runs).toBe(2);
  });
});
