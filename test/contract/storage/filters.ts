import { type ColumnValue, type Filter, globalScope, type Storage, tenantScope } from "latchkey/ports";
import { expect } from "vitest";
import type { ContractTest } from "./contract-test.js";
import { keep, keptLabels, labelsOf } from "./kit.js";
import { books, bookTags, idOf, north, shelves, toBook, toRecord } from "./tables.js";

/** Four books: two on shelf x, one on shelf y, one on none; b has neither subtitle nor pages. */
export async function fill(storage: Storage): Promise<void> {
  await keep(storage, shelves, [
    toRecord("x", { name: "upper" }),
    toRecord("y", { name: "lower" }),
    toRecord("z", { name: null }),
  ]);
  await keep(storage, books, [
    toBook("a", { shelfId: idOf("x"), subtitle: "one", pages: 10, isLent: true }, { insertInstant: 5 }),
    toBook("b", { shelfId: idOf("x") }, { insertInstant: 6 }),
    toBook("c", { shelfId: idOf("y"), subtitle: "One", pages: 9, isLent: true }),
    toBook("d", { subtitle: "\u{1f600}", pages: -1 }, { version: 3, hidden: "{}" }),
  ]);
  await keep(storage, bookTags, [
    toRecord("t1", { bookId: idOf("a"), tag: "old" }),
    toRecord("t2", { bookId: idOf("a"), tag: "red" }),
    toRecord("t3", { bookId: idOf("c"), tag: "red" }),
  ]);
}

export const equals = (column: string, value: ColumnValue): Filter => ({ op: "equals", column, value });
export const within = (column: string, values: readonly ColumnValue[]): Filter => ({ op: "in", column, values });
export const compare = (column: string, comparison: "<" | "<=" | ">" | ">=", value: string | number): Filter => ({
  op: "compare",
  column,
  comparison,
  value,
});
export const and = (...filters: Filter[]): Filter => ({ op: "and", filters });
export const or = (...filters: Filter[]): Filter => ({ op: "or", filters });
export const not = (filter: Filter): Filter => ({ op: "not", filter });
export const hasTag = (filter?: Filter): Filter => ({
  op: "exists",
  table: "bookTags",
  localColumn: "id",
  foreignColumn: "bookId",
  ...(filter && { filter }),
});
export const narrow = (filter: Filter): Filter => ({ ...filter, isNarrow: true }) as Filter;
export const onShelf = (filter: Filter): Filter => ({
  op: "exists",
  table: "shelves",
  localColumn: "shelfId",
  foreignColumn: "id",
  filter,
});

type Case = readonly [what: string, filter: Filter, passing: string];

const singleTests: readonly Case[] = [
  ["a text that equals", equals("subtitle", "one"), "a"],
  ["an astral character that equals", equals("subtitle", "\u{1f600}"), "d"],
  ["a number that equals", equals("pages", 9), "c"],
  ["a flag that is true", equals("isLent", true), "ac"],
  ["a flag that is false", equals("isLent", false), "bd"],
  ["no value", equals("subtitle", null), "b"],
  ["an id that equals", equals("id", idOf("b")), "b"],
  ["a tenant that equals", equals("tenantId", idOf("north")), "abcd"],
  ["a version that equals", equals("version", 3), "d"],
  ["an instant that equals", equals("insertInstant", 6), "b"],
  ["nothing hidden", equals("hidden", null), "abc"],
  ["a reference that equals", equals("shelfId", idOf("x")), "ab"],
  ["a text in a list", within("subtitle", ["One", "two", "one"]), "ac"],
  ["a number in a list", within("pages", [-1, 10, 11]), "ad"],
  ["a flag in a list", within("isLent", [true]), "ac"],
  ["an id in a list", within("id", [idOf("d"), idOf("none"), idOf("a")]), "ad"],
  ["an id twice in a list", within("id", [idOf("a"), idOf("a")]), "a"],
  ["an empty list", within("id", []), ""],
  ["a list that holds no value", within("subtitle", [null, "one"]), "ab"],
  ["less", compare("pages", "<", 10), "cd"],
  ["less or equal", compare("pages", "<=", 9), "cd"],
  ["more", compare("pages", ">", 9), "a"],
  ["more or equal", compare("pages", ">=", -1), "acd"],
  ["a text that comes before", compare("subtitle", "<", "a"), "c"],
  ["a text that comes after one with a private character", compare("subtitle", ">", "\uffff"), "d"],
  ["an instant from one on", and(compare("insertInstant", ">=", 5), compare("insertInstant", "<", 6)), "a"],
];

const combinedTests: readonly Case[] = [
  ["all of several tests", and(equals("isLent", true), equals("pages", 9)), "c"],
  ["any of several tests", or(equals("pages", 9), equals("pages", 10), equals("pages", 11)), "ac"],
  ["all of no tests", and(), "abcd"],
  ["any of no tests", or(), ""],
  ["one test alone, combined", and(or(equals("title", "b"))), "b"],
  ["the contrary of all of no tests", not(and()), ""],
  ["the contrary of any of no tests", not(or()), "abcd"],
  ["the contrary of a test, where there is no value", not(equals("subtitle", "one")), "bcd"],
  ["the contrary of no value", not(equals("subtitle", null)), "acd"],
  ["the contrary of less, where there is no value", not(compare("pages", "<", 10)), "ab"],
  ["the contrary of a list, where there is no value", not(within("pages", [9, 10])), "bd"],
  ["the contrary of a list that holds no value", not(within("subtitle", [null, "one"])), "cd"],
  ["the contrary of an empty list", not(within("pages", [])), "abcd"],
  ["the contrary of a contrary, where there is no value", not(not(compare("pages", "<", 10))), "cd"],
  ["the contrary of any, where one has no value", not(or(compare("pages", ">", 5), equals("title", "d"))), "b"],
  ["the contrary of all, where one has no value", not(and(compare("pages", ">", 5), equals("isLent", true))), "bd"],
  ["any or all within each other", or(and(equals("isLent", true), not(equals("pages", 10))), equals("title", "b")), "bc"],
];

