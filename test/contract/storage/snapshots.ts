import { globalScope, type Storage, type StorageReader } from "latchkey/ports";
import { expect } from "vitest";
import type { ContractTest } from "./contract-test.js";
import { keep, keptLabels, labelsOf } from "./kit.js";
import { books, idOf, north, shelves, toBook, toRecord } from "./tables.js";

/** What every way of reading shows. */
async function viewOf(reader: StorageReader): Promise<readonly unknown[]> {
  const page = await reader.search(north, books, { sort: [{ column: "title", direction: "desc" }], limit: 2, offset: 0 });
  const edited = await reader.retrieve(north, books, idOf("edited"));
  const ofShelf = { op: "equals", column: "shelfId", value: idOf("shelf") } as const;
  const ids = [...(await reader.findIds(globalScope, books, "id", ofShelf))].sort();
  return [await keptLabels(reader), labelsOf(page.records), page.total, edited?.version, ids, await keptLabels(reader, ofShelf)];
}

async function fill(storage: Storage): Promise<void> {
  const shelfId = idOf("shelf");
  await keep(storage, shelves, [toRecord("shelf", { name: "shelf" })]);
  await keep(storage, books, [toBook("edited", { shelfId }), toBook("gone", { shelfId }), toBook("other")]);
}

async function change(storage: Storage): Promise<void> {
  await storage.transaction(async (tx) => {
    await tx.update(globalScope, books, toBook("edited", { shelfId: null }, { version: 2 }));
    await tx.remove(globalScope, books, { op: "equals", column: "title", value: "gone" });
  });
  await keep(storage, books, [toBook("new", { shelfId: idOf("shelf") })]);
}

export const snapshotTests: readonly ContractTest[] = [
  {
    name: "a snapshot shows the same while others write, and keeps no writer waiting",
    run: async (storage) => {
      await fill(storage);
      const before = await viewOf(storage);
      await storage.snapshot(async (reader) => {
        await change(storage);
        expect(await viewOf(reader)).toEqual(before);
        expect(await viewOf(storage)).not.toEqual(before);
        expect(await viewOf(reader)).toEqual(before);
      });
      await storage.snapshot(async (reader) => expect(await viewOf(reader)).toEqual(await viewOf(storage)));
    },
  },
  {
    name: "snapshots that are read at the same time each show their own state",
    run: async (storage) => {
      await fill(storage);
      const views = [await viewOf(storage)];
      await storage.snapshot(async (first) => {
        await change(storage);
        views.push(await viewOf(storage));
        await storage.snapshot(async (second) => {
          await storage.transaction((tx) => tx.remove(globalScope, books, undefined));
          expect([await viewOf(first), await viewOf(second)]).toEqual(views);
        });
        expect(await viewOf(first)).toEqual(views[0]);
      });
      expect(await keptLabels(storage)).toEqual([]);
    },
  },
  {
    name: "a snapshot answers what its work answers, and fails with its error",
    run: async (storage) => {
      await fill(storage);
      expect(await storage.snapshot((reader) => keptLabels(reader))).toEqual(await keptLabels(storage));
      await expect(storage.snapshot(() => Promise.reject(new RangeError("no")))).rejects.toThrow(RangeError);
      expect(await storage.snapshot((reader) => keptLabels(reader))).toEqual(await keptLabels(storage));
    },
  },
];
