import { globalScope, StaleVersion, tenantScope } from "latchkey/ports";
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
    name: "rewrites texts, instants and versions of records, and leaves their own columns",
    run: async (storage) => {
      await keep(storage, books, [toBook("one", { pages: 1 }), toBook("two", { pages: 2 }), toBook("three", { pages: 3 })]);
      const json = '{"label":"new"}';
      const more = { version: 2, json, hidden: "{}", insertInstant: 7, lastUpdateInstant: 8 };
      const rewritten = ["one", "two"].map((label) => toBook(label, { title: "three", pages: 9 }, more));
      await storage.transaction((tx) => tx.rewrite(north, books, rewritten));
      const [one] = rewritten;
      const kept = one && (await storage.retrieve(north, books, one.id));
      expect(kept && storedPart(kept)).toEqual(one && storedPart(one));
      expect(await keptLabels(storage, { op: "equals", column: "pages", value: 9 })).toEqual([]);
      expect(await keptLabels(storage, { op: "equals", column: "title", value: "two" })).toEqual(["new"]);
      for (const [column, value] of Object.entries({ version: 2, insertInstant: 7, lastUpdateInstant: 8 }))
        expect(await keptLabels(storage, { op: "equals", column, value })).toEqual(["new", "new"]);
    },
  },
  {
    name: "rewrites nothing of a call when one of its records is stale, gone or another tenant's",
    run: async (storage) => {
      await keep(storage, books, [toBook("one"), toBook("two", {}, { version: 3 })]);
      await keep(storage, notes, [toRecord("note", { text: "x" }, { tenantId: null })]);
      const one = toBook("one", {}, { version: 2, json: '{"label":"new"}' });
      for (const stale of [toBook("two", {}, { version: 3 }), toBook("none", {}, { version: 2 })]) {
        const error = await storage.transaction(async (tx) => {
          const rejection = await rejectionOf(tx.rewrite(north, books, [one, stale]), StaleVersion);
          expect(await keptLabels(tx)).toEqual(["one", "two"]);
          return rejection;
        });
        expect(error).toMatchObject({ table: "books", id: stale.id });
      }
      const foreign = storage.transaction((tx) => tx.rewrite(tenantScope(idOf("south")), books, [one]));
      await expect(foreign).rejects.toThrow("outside of the tenant scope");
      expect(await keptLabels(storage)).toEqual(["one", "two"]);
      const note = toRecord("note", { text: "y" }, { tenantId: null, version: 2, json: '{"label":"new"}' });
      await storage.transaction((tx) => tx.rewrite(globalScope, notes, [note]));
      expect(await keptLabels(storage, { op: "equals", column: "text", value: "x" }, notes)).toEqual(["new"]);
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
