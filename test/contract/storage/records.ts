import { globalScope, type RecordRead, type StorageReader } from "latchkey/ports";
import { expect } from "vitest";
import type { ContractTest } from "./contract-test.js";
import { keep, keptLabels, labelsOf, storedPart } from "./kit.js";
import { books, bookTags, idOf, north, notes, toBook, toRecord } from "./tables.js";

const awkwardTexts: Readonly<Record<string, string>> = {
  quotes: `'"\`--;/*`,
  wildcards: "%_\\*?[a]",
  "line ends": "\r\n\t\u2028",
  "combining marks": "e\u0301 \u00e9",
  "astral characters": "\u{1f600}\u{10400}\u{10ffff}",
  "private and reserved characters": "\ue000\uffff\ufffe",
  "nothing at all": "",
  "a mebibyte": "x".repeat(2 ** 20),
};

const keepsTexts: readonly ContractTest[] = Object.entries(awkwardTexts).map(([what, text]) => ({
  name: `keeps texts of ${what} as they are`,
  run: async (storage) => {
    const json = JSON.stringify({ label: text });
    await keep(storage, books, [toBook("one", { title: text }, { json, hidden: text })]);
    expect(await storage.retrieve(north, books, idOf("one"))).toMatchObject({ json, hidden: text });
    expect(await keptLabels(storage, { op: "equals", column: "title", value: text })).toEqual([text]);
  },
}));