const relatedTests: readonly Case[] = [
  ["a related record", hasTag(), "ac"],
  ["a related record that passes a filter", hasTag(equals("tag", "old")), "a"],
  ["a related record that passes two filters at once", hasTag(and(equals("tag", "old"), equals("tag", "red"))), ""],
  ["two related records", and(hasTag(equals("tag", "old")), hasTag(equals("tag", "red"))), "a"],
  ["no related record", not(hasTag()), "bd"],
  ["no related record that passes a filter", not(hasTag(equals("tag", "old"))), "bcd"],
  ["the record that a reference points to", onShelf(equals("name", "lower")), "c"],
  ["no record that a reference points to, where there is none", not(onShelf(equals("name", "upper"))), "cd"],
  ["one of few related records", narrow(hasTag(equals("tag", "old"))), "a"],
  ["no one of few related records", not(narrow(hasTag(equals("tag", "old")))), "bcd"],
  ["one of few related records that two have", narrow(hasTag(equals("tag", "red"))), "ac"],
  ["any related record, of which there are few", narrow(hasTag()), "ac"],
  ["the one record that a reference points to", narrow(onShelf(equals("name", "lower"))), "c"],
  [
    "a related record of a related record",
    onShelf({ op: "exists", table: "books", localColumn: "id", foreignColumn: "shelfId", filter: hasTag(equals("tag", "old")) }),
    "ab",
  ],
];

const shelfOf: Readonly<Record<string, string>> = { a: "x", b: "x", c: "y" };

const inScopes = [globalScope, north, tenantScope(idOf("south"))] as const;

const caseTests: readonly ContractTest[] = [...singleTests, ...combinedTests, ...relatedTests].map(([what, filter, passing]) => ({
  name: `finds, searches and counts by ${what}`,
  run: async (storage) => {
    await fill(storage);
    for (const [index, scope] of inScopes.entries()) {
      const labels = index === 2 ? [] : Array.from(passing);
      expect(labelsOf(await storage.find(scope, books, filter))).toEqual(labels);
      const page = await storage.search(scope, books, { filter, sort: [], limit: 9, offset: 0 });
      expect([labelsOf(page.records), page.total]).toEqual([labels, labels.length]);
      const shelvesOf = labels.flatMap((label) => shelfOf[label] ?? []).map(idOf);
      expect((await storage.findIds(scope, books, "shelfId", filter)).toSorted()).toEqual(shelvesOf.toSorted());
    }
  },
}));

const manyIds = Array.from({ length: 20_000 }, (_, index) => idOf(String(index)));

export const filterTests: readonly ContractTest[] = [
  ...caseTests,
  {
    name: "tests a text with its ASCII letters in lower case, and leaves other letters as they are",
    run: async (storage) => {
      const titles = { a: "ÄPFEL, Pears", b: "äpfel, pears", c: "Pears [and] more" };
      await keep(
        storage,
        books,
        Object.entries(titles).map(([label, title]) => toBook(label, { title })),
      );
      const lowered = (...pattern: string[]): Filter => ({ op: "matches", column: "title", pattern, isLowered: true });
      expect(await keptLabels(storage, lowered("", "pears", ""))).toEqual(["a", "b", "c"]);
      expect(await keptLabels(storage, lowered("", "äpfel", ""))).toEqual(["b"]);
      expect(await keptLabels(storage, lowered("", "Äpfel", ""))).toEqual(["a"]);
      expect(await keptLabels(storage, lowered("pears", "[and]", ""))).toEqual(["c"]);
      expect(await keptLabels(storage, lowered("äpfel, pears"))).toEqual(["b"]);
      expect(await keptLabels(storage, not(lowered("", "Pears", "")))).toEqual(["a", "b", "c"]);
    },
  },
  {
    name: "takes a list of 20,000 ids",
    run: async (storage) => {
      await keep(
        storage,
        books,
        ["7", "19999", "20000"].map((label) => toBook(label)),
      );
      expect(await keptLabels(storage, within("id", manyIds))).toEqual(["7", "19999"]);
      expect(await keptLabels(storage, not(within("id", manyIds)))).toEqual(["20000"]);
      expect(await storage.transaction((tx) => tx.remove(north, books, within("id", manyIds)))).toBe(2);
    },
  },
  {
    name: "reads a filter inside a transaction as outside",
    run: async (storage) => {
      await fill(storage);
      await storage.transaction(async (tx) => {
        await tx.remove(north, bookTags, equals("tag", "old"));
        expect(await keptLabels(tx, hasTag(equals("tag", "old")))).toEqual([]);
        await tx.insert(north, bookTags, [toRecord("t4", { bookId: idOf("d"), tag: "old" })]);
        expect(await keptLabels(tx, hasTag(equals("tag", "old")))).toEqual(["d"]);
        expect(await keptLabels(tx, onShelf(equals("name", "lower")))).toEqual(["c"]);
      });
    },
  },
];
