import { globalScope, type RecordToStore, StaleVersion, type Table, type Transaction, UniqueViolation } from "latchkey/ports";
import { expect } from "vitest";
import type { ContractTest } from "./contract-test.js";
import { createGate, keep, keptLabels, rejectionOf } from "./kit.js";
import { books, entries, toBook, toEntry } from "./tables.js";

/** Inserts the labels one after another; `?` reads them; a nested list is a savepoint, and one that ends with `!` fails. */
type Steps = readonly (string | Steps)[];

/** Where the labels go. */
interface Target {
  readonly table: Table;
  readonly toRecord: (label: string) => RecordToStore;
}

async function perform(tx: Transaction, steps: Steps, target: Target): Promise<void> {
  for (const step of steps) {
    if (step === "!") throw new RangeError("undo");
    if (step === "?") await keptLabels(tx, undefined, target.table);
    else if (typeof step === "string") await tx.insert(globalScope, target.table, [target.toRecord(step)]);
    else await tx.savepoint(() => perform(tx, step, target)).catch(ignoreUndo);
  }
}

function ignoreUndo(error: unknown): void {
  if (!(error instanceof RangeError)) throw error;
}

type Case = readonly [name: string, steps: Steps, kept: readonly string[]];

const cases: readonly Case[] = [
  ["keeps what a savepoint wrote", ["a", ["b"], "c"], ["a", "b", "c"]],
  ["undoes a failed savepoint and nothing else", ["a", ["b", "!"], "c"], ["a", "c"]],
  ["undoes a savepoint within one that is kept", ["a", ["b", ["c", "!"], "d"], "e"], ["a", "b", "d", "e"]],
  ["undoes a kept savepoint with the one around it", ["a", ["b", ["c"], "!"], "d"], ["a", "d"]],
  ["undoes a savepoint of a savepoint of a savepoint", [["a", ["b", ["c", ["d", "!"]], "!"], "e"], "f"], ["a", "e", "f"]],
  ["undoes each of several savepoints by itself", [["a"], ["b", "!"], ["c"], ["d", "!"], ["e"]], ["a", "c", "e"]],
  ["lets an undone record be written again", [["a", "!"], "a", [["b", "!"], "b"]], ["a", "b"]],
  ["keeps what came before an undone savepoint that read it", ["a", ["b", "?", "!"], "c"], ["a", "c"]],
  ["keeps what came before an undone savepoint around one that read it", ["a", ["b", ["?", "c"], "d", "!"], "e"], ["a", "e"]],
  ["keeps what came before several undone savepoints that read it", ["a", ["b", ["c", "?", "!"], "?", "!"], ["?", "!"]], ["a"]],
  ["keeps nothing of kept savepoints when the transaction fails", ["a", ["b", ["c"]], "!"], []],
];

const targets: Readonly<Record<string, Target>> = {
  "": { table: books, toRecord: (label) => toBook(label) },
  " in a log": { table: entries, toRecord: toEntry },
};

const nesting: readonly ContractTest[] = Object.entries(targets).flatMap(([where, target]) =>
  cases.map(([name, steps, kept]) => ({
    name: name + where,
    run: async (storage) => {
      await storage.transaction((tx) => perform(tx, steps, target)).catch(ignoreUndo);
      expect(await keptLabels(storage, undefined, target.table)).toEqual(kept);
    },
  })),
);

