import { type Filter, globalScope } from "latchkey/ports";
import { expect } from "vitest";
import type { ContractTest } from "./contract-test.js";
import { keep, keptLabels } from "./kit.js";
import { books, entries, north, toBook, toEntry } from "./tables.js";

const page = { sort: [], limit: 10, offset: 0 };
const none: Filter = { op: "in", column: "id", values: [] };

export const emptyListTests: readonly ContractTest[] = [
  {
    name: "reads nothing for an empty list, inside and outside of transactions",
    run: async (storage) => {
      await keep(storage, books, [toBook("a"), toBook("b")]);
      const readers = [
        (work: Parameters<typeof storage.snapshot>[0]) => storage.snapshot(work),
        storage.transaction.bind(storage),
      ];
      for (const read of [async (work: Parameters<typeof storage.snapshot>[0]) => work(storage), ...readers])
        await read(async (reader) => {
          expect((await reader.findEach?.([])) ?? []).toEqual([]);
          expect(await reader.find(north, books, none)).toEqual([]);
          expect(await reader.find(north, books, none, { sort: [], after: "" })).toEqual([]);
          expect(await reader.findIds(globalScope, books, "id", none)).toEqual([]);
          expect(await reader.findPositions(entries)).toEqual([]);
          expect(await reader.search(north, books, { ...page, filter: none })).toEqual({ records: [], total: 0 });
          expect(await keptLabels(reader, { op: "or", filters: [] })).toEqual([]);
          expect(await keptLabels(reader, { op: "and", filters: [] })).toEqual(["a", "b"]);
          expect(await keptLabels(reader, { op: "not", filter: none })).toEqual(["a", "b"]);
        });
      expect((await storage.planIndexes?.([])) ?? []).toEqual([]);
      await storage.open([]);
    },
  },
  {
    name: "writes nothing for an empty list",
    run: async (storage) => {
      await keep(storage, books, [toBook("a")]);
      await keep(storage, entries, [toEntry("a")]);
      await storage.transaction(async (tx) => {
        await tx.insert(north, books, []);
        await tx.insert(globalScope, entries, []);
        await tx.rewrite(north, books, []);
        expect(await tx.replaceHidden(north, books, [])).toEqual([]);
        expect(await tx.remove(north, books, none)).toBe(0);
        expect(await tx.take(entries, 0)).toEqual([]);
        expect(await tx.lease(entries, { limit: 0, now: 1, until: 2 })).toEqual([]);
        expect(await tx.removeLeased(entries, [], 2)).toEqual([]);
        tx.expectNone?.(north, books, "isbn", []);
        await tx.settle?.();
        expect(await keptLabels(tx)).toEqual(["a"]);
      });
      expect(await keptLabels(storage, undefined, entries)).toEqual(["a"]);
    },
  },
];
