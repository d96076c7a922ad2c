import { globalScope } from "latchkey/ports";
import { expect } from "vitest";
import type { ContractTest } from "./contract-test.js";
import { keep, keptLabels, rejectionOf, storedPart } from "./kit.js";
import { books, idOf, north, south, toBook } from "./tables.js";

const original = toBook("one", { pages: 1 }, { version: 5, hidden: '{"secret":1}' });

export const hiddenTests: readonly ContractTest[] = [
  {
    name: "replaces what a record hides and nothing else",
    run: async (storage) => {
      await keep(storage, books, [original, toBook("two", {}, { hidden: "{}" })]);
      const change = { id: original.id, version: 5, hidden: '{"secret":2}' };
      expect(await storage.transaction((tx) => tx.replaceHidden(north, books, [change]))).toEqual([original.id]);
      const kept = await storage.retrieve(north, books, original.id);
      expect(kept && storedPart(kept)).toEqual({ ...storedPart(original), hidden: '{"secret":2}' });
      expect(await keptLabels(storage, { op: "equals", column: "pages", value: 1 })).toEqual(["one"]);
      const { lastUpdateInstant } = original;
      expect(await keptLabels(storage, { op: "equals", column: "lastUpdateInstant", value: lastUpdateInstant })).toContain("one");
      expect(await storage.retrieve(north, books, idOf("two"))).toMatchObject({ hidden: "{}" });
    },
  },
  {
    name: "replaces what is hidden by nothing, and nothing by something",
    run: async (storage) => {
      await keep(storage, books, [original]);
      for (const hidden of [null, "{}"]) {
        await storage.transaction((tx) => tx.replaceHidden(globalScope, books, [{ id: original.id, version: 5, hidden }]));
        expect(await storage.retrieve(north, books, original.id)).toMatchObject({ hidden, version: 5 });
      }
    },
  },
  {
    name: "replaces nothing hidden of another version, in another tenant, or of no record",
    run: async (storage) => {
      await keep(storage, books, [original]);
      const to = { id: original.id, version: 5, hidden: "{}" };
      const tries = [
        [north, { ...to, version: 4 }],
        [north, { ...to, version: 6 }],
        [south, to],
        [globalScope, { ...to, id: idOf("two") }],
      ] as const;
      for (const [scope, change] of tries)
        expect(await storage.transaction((tx) => tx.replaceHidden(scope, books, [change]))).toEqual([]);
      expect(await storage.retrieve(north, books, original.id)).toMatchObject({ hidden: original.hidden });
    },
  },
  {
    name: "replaces what many records hide, of those alone whose versions are right",
    run: async (storage) => {
      const labels = Array.from({ length: 40 }, (_, index) => `book ${index}`);
      await keep(
        storage,
        books,
        labels.map((label) => toBook(label, {}, { hidden: "{}", version: 5 })),
      );
      for (const scope of [north, globalScope]) {
        const hidden = JSON.stringify({ scope: scope.kind });
        const changes = labels.map((label, index) => ({ id: idOf(label), hidden, version: index % 2 === 0 ? 5 : 6 }));
        const replaced = await storage.transaction((tx) => tx.replaceHidden(scope, books, changes));
        expect(replaced.toSorted()).toEqual(
          labels
            .filter((_, index) => index % 2 === 0)
            .map(idOf)
            .toSorted(),
        );
        expect(await storage.retrieve(north, books, idOf("book 0"))).toMatchObject({ hidden, version: 5 });
        expect(await storage.retrieve(north, books, idOf("book 1"))).toMatchObject({ hidden: "{}", version: 5 });
      }
      expect(await storage.transaction((tx) => tx.replaceHidden(globalScope, books, []))).toEqual([]);
    },
  },
  {
    name: "shows hidden texts that it replaced to its own transaction, and undoes it with it",
    run: async (storage) => {
      await keep(storage, books, [original]);
      const failing = storage.transaction(async (tx) => {
        expect(await tx.retrieve(globalScope, books, original.id)).toMatchObject({ hidden: original.hidden });
        await tx.replaceHidden(globalScope, books, [{ id: original.id, version: 5, hidden: "{}" }]);
        expect(await tx.retrieve(globalScope, books, original.id)).toMatchObject({ hidden: "{}", version: 5 });
        throw new RangeError("no");
      });
      await rejectionOf(failing, RangeError);
      expect(await storage.retrieve(north, books, original.id)).toMatchObject({ hidden: original.hidden });
    },
  },
];