export const savepointTests: readonly ContractTest[] = [
  ...nesting,
  {
    name: "resolves a savepoint with what its work resolved with",
    run: async (storage) => {
      expect(await storage.transaction((tx) => tx.savepoint(async () => "done"))).toBe("done");
    },
  },
  {
    name: "rejects a savepoint with the very error of its work, however its work fails",
    run: (storage) =>
      storage.transaction(async (tx) => {
        const error = new RangeError("no");
        expect(
          await rejectionOf(
            tx.savepoint(() => Promise.reject(error)),
            RangeError,
          ),
        ).toBe(error);
        const thrown = tx.savepoint(() => {
          throw error;
        });
        expect(await rejectionOf(thrown, RangeError)).toBe(error);
      }),
  },
  {
    name: "undoes updates and removals of a savepoint",
    run: async (storage) => {
      await keep(storage, books, [toBook("a"), toBook("b")]);
      await storage.transaction(async (tx) => {
        const work = async (): Promise<void> => {
          await tx.update(globalScope, books, toBook("a", { title: "changed" }, { version: 2 }));
          await tx.remove(globalScope, books, { op: "equals", column: "title", value: "b" });
          expect(await keptLabels(tx)).toEqual(["a"]);
          throw new RangeError("undo");
        };
        await tx.savepoint(work).catch(ignoreUndo);
        expect(await keptLabels(tx, { op: "equals", column: "title", value: "b" })).toEqual(["b"]);
        await rejectionOf(tx.update(globalScope, books, toBook("a", {}, { version: 3 })), StaleVersion);
      });
      expect(await keptLabels(storage, { op: "equals", column: "title", value: "a" })).toEqual(["a"]);
    },
  },
  {
    name: "reads again what a savepoint wrote, and what it was before once that is undone",
    run: async (storage) => {
      const { id } = toBook("a");
      await storage.transaction(async (tx) => {
        const read = async (): Promise<readonly unknown[]> => [
          (await tx.retrieve(globalScope, books, id))?.id,
          (await tx.find(globalScope, books, undefined)).length,
        ];
        expect(await read()).toEqual([undefined, 0]);
        const work = async (): Promise<void> => {
          await tx.insert(globalScope, books, [toBook("a")]);
          expect(await read()).toEqual([id, 1]);
          throw new RangeError("undo");
        };
        await tx.savepoint(work).catch(ignoreUndo);
        expect(await read()).toEqual([undefined, 0]);
        await tx.savepoint(() => tx.insert(globalScope, books, [toBook("a")]));
        expect(await read()).toEqual([id, 1]);
      });
    },
  },
  {
    name: "undoes what a savepoint that still runs when its transaction ends has added to a log",
    run: async (storage) => {
      const mayEnd = createGate();
      const leftOver = await storage.transaction(async (tx) => {
        await tx.insert(globalScope, entries, [toEntry("a")]);
        const savepoint = tx.savepoint(async () => {
          await tx.insert(globalScope, entries, [toEntry("b")]);
          await mayEnd.opened;
        });
        return { outcome: rejectionOf(savepoint, Error) };
      });
      mayEnd.open();
      await leftOver.outcome;
      expect(await keptLabels(storage, undefined, entries)).toEqual(["a"]);
    },
  },
  {
    name: "undoes a savepoint that still runs when its transaction ends",
    run: async (storage) => {
      const hasWritten = createGate();
      const mayEnd = createGate();
      const leftOver = await storage.transaction(async (tx) => {
        await tx.insert(globalScope, books, [toBook("a")]);
        const savepoint = tx.savepoint(async () => {
          await tx.insert(globalScope, books, [toBook("b")]);
          hasWritten.open();
          await mayEnd.opened;
        });
        await hasWritten.opened;
        return { outcome: rejectionOf(savepoint, Error) };
      });
      mayEnd.open();
      await leftOver.outcome;
      expect(await keptLabels(storage)).toEqual(["a"]);
    },
  },
  {
    name: "undoes a savepoint whose insert collided, and what came before it in the savepoint",
    run: async (storage) => {
      await keep(storage, books, [toBook("a")]);
      await storage.transaction(async (tx) => {
        const savepoint = tx.savepoint(async () => {
          await tx.insert(globalScope, books, [toBook("b")]);
          await tx.insert(globalScope, books, [toBook("a")]);
        });
        await rejectionOf(savepoint, UniqueViolation);
        await tx.insert(globalScope, books, [toBook("c")]);
      });
      expect(await keptLabels(storage)).toEqual(["a", "c"]);
    },
  },
];
