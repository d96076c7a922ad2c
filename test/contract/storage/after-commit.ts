import { globalScope, type Storage, type Transaction } from "latchkey/ports";
import { expect } from "vitest";
import type { ContractTest } from "./contract-test.js";
import { keep, keptLabels } from "./kit.js";
import { books, toBook } from "./tables.js";

/** Runs a transaction and answers which of its callbacks were called, once it has settled and a moment later. */
async function callsOf(
  storage: Storage,
  work: (tx: Transaction, note: (name: string) => void) => Promise<void>,
): Promise<readonly string[]> {
  const calls: string[] = [];
  const transaction = storage.transaction((tx) => work(tx, (name) => tx.afterCommit(() => void calls.push(name))));
  await transaction.catch((error: unknown) => expect(error).toBeInstanceOf(RangeError));
  await keep(storage, books, [toBook("later")]);
  return calls;
}

const fail = (): Promise<never> => Promise.reject(new RangeError("undo"));
const ignore = (): void => undefined;

export const afterCommitTests: readonly ContractTest[] = [
  {
    name: "calls back once for each callback, in the order in which they were left",
    run: async (storage) => {
      const calls = await callsOf(storage, async (_, note) => ["a", "b", "c"].forEach(note));
      expect(calls).toEqual(["a", "b", "c"]);
    },
  },
  {
    name: "calls back after the work has ended, not before",
    run: async (storage) => {
      const calledBack = Promise.withResolvers<boolean>();
      let isOver = false;
      await storage.transaction(async (tx) => {
        tx.afterCommit(() => calledBack.resolve(isOver));
        await tx.insert(globalScope, books, [toBook("a")]);
        await keptLabels(tx);
        isOver = true;
      });
      expect(await calledBack.promise).toBe(true);
    },
  },
  {
    name: "shows the writes to a reader that starts inside of the callback",
    run: async (storage) => {
      const { promise, resolve } = Promise.withResolvers<readonly string[]>();
      await storage.transaction(async (tx) => {
        tx.afterCommit(() => resolve(keptLabels(storage)));
        await tx.insert(globalScope, books, [toBook("a")]);
      });
      expect(await promise).toEqual(["a"]);
    },
  },
  {
    name: "never calls back for a transaction that failed",
    run: async (storage) => {
      const calls = await callsOf(storage, async (tx, note) => {
        note("outer");
        await tx.savepoint(async () => note("inner"));
        await fail();
      });
      expect(calls).toEqual([]);
    },
  },
  {
    name: "never calls back for a savepoint that was undone",
    run: async (storage) => {
      const calls = await callsOf(storage, async (tx, note) => {
        note("before");
        await tx
          .savepoint(async () => {
            note("undone");
            await tx.savepoint(async () => note("kept within undone"));
            await fail();
          })
          .catch(ignore);
        await tx.savepoint(async () => note("kept"));
        note("after");
      });
      expect(calls).toEqual(["before", "kept", "after"]);
    },
  },
  {
    name: "calls back for a savepoint around one that was undone",
    run: async (storage) => {
      const calls = await callsOf(storage, (tx, note) =>
        tx.savepoint(async () => {
          note("around");
          await tx.savepoint(async () => [note("undone"), await fail()]).catch(ignore);
        }),
      );
      expect(calls).toEqual(["around"]);
    },
  },
  {
    name: "lets a callback start another transaction",
    run: async (storage) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      await storage.transaction(async (tx) => tx.afterCommit(() => resolve(keep(storage, books, [toBook("a")]))));
      await promise;
      expect(await keptLabels(storage)).toEqual(["a"]);
    },
  },
  {
    name: "harms no other transaction when a callback throws",
    run: async (storage) => {
      const failing = storage.transaction(async (tx) => {
        await tx.insert(globalScope, books, [toBook("a")]);
        tx.afterCommit(() => {
          throw new RangeError("from the callback");
        });
      });
      const others = ["b", "c"].map((label) => keep(storage, books, [toBook(label)]));
      await failing.catch(ignore);
      await Promise.all(others);
      await keep(storage, books, [toBook("d")]);
      expect(await keptLabels(storage)).toEqual(["a", "b", "c", "d"]);
    },
  },
];
