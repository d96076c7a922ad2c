import {
  type ColumnValue,
  type Criteria,
  type Filter,
  globalScope,
  type SortField,
  type Storage,
  type StoredRecord,
} from "latchkey/ports";
import { expect } from "vitest";
import type { ContractTest } from "./contract-test.js";
import { keep, labelsOf } from "./kit.js";
import { books, idOf, north, shelves, toBook, toRecord } from "./tables.js";

type Between = (pagesSeen: number) => Promise<void>;

/** Walks all pages, each from where the last one ended, and answers the labels in order of appearance. */
async function walk(
  storage: Storage,
  criteria: { readonly sort: readonly SortField[]; readonly limit: number; readonly filter?: Filter },
  between: Between = async () => undefined,
): Promise<string[]> {
  const seen: StoredRecord[] = [];
  let after: Criteria["after"];
  for (let pages = 1; pages < 1_000; pages++) {
    const page = await storage.search(north, books, { ...criteria, offset: 0, ...(after && { after }) });
    seen.push(...page.records);
    if (page.last === undefined) return labelsOf(seen);
    after = page.last;
    await between(pages);
  }
  throw new Error("The walk does not end.");
}

const shelfNames: readonly ColumnValue[] = ["m", "n", null];

/** Every mix of values and nulls, twice each, on named, unnamed and no shelves: 54 books. */
async function fill(storage: Storage): Promise<void> {
  await keep(
    storage,
    shelves,
    shelfNames.map((name, index) => toRecord(`s${index}`, { name })),
  );
  const values = [null, 1, 2].flatMap((pages) => [null, "a", "\u{1f600}"].map((subtitle) => ({ pages, subtitle })));
  const records = Array.from({ length: 54 }, (_, index) => {
    const shelf = index % 5;
    const shelfId = shelf < shelfNames.length ? idOf(`s${shelf}`) : null;
    return toBook(`b${100 + index}`, { ...values[index % values.length], shelfId, isLent: index % 4 === 0 });
  });
  await keep(storage, books, records);
}

const directions = ["asc", "desc"] as const;
const field = (column: string, direction: "asc" | "desc"): SortField =>
  column === "shelf" ? { column: "name", direction, via: { table: "shelves", localColumn: "shelfId" } } : { column, direction };

const orders: readonly (readonly SortField[])[] = [
  [],
  ...directions.flatMap((one) => ["pages", "subtitle", "shelf", "isLent", "id"].map((column) => [field(column, one)])),
  ...directions.flatMap((one) =>
    directions.flatMap((two) => [
      [field("pages", one), field("subtitle", two)],
      [field("shelf", one), field("pages", two), field("isLent", one)],
    ]),
  ),
];

const toText = (sort: readonly SortField[]): string =>
  sort.map(({ column, direction, via }) => `${via === undefined ? column : "shelf"} ${direction}`).join(", ") || "id alone";

const walks: readonly ContractTest[] = orders.map((sort) => ({
  name: `walks each record once, in order: ${toText(sort)}`,
  run: async (storage) => {
    await fill(storage);
    const expected = labelsOf(await storage.find(north, books, undefined, { sort }));
    expect(new Set(expected).size).toBe(54);
    for (const limit of [1, 5, 54]) expect(await walk(storage, { sort, limit })).toEqual(expected);
  },
}));

const byPages: readonly SortField[] = [field("pages", "asc")];

export const keysetTests: readonly ContractTest[] = [
  ...walks,
  {
    name: "walks what passes a filter, and counts it all on every page",
    run: async (storage) => {
      await fill(storage);
      const filter = { op: "equals", column: "isLent", value: true } as const;
      const expected = labelsOf(await storage.find(north, books, filter, { sort: byPages }));
      expect(await walk(storage, { sort: byPages, limit: 3, filter })).toEqual(expected);
      const after = { values: [1], id: idOf("b100") };
      expect((await storage.search(north, books, { sort: byPages, limit: 1, offset: 0, filter, after })).total).toBe(14);
    },
  },
  {
    name: "walks on from a position given as a flag",
    run: async (storage) => {
      await keep(
        storage,
        books,
        ["a", "b", "c", "d"].map((label) => toBook(label, { isLent: label > "b" })),
      );
      const after = { values: [true], id: idOf("c") };
      const criteria = { sort: [field("isLent", "asc")], limit: 5, offset: 0, after };
      expect(labelsOf((await storage.search(north, books, criteria)).records)).toEqual(["d"]);
      const downwards = { ...criteria, sort: [field("isLent", "desc")] };
      expect(labelsOf((await storage.search(north, books, downwards)).records)).toEqual(["d", "a", "b"]);
    },
  },
  {
    name: "walks each record once while others come and go in between",
    run: async (storage) => {
      await keep(
        storage,
        books,
        ["b", "d", "f", "h", "k"].map((label) => toBook(label)),
      );
      const sort = [field("title", "asc")];
      const seen = await walk(storage, { sort, limit: 2 }, async (pages) => {
        if (pages > 1) return;
        await storage.transaction((tx) => tx.remove(north, books, { op: "in", column: "title", values: ["b", "d", "h"] }));
        await keep(
          storage,
          books,
          ["a", "c", "e", "j"].map((label) => toBook(label)),
        );
      });
      expect(seen).toEqual(["b", "d", "e", "f", "j", "k"]);
    },
  },
  {
    name: "walks other records once while one is moved back and forth",
    run: async (storage) => {
      await keep(
        storage,
        books,
        Array.from("abcdef", (label, index) => toBook(label, { pages: index })),
      );
      const seen = await walk(storage, { sort: byPages, limit: 1 }, async (pages) => {
        const moved = toBook("f", { pages: pages % 2 === 0 ? 100 : -1 }, { version: pages + 1 });
        await storage.transaction((tx) => tx.update(globalScope, books, moved));
      });
      expect(seen.filter((label) => label !== "f").join("")).toBe("abcde");
    },
  },
  {
    name: "answers nothing behind the last record",
    run: async (storage) => {
      await fill(storage);
      const after = { values: [2 ** 40], id: idOf("b100") };
      const page = await storage.search(north, books, { sort: byPages, limit: 5, offset: 0, after });
      expect([page.records.length, page.total, page.last]).toEqual([0, 54, undefined]);
    },
  },
];
