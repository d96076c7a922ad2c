import { type Criteria, globalScope, type Storage, type StorageReader } from "latchkey/ports";
import { expect } from "vitest";
import type { ContractTest } from "./contract-test.js";
import { createGate, keep, keptLabels, labelsOf } from "./kit.js";
import { books, idOf, north, toBook } from "./tables.js";

const everything: Criteria = { sort: [], limit: 10, offset: 0 };

/** What every way of reading shows. */
async function viewOf(reader: StorageReader): Promise<readonly unknown[]> {
  const page = await reader.search(north, books, everything);
  const edited = await reader.retrieve(north, books, idOf("edited"));
  return [labelsOf(await reader.find(north, books, undefined)), labelsOf(page.records), page.total, edited?.version];
}

/** Runs `during` while a transaction that has inserted, changed and removed something waits for it. */
async function whileWaiting(storage: Storage, during: () => Promise<void>): Promise<void> {
  await keep(storage, books, [toBook("edited"), toBook("gone")]);
  const hasWritten = createGate();
  const mayEnd = createGate();
  const transaction = storage.transaction(async (tx) => {
    await tx.insert(globalScope, books, [toBook("new")]);
    await tx.update(globalScope, books, toBook("edited", {}, { version: 2 }));
    await tx.remove(globalScope, books, { op: "equals", column: "title", value: "gone" });
    hasWritten.open();
    await mayEnd.opened;
  });
  await hasWritten.opened;
  try {
    await during();
  } finally {
    mayEnd.open();
    await transaction;
  }
}

const before = [["gone", "edited"], ["gone", "edited"], 2, 1];
const after = [["new", "edited"], ["new", "edited"], 2, 2];

export const isolationTests: readonly ContractTest[] = [
  {
    name: "shows a reader outside nothing of a transaction that waits, and does not keep the reader waiting",
    run: async (storage) => {
      await whileWaiting(storage, async () => expect(await viewOf(storage)).toEqual(before));
      expect(await viewOf(storage)).toEqual(after);
    },
  },
  {
    name: "answers a ping while a transaction waits",
    run: (storage) => whileWaiting(storage, () => storage.ping()),
  },
  {
    name: "shows a transaction the writes of those that ended before it, and no half of another",
    run: async (storage) => {
      let second: Promise<readonly unknown[]> | undefined;
      await whileWaiting(storage, async () => {
        second = storage.transaction((tx) => viewOf(tx));
        await storage.ping();
      });
      expect([before, after]).toContainEqual(await second);
    },
  },
  {
    name: "shows every reader what was acknowledged before it began",
    run: async (storage) => {
      const counts: Promise<number>[] = [];
      for (let index = 0; index < 30; index++) {
        await keep(storage, books, [toBook(`n${index}`)]);
        counts.push(storage.search(north, books, { ...everything, limit: 0 }).then((page) => page.total));
      }
      expect((await Promise.all(counts)).every((total, index) => total >= index + 1)).toBe(true);
    },
  },
  {
    name: "never shows a reader one half of a transaction",
    run: async (storage) => {
      const writing = Array.from({ length: 20 }, (_, index) =>
        storage.transaction(async (tx) => {
          await tx.insert(globalScope, books, [toBook(`a${index}`)]);
          await tx.insert(globalScope, books, [toBook(`b${index}`)]);
        }),
      );
      let isWriting = true;
      const written = Promise.all(writing).finally(() => {
        isWriting = false;
      });
      while (isWriting) {
        expect((await keptLabels(storage)).length % 2).toBe(0);
        await new Promise((resolve) => setImmediate(resolve));
      }
      await written;
    },
  },
];
