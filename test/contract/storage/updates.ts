import { globalScope, StaleVersion } from "latchkey";
import { expect } from "vitest";
import type { ContractTest } from "./contract-test.js";
import { keep, keptLabels, rejectionOf, storedPart } from "./kit.js";
import { books, idOf, north, notes, toBook, toRecord } from "./tables.js";

const staleVersions: Readonly<Record<string, number>> = {
  "the version that is kept": 5,
  "a version long gone": 2,
  "a version yet to come": 7,
};

const refusesStale: readonly ContractTest[] = Object.entries(staleVersions).map(([what, version]) => ({
  name: `refuses an update to ${what}`,
  run: async (storage) => {
    await keep(storage, books, [toBook("one", {}, { version: 5 })]);
    const update = storage.transaction((tx) => tx.update(north, books, toBook("one", { title: "changed" }, { version })));
    expect(await rejectionOf(update, StaleVersion)).toMatchObject({ table: "books", id: idOf("one") });
    expect(await keptLabels(storage, { op: "equals", column: "title", value: "one" })).toEqual(["one"]);
  },
}));

export const updateTests: readonly ContractTest[] = [
  {
    name: "replaces texts, columns and version of a record and touches no other",
    run: async (storage) => {
      await keep(storage, books, [toBook("one", { pages: 1, isLent: true, subtitle: "old" }), toBook("two", { pages: 1 })]);
      const changed = toBook("one", { title: "uno", pages: 2 }, { version: 2, json: '{"label":"uno"}', hidden: "{}" });
      await storage.transaction((tx) => tx.update(north, books, changed));
      const kept = await storage.retrieve(north, books, changed.id);
      expect(kept && storedPart(kept)).toEqual(storedPart(changed));
      expect(await keptLabels(storage, { op: "equals", column: "pages", value: 2 })).toEqual(["uno"]);
      expect(await keptLabels(storage, { op: "equals", column: "subtitle", value: "old" })).toEqual([]);
      expect(await keptLabels(storage, { op: "equals", column: "isLent", value: false })).toEqual(["uno", "two"]);
    },
  },
  {
    name: "replaces the instants of a record",
    run: async (storage) => {
      await keep(storage, books, [toBook("one")]);
      await storage.transaction((tx) => tx.update(north, books, toBook("one", {}, { version: 2, lastUpdateInstant: 99 })));
      expect(await keptLabels(storage, { op: "equals", column: "lastUpdateInstant", value: 99 })).toEqual(["one"]);
      expect(await keptLabels(storage, { op: "equals", column: "version", value: 2 })).toEqual(["one"]);
    },
  },
  {
    name: "updates a record twice in one transaction",
    run: async (storage) => {
      await keep(storage, books, [toBook("one")]);
      await storage.transaction(async (tx) => {
        for (const version of [2, 3]) await tx.update(north, books, toBook("one", { pages: version }, { version }));
      });
      expect(await keptLabels(storage, { op: "equals", column: "pages", value: 3 })).toEqual(["one"]);
    },
  },
  {
    name: "refuses an update of a record that is not there",
    run: async (storage) => {
      const update = storage.transaction((tx) => tx.update(north, books, toBook("one", {}, { version: 2 })));
      expect(await rejectionOf(update, StaleVersion)).toMatchObject({ table: "books", id: idOf("one") });
      expect(await keptLabels(storage)).toEqual([]);
    },
  },
  {
    name: "never moves a record to another tenant",
    run: async (storage) => {
      await keep(storage, notes, [toRecord("one", { text: "mine" })]);
      for (const tenantId of [idOf("south"), null]) {
        const moved = toRecord("one", { text: "moved" }, { version: 2, tenantId });
        await rejectionOf(
          storage.transaction((tx) => tx.update(globalScope, notes, moved)),
          StaleVersion,
        );
      }
      expect(await storage.retrieve(north, notes, idOf("one"))).toMatchObject({ version: 1 });
    },
  },
  {
    name: "updates a record that has no tenant",
    run: async (storage) => {
      await keep(storage, notes, [toRecord("one", { text: "old" }, { tenantId: null })]);
      await storage.transaction((tx) =>
        tx.update(globalScope, notes, toRecord("one", { text: "new" }, { version: 2, tenantId: null })),
      );
      expect(await keptLabels(storage, { op: "equals", column: "text", value: "new" }, notes)).toEqual(["one"]);
    },
  },
  ...refusesStale,
];
