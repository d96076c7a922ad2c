import { type ColumnValue, globalScope, type SortField } from "latchkey/ports";
import { expect } from "vitest";
import type { ContractTest } from "./contract-test.js";
import { keep, labelsOf } from "./kit.js";
import { books, idOf, north, shelves, toBook, toRecord } from "./tables.js";

const texts = [
  "",
  " ",
  "!",
  "10",
  "9",
  "A",
  "Z",
  "_",
  "a",
  "a ",
  "aa",
  "ab",
  "a\u0301",
  "\u00e0",
  "\u00df",
  "\u0131",
  "\u03c3",
  "\u0430",
  "\u4e00",
  "\ud7ff",
  "\ue000",
  "\uff5e",
  "\ufffd",
  "\uffff",
  "\u{10000}",
  "\u{10428}",
  "\u{1f600}",
  "\u{1f600}a",
  "\u{10ffff}",
];
const numbers = [0, 1, -1, 2, 10, 9, -10, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER];

/** The way up in each column. Texts go by code point, which is the order of their bytes in UTF-8. */
const ascending: Readonly<Record<string, readonly ColumnValue[]>> = {
  subtitle: [null, ...texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))],
  pages: [null, ...numbers.toSorted((a, b) => a - b)],
  isLent: [false, true],
};

const shuffled = <T>(values: readonly T[]): T[] => values.toSorted((a, b) => hash(a) - hash(b));
const hash = (value: unknown): number =>
  Array.from(JSON.stringify(value)).reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973, 7);

const byColumn: readonly ContractTest[] = Object.entries(ascending).flatMap(([column, values]) =>
  (["asc", "desc"] as const).map((direction) => ({
    name: `orders by the column ${column}, ${direction}, with records without a value ${direction === "asc" ? "first" : "last"}`,
    run: async (storage) => {
      const records = shuffled(values).map((value, index) =>
        toBook(`n${100 + index}`, { [column]: value }, { json: JSON.stringify({ label: value }) }),
      );
      await keep(storage, books, records);
      const sort: SortField[] = [{ column, direction }];
      const expected = direction === "asc" ? values : values.toReversed();
      expect(labelsOf(await storage.find(north, books, undefined, { sort }))).toEqual(expected);
      const page = await storage.search(globalScope, books, { sort, limit: 99, offset: 0 });
      expect(labelsOf(page.records)).toEqual(expected);
      expect(page.last?.id).toBe(page.records.at(-1)?.id);
    },
  })),
);

type Case = readonly [what: string, sort: readonly SortField[], order: string];

const asc = (column: string): SortField => ({ column, direction: "asc" });
const desc = (column: string): SortField => ({ column, direction: "desc" });
const byShelf = (direction: "asc" | "desc"): SortField => ({
  column: "name",
  direction,
  via: { table: "shelves", localColumn: "shelfId" },
});

/** Titles a to f; pages 1 1 2 2 and twice none; shelves: y (lower), x (upper), z (no name), none. */
const severalFields: readonly Case[] = [
  ["no field, which leaves the id", [], "abcdef"],
  ["one field, ties by id", [asc("pages")], "efabcd"],
  ["one field downwards, ties by id upwards", [desc("pages")], "cdabef"],
  ["two fields", [asc("pages"), desc("title")], "febadc"],
  ["two fields downwards", [desc("pages"), desc("title")], "dcbafe"],
  ["the id downwards", [desc("id")], "fedcba"],
  ["an instant", [desc("insertInstant")], "fedcba"],
  ["a flag, then the id", [desc("isLent"), desc("id")], "fdbeca"],
  ["a field of the record that a reference points to", [byShelf("asc")], "efbdac"],
  ["such a field downwards", [byShelf("desc")], "acbdef"],
  ["such a field and one of its own", [byShelf("asc"), desc("title")], "fedbca"],
  ["the same field twice", [asc("pages"), desc("pages")], "efabcd"],
];

const bySeveral: readonly ContractTest[] = severalFields.map(([what, sort, order]) => ({
  name: `orders by ${what}`,
  run: async (storage) => {
    const names = { x: "upper", y: "lower", z: null };
    await keep(
      storage,
      shelves,
      Object.entries(names).map(([label, name]) => toRecord(label, { name })),
    );
    const pages = [1, 1, 2, 2, null, null];
    const shelfIds = ["x", "y", "x", "y", "z", undefined].map((label) => (label === undefined ? null : idOf(label)));
    const records = Array.from("abcdef", (label, index) =>
      toBook(
        label,
        { pages: pages[index] ?? null, shelfId: shelfIds[index] ?? null, isLent: index % 2 === 1 },
        { insertInstant: index },
      ),
    );
    await keep(storage, books, shuffled(records));
    expect(labelsOf(await storage.find(north, books, undefined, { sort })).join("")).toBe(order);
    const page = await storage.search(north, books, { sort, limit: 99, offset: 0 });
    expect(labelsOf(page.records).join("")).toBe(order);
  },
}));

const byStart: ContractTest = {
  name: "orders by the first characters of a text, and continues behind a text of the same start",
  run: async (storage) => {
    const texts = ["ab\u{1f600}9", "ab\u{1f600}1", "b", "ab", "ab\u{1f600}5", "ab\uffff"];
    await keep(
      storage,
      books,
      texts.map((subtitle, index) => toBook("abcdef".charAt(index), { subtitle })),
    );
    for (const [direction, order] of [
      ["asc", "dfabec"],
      ["desc", "cabefd"],
    ] as const) {
      const sort: SortField[] = [{ column: "subtitle", direction, maxLength: 3 }];
      expect(labelsOf(await storage.find(north, books, undefined, { sort })).join("")).toBe(order);
      const first = await storage.search(north, books, { sort, limit: 3, offset: 0 });
      const page = { sort, limit: 9, offset: 0, ...(first.last && { after: first.last }) };
      const rest = await storage.search(north, books, page);
      expect(labelsOf([...first.records, ...rest.records]).join("")).toBe(order);
      expect(first.last?.values).toEqual(["ab\u{1f600}"]);
    }
  },
};

export const orderTests: readonly ContractTest[] = [...byColumn, ...bySeveral, byStart];
