import { globalScope, type Storage, type Transaction, UniqueViolation } from "latchkey/ports";
import { expect } from "vitest";
import type { ContractTest } from "./contract-test.js";
import { keep, keptLabels, rejectionOf } from "./kit.js";
import { books, bookTags, idOf, north, toBook, toRecord } from "./tables.js";

const concurrent = 200;

async function addPage(storage: Storage): Promise<void> {
  await storage.transaction(async (tx) => {
    const { version } = (await tx.retrieve(north, books, idOf("one"))) ?? { version: 0 };
    await tx.update(north, books, toBook("one", { pages: version }, { version: version + 1 }));
  });
}

async function writeEverything(tx: Transaction): Promise<void> {
  await tx.insert(globalScope, books, [toBook("new")]);
  await tx.update(globalScope, books, toBook("a", { title: "changed" }, { version: 2 }));
  await tx.remove(globalScope, books, { op: "equals", column: "title", value: "b" });
}

const endings: Readonly<Record<string, (tx: Transaction) => Promise<void>>> = {
  "whose work rejects": () => Promise.reject(new RangeError("no")),
  "whose work throws at once": () => {
    throw new RangeError("no");
  },
  "whose savepoint's failure is not caught": (tx) => tx.savepoint(() => Promise.reject(new RangeError("no"))),
};

const undone: readonly ContractTest[] = Object.entries(endings).map(([which, end]) => ({
  name: `keeps nothing of a transaction ${which}, and passes the very error on`,
  run: async (storage) => {
    await keep(storage, books, [toBook("a"), toBook("b")]);
    const failing = storage.transaction(async (tx) => {
      await writeEverything(tx);
      await end(tx);
    });
    expect(await rejectionOf(failing, RangeError)).toMatchObject({ message: "no" });
    expect(await keptLabels(storage)).toEqual(["a", "b"]);
    expect(await keptLabels(storage, { op: "equals", column: "title", value: "a" })).toEqual(["a"]);
  },
}));

export const transactionTests: readonly ContractTest[] = [
  {
    name: "keeps all writes of a transaction and resolves with what its work resolved with",
    run: async (storage) => {
      await keep(storage, books, [toBook("a"), toBook("b")]);
      const result = await storage.transaction(async (tx) => {
        await writeEverything(tx);
        return "done";
      });
      expect([result, await keptLabels(storage)]).toEqual(["done", ["a", "new"]]);
      expect(await keptLabels(storage, { op: "equals", column: "title", value: "changed" })).toEqual(["a"]);
    },
  },
  ...undone,
  {
    name: "lets a transaction go on after a write that was refused",
    run: async (storage) => {
      await keep(storage, books, [toBook("a")]);
      await storage.transaction(async (tx) => {
        await tx.insert(globalScope, books, [toBook("b")]);
        await rejectionOf(tx.insert(globalScope, books, [toBook("a")]), UniqueViolation);
        await tx.insert(globalScope, books, [toBook("c")]);
      });
      expect(await keptLabels(storage)).toEqual(["a", "b", "c"]);
    },
  },
  {
    name: `loses no update when ${concurrent} transactions read and write the same record at once`,
    run: async (storage) => {
      await keep(storage, books, [toBook("one")]);
      await Promise.all(Array.from({ length: concurrent }, () => addPage(storage)));
      expect(await storage.retrieve(north, books, idOf("one"))).toMatchObject({ version: 1 + concurrent });
      expect(await keptLabels(storage, { op: "equals", column: "pages", value: concurrent })).toEqual(["one"]);
    },
  },
  {
    name: "undoes of many concurrent transactions just those that fail",
    run: async (storage) => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 40 }, (_, index) =>
          storage.transaction(async (tx) => {
            await tx.insert(globalScope, books, [toBook(`n${100 + index}`)]);
            if (index % 3 === 0) throw new RangeError(String(index));
            return index;
          }),
        ),
      );
      const failed = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [String(outcome.reason.message)] : []));
      expect(failed).toEqual(Array.from({ length: 14 }, (_, index) => String(index * 3)));
      const kept = Array.from({ length: 40 }, (_, index) => index).filter((index) => index % 3 !== 0);
      expect(await keptLabels(storage)).toEqual(kept.map((index) => `n${100 + index}`));
    },
  },
  {
    name: "lets one of two concurrent transactions have a key",
    run: async (storage) => {
      const outcomes = await Promise.allSettled(["a", "b"].map((label) => keep(storage, books, [toBook(label, { isbn: "1" })])));
      expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(await keptLabels(storage)).toHaveLength(1);
    },
  },
  {
    name: "refuses to write through a transaction that is over",
    run: async (storage) => {
      const leftOver = await storage.transaction(async (tx) => ({ tx }));
      await rejectionOf(leftOver.tx.insert(globalScope, books, [toBook("late")]), Error);
      await rejectionOf(leftOver.tx.remove(globalScope, books, undefined), Error);
      const late = leftOver.tx.savepoint(() => leftOver.tx.insert(globalScope, books, [toBook("late")]));
      await rejectionOf(late, Error);
      await keep(storage, books, [toBook("a")]);
      expect(await keptLabels(storage)).toEqual(["a"]);
    },
  },
  {
    name: "keeps records of several tables in one transaction",
    run: async (storage) => {
      const failing = storage.transaction(async (tx) => {
        await tx.insert(globalScope, books, [toBook("a")]);
        await tx.insert(globalScope, bookTags, [toRecord("t", { bookId: idOf("a"), tag: "x" })]);
        throw new RangeError("no");
      });
      await rejectionOf(failing, RangeError);
      expect([await keptLabels(storage), await keptLabels(storage, undefined, bookTags)]).toEqual([[], []]);
    },
  },
];