const integers = [0, 1, -1, 2 ** 31, -(2 ** 31) - 1, 1_700_000_000_123, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

const reads: readonly ContractTest[] = [
  {
    name: "retrieves a record with all its members",
    run: async (storage) => {
      const record = toBook("one", {}, { version: 7, hidden: '{"secret":1}' });
      await keep(storage, books, [record]);
      const kept = await storage.retrieve(north, books, record.id);
      expect(kept && storedPart(kept)).toEqual(storedPart(record));
    },
  },
  {
    name: "answers undefined for an id that is not there",
    run: async (storage) => {
      await keep(storage, books, [toBook("one")]);
      expect(await storage.retrieve(north, books, idOf("two"))).toBeUndefined();
      expect(await storage.retrieve(globalScope, books, "not even an id")).toBeUndefined();
    },
  },
  {
    name: "keeps whole numbers up to 2^53 on both sides of zero",
    run: async (storage) => {
      const records = integers.map((pages, index) => toBook(`n${index}`, { pages }));
      await keep(storage, books, records);
      for (const [index, value] of integers.entries())
        expect(await keptLabels(storage, { op: "equals", column: "pages", value })).toEqual([`n${index}`]);
    },
  },
  {
    name: "finds all records in order of id when neither filter nor order is given",
    run: async (storage) => {
      await keep(
        storage,
        books,
        ["c", "a", "b"].map((label) => toBook(label)),
      );
      expect(await keptLabels(storage)).toEqual(["a", "b", "c"]);
    },
  },
  {
    name: "finds at most as many records as asked for, in the order asked for",
    run: async (storage) => {
      await keep(
        storage,
        books,
        ["a", "b", "c"].map((label) => toBook(label)),
      );
      const sort = [{ column: "title", direction: "desc" }] as const;
      expect(labelsOf(await storage.find(north, books, undefined, { limit: 2, sort }))).toEqual(["c", "b"]);
      expect(await storage.find(north, books, undefined, { limit: 0 })).toEqual([]);
    },
  },
  {
    name: "finds for each of several reads what it finds for one",
    run: async (storage) => {
      await keep(storage, books, [
        toBook("b", { pages: 1 }),
        toBook("a", { pages: 1 }),
        toBook("c", {}, { tenantId: idOf("south") }),
      ]);
      await expectFindsEach(storage);
      await storage.snapshot(expectFindsEach);
      await storage.transaction(async (tx) => {
        await expectFindsEach(tx);
        await tx.insert(globalScope, bookTags, [toRecord("ta", { bookId: idOf("a"), tag: "old" })]);
        await tx.insert(globalScope, books, [toBook("d", { pages: 1 })]);
        await expectFindsEach(tx);
      });
    },
  },
];

async function expectFindsEach(reader: StorageReader): Promise<void> {
  const pages = { op: "equals", column: "pages", value: 1 } as const;
  const several: readonly RecordRead[] = [
    { scope: north, table: books, filter: pages },
    { scope: globalScope, table: bookTags, filter: { op: "in", column: "bookId", values: [idOf("a"), idOf("b")] } },
    { scope: north, table: books, filter: { op: "equals", column: "id", value: idOf("c") } },
    { scope: globalScope, table: books, filter: { op: "equals", column: "id", value: null } },
    ...[1, 9].map((unmeasured) => ({ scope: north, table: books, filter: pages, sizeLimit: { maxBytes: 10_000, unmeasured } })),
    { scope: north, table: books, filter: { op: "matches", column: "title", pattern: ["", "b", ""] } },
    { scope: globalScope, table: books, filter: undefined },
  ];
  for (const reads of [several, several.slice(1, 2)]) {
    const found = await reader.findEach?.(reads);
    for (const [index, { filter, scope, sizeLimit, table }] of reads.entries())
      if (found !== undefined)
        expect(found[index]).toEqual(await reader.find(scope, table, filter, { ...(sizeLimit && { sizeLimit }) }));
  }
}

const writes: readonly ContractTest[] = [
  {
    name: "inserts nothing when the list is empty",
    run: async (storage) => {
      await keep(storage, books, []);
      expect(await keptLabels(storage)).toEqual([]);
    },
  },
  {
    name: "removes the records that pass a filter and answers how many",
    run: async (storage) => {
      await keep(storage, books, [toBook("a", { pages: 1 }), toBook("b", { pages: 2 }), toBook("c", { pages: 2 })]);
      const remove = (value: number): Promise<number> =>
        storage.transaction((tx) => tx.remove(north, books, { op: "equals", column: "pages", value }));
      expect([await remove(2), await remove(2), await remove(9)]).toEqual([2, 0, 0]);
      expect(await keptLabels(storage)).toEqual(["a"]);
    },
  },
  {
    name: "removes by what another table holds",
    run: async (storage) => {
      await keep(storage, books, [toBook("a"), toBook("b")]);
      await keep(storage, bookTags, [
        toRecord("ta", { bookId: idOf("a"), tag: "old" }),
        toRecord("tb", { bookId: idOf("b"), tag: "new" }),
      ]);
      const filter = { op: "equals", column: "title", value: "b" } as const;
      const exists = { op: "exists", table: "books", localColumn: "bookId", foreignColumn: "id", filter } as const;
      expect(await storage.transaction((tx) => tx.remove(north, bookTags, exists))).toBe(1);
      expect(await keptLabels(storage, undefined, bookTags)).toEqual(["ta"]);
    },
  },
  {
    name: "lets an id that was removed be used again",
    run: async (storage) => {
      await keep(storage, notes, [toRecord("a", { text: "old" })]);
      await storage.transaction(async (tx) => {
        await tx.remove(globalScope, notes, { op: "equals", column: "id", value: idOf("a") });
        await tx.insert(globalScope, notes, [toRecord("a", { text: "new" })]);
      });
      expect(await keptLabels(storage, { op: "equals", column: "text", value: "new" }, notes)).toEqual(["a"]);
      expect(await keptLabels(storage, { op: "equals", column: "text", value: "old" }, notes)).toEqual([]);
    },
  },
  {
    name: "shows a transaction its own writes in every way of reading",
    run: (storage) =>
      storage.transaction(async (tx) => {
        await tx.insert(north, books, [toBook("a"), toBook("b")]);
        await tx.remove(north, books, { op: "equals", column: "title", value: "a" });
        await tx.update(north, books, toBook("b", { title: "c" }, { version: 2 }));
        expect(await tx.retrieve(north, books, idOf("a"))).toBeUndefined();
        expect(await tx.retrieve(north, books, idOf("b"))).toMatchObject({ version: 2 });
        expect(await keptLabels(tx, { op: "equals", column: "title", value: "c" })).toEqual(["b"]);
        expect(await tx.search(north, books, { sort: [], limit: 9, offset: 0 })).toMatchObject({ total: 1 });
      }),
  },
];

export const recordTests: readonly ContractTest[] = [...reads, ...keepsTexts, ...writes];
