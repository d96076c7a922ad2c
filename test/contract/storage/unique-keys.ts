import { type ColumnValue, globalScope, type RecordToStore, StaleVersion, UniqueViolation } from "latchkey/ports";
import { expect } from "vitest";
import type { ContractTest } from "./contract-test.js";
import { keep, keptLabels, rejectionOf } from "./kit.js";
import { books, bookTags, idOf, notes, toBook, toRecord } from "./tables.js";

const kept: readonly RecordToStore[] = [
  toBook("a", { title: "taken", isbn: "1", series: "s", volume: 1 }),
  toBook("b", { title: "other", isbn: "2", series: "s", volume: 2 }),
];

type Case = readonly [what: string, record: RecordToStore, keys: readonly string[]];

const collisions: readonly Case[] = [
  ["its id", toBook("a"), ["id"]],
  ["a key over one column", toBook("c", { isbn: "1" }), ["isbn"]],
  ["a key over two columns", toBook("c", { series: "s", volume: 1 }), ["volume"]],
  ["a key within its tenant", toBook("c", { title: "taken" }), ["title"]],
  ["several keys", toBook("c", { title: "taken", isbn: "1" }), ["isbn", "title"]],
  ["keys of different records", toBook("c", { title: "taken", isbn: "2", series: "s", volume: 2 }), ["isbn", "title", "volume"]],
  [
    "everything, its id included",
    toBook("a", { title: "taken", isbn: "1", series: "s", volume: 1 }),
    ["id", "isbn", "title", "volume"],
  ],
];

const naming: readonly ContractTest[] = collisions.map(([what, record, keys]) => ({
  name: `names every key of a record that collides on ${what}`,
  run: async (storage) => {
    await keep(storage, books, kept);
    const { table, keys: named } = await rejectionOf(keep(storage, books, [record]), UniqueViolation);
    expect([table, [...named].sort()]).toEqual(["books", keys]);
    expect(await keptLabels(storage)).toEqual(["a", "b"]);
  },
}));

const differences: Readonly<Record<string, readonly [ColumnValue, ColumnValue]>> = {
  "differ in case alone": ["key", "Key"],
  "look alike": ["\u00e9", "e\u0301"],
  "differ in a space": ["key", "key "],
  "differ in an accent": ["resume", "resum\u00e9"],
  "are no value": [null, null],
};

const distinct: readonly ContractTest[] = Object.entries(differences).map(([what, [one, two]]) => ({
  name: `lets keys be that ${what}`,
  run: async (storage) => {
    await keep(storage, books, [toBook("a", { isbn: one }), toBook("b", { isbn: two })]);
    expect(await keptLabels(storage)).toEqual(["a", "b"]);
  },
}));

const rules: readonly ContractTest[] = [
  {
    name: "lets two tenants use the same key",
    run: async (storage) => {
      await keep(storage, books, [toBook("a", { title: "same" }), toBook("b", { title: "same" }, { tenantId: idOf("south") })]);
      expect(await keptLabels(storage)).toEqual(["a", "b"]);
    },
  },
  {
    name: "lets keys be that have no value in one of their columns",
    run: async (storage) => {
      await keep(storage, books, [
        toBook("a", { series: "s" }),
        toBook("b", { series: "s" }),
        toBook("c", { volume: 1 }),
        toBook("d", { volume: 1 }),
      ]);
      const details = { tenantId: null };
      await keep(storage, notes, [toRecord("n", { text: "same" }, details), toRecord("o", { text: "same" }, details)]);
      expect([await keptLabels(storage), await keptLabels(storage, undefined, notes)]).toEqual([
        ["a", "b", "c", "d"],
        ["n", "o"],
      ]);
    },
  },
  {
    name: "keeps nothing of an insert of which one record collides, and lets the transaction go on",
    run: async (storage) => {
      await keep(storage, books, kept);
      await storage.transaction(async (tx) => {
        const insert = tx.insert(globalScope, books, [toBook("c"), toBook("d", { isbn: "1" }), toBook("e")]);
        expect(await rejectionOf(insert, UniqueViolation)).toMatchObject({ keys: ["isbn"] });
        expect(await keptLabels(tx)).toEqual(["a", "b"]);
        await tx.insert(globalScope, books, [toBook("f")]);
      });
      expect(await keptLabels(storage)).toEqual(["a", "b", "f"]);
    },
  },
  {
    name: "refuses records of one insert that collide with each other",
    run: async (storage) => {
      const byKey = await rejectionOf(
        keep(storage, books, [toBook("a", { isbn: "1" }), toBook("b", { isbn: "1" })]),
        UniqueViolation,
      );
      const byId = await rejectionOf(keep(storage, books, [toBook("a"), toBook("a", { title: "else" })]), UniqueViolation);
      expect([byKey.keys, byId.keys, await keptLabels(storage)]).toEqual([["isbn"], ["id"], []]);
    },
  },
  {
    name: "refuses an update that collides, and keeps the record as it was",
    run: async (storage) => {
      await keep(storage, books, kept);
      const changed = toBook("b", { title: "taken", isbn: "1", series: "s", volume: 2 }, { version: 2 });
      await storage.transaction(async (tx) => {
        const { keys } = await rejectionOf(tx.update(globalScope, books, changed), UniqueViolation);
        expect([...keys].sort()).toEqual(["isbn", "title"]);
      });
      expect(await keptLabels(storage, { op: "equals", column: "title", value: "other" })).toEqual(["b"]);
    },
  },
  {
    name: "lets an update keep the record's own keys",
    run: async (storage) => {
      await keep(storage, books, kept);
      const changed = toBook("a", { title: "taken", isbn: "1", series: "s", volume: 3 }, { version: 2 });
      await storage.transaction((tx) => tx.update(globalScope, books, changed));
      expect(await keptLabels(storage, { op: "equals", column: "volume", value: 3 })).toEqual(["a"]);
    },
  },
  {
    name: "calls an update stale first, even where it collides too",
    run: async (storage) => {
      await keep(storage, books, kept);
      const stale = toBook("b", { title: "taken" }, { version: 9 });
      await rejectionOf(
        storage.transaction((tx) => tx.update(globalScope, books, stale)),
        StaleVersion,
      );
    },
  },
  {
    name: "frees the keys of a record that was removed or changed in the same transaction",
    run: async (storage) => {
      await keep(storage, books, kept);
      await storage.transaction(async (tx) => {
        await tx.remove(globalScope, books, { op: "equals", column: "isbn", value: "1" });
        await tx.update(globalScope, books, toBook("b", { title: "taken" }, { version: 2 }));
        await tx.insert(globalScope, books, [toBook("c", { title: "other", isbn: "1" })]);
      });
      expect(await keptLabels(storage)).toEqual(["b", "c"]);
    },
  },
  {
    name: "knows the keys of a table with a name of two words",
    run: async (storage) => {
      await keep(storage, books, [toBook("a")]);
      await keep(storage, bookTags, [toRecord("t", { bookId: idOf("a"), tag: "x" })]);
      const again = keep(storage, bookTags, [toRecord("u", { bookId: idOf("a"), tag: "x" })]);
      expect(await rejectionOf(again, UniqueViolation)).toMatchObject({ table: "bookTags", keys: ["tag"] });
    },
  },
];

export const uniqueKeyTests: readonly ContractTest[] = [...naming, ...distinct, ...rules];
