import { globalScope, StaleVersion, UniqueViolation } from "latchkey/ports";
import { expect } from "vitest";
import type { ContractTest } from "./contract-test.js";
import { keep, keptLabels, labelsOf, rejectionOf, storedPart } from "./kit.js";
import { books, entries, north, notes, toBook, toRecord } from "./tables.js";

// Storages may write many records another way than a few.
const labels = Array.from({ length: 30 }, (_, index) => `b${10 + index}`);

/** Every kind of value, and texts that a list of texts might mistake. */
const oddTexts = ["", "null", "NULL", "{a,b}", '"', "\\", "a\\", "'", "ä€\u{1f642}", ",", " "];
const odd = labels.map((label, index) =>
  toBook(
    label,
    {
      subtitle: index % 3 === 0 ? null : (oddTexts[index % oddTexts.length] ?? null),
      pages: index % 2 === 0 ? null : index - 10,
      isLent: index % 2 === 0,
      volume: index === 1 ? Number.MAX_SAFE_INTEGER : null,
    },
    { hidden: index % 4 === 0 ? null : (oddTexts[index % oddTexts.length] ?? null), json: JSON.stringify({ label, oddTexts }) },
  ),
);
const plain = labels.map((label) => toBook(label, { isbn: label }));

export const manyRecordsTests: readonly ContractTest[] = [
  {
    name: "keeps many records of one insert with all their values",
    run: async (storage) => {
      await keep(storage, books, odd);
      const found = await storage.find(north, books, undefined);
      expect(found.map(storedPart)).toEqual(odd.map(storedPart));
      for (const [column, value] of [
        ["subtitle", "{a,b}"],
        ["isLent", true],
        ["pages", -7],
        ["volume", Number.MAX_SAFE_INTEGER],
      ] as const) {
        const expected = odd.filter(({ columns }) => columns[column] === value).map(({ id }) => id);
        const passing = await storage.find(north, books, { op: "equals", column, value });
        expect([column, passing.map(({ id }) => id)]).toEqual([column, expected]);
      }
    },
  },
  {
    name: "keeps nothing of many records of which one collides, names its keys, and lets the transaction go on",
    run: async (storage) => {
      await keep(storage, books, [toBook("a", { isbn: "b20" })]);
      await storage.transaction(async (tx) => {
        const byKey = await rejectionOf(tx.insert(globalScope, books, plain), UniqueViolation);
        const twice = [...odd, toBook("b15", { title: "else" })];
        const byId = await rejectionOf(tx.insert(globalScope, books, twice), UniqueViolation);
        expect([byKey.keys, byId.keys, await keptLabels(tx)]).toEqual([["isbn"], ["id"], ["a"]]);
        await tx.insert(globalScope, books, odd);
      });
      expect(await keptLabels(storage)).toEqual(["a", ...labels]);
    },
  },
  {
    name: "rewrites many records, in a tenant and in none, or none of them where one is stale",
    run: async (storage) => {
      await keep(storage, books, plain);
      const noteOf = (label: string, version: number): ReturnType<typeof toRecord> =>
        toRecord(label, { text: label }, { tenantId: null, version, json: JSON.stringify({ label: `v${version}` }) });
      await keep(
        storage,
        notes,
        labels.map((label) => noteOf(label, 1)),
      );
      const more = { version: 2, json: '{"label":"new"}', hidden: "{}", lastUpdateInstant: 8 };
      const rewritten = labels.map((label) => toBook(label, { isbn: "else" }, more));
      await storage.transaction(async (tx) => {
        const stale = rewritten.with(17, toBook("b27", {}, { ...more, version: 4 }));
        const { id } = await rejectionOf(tx.rewrite(globalScope, books, stale), StaleVersion);
        expect([id, await keptLabels(tx)]).toEqual([rewritten[17]?.id, labels]);
        await tx.rewrite(globalScope, books, rewritten);
        await tx.rewrite(
          globalScope,
          notes,
          labels.map((label) => noteOf(label, 2)),
        );
      });
      expect((await storage.find(north, books, undefined)).map(storedPart)).toEqual(rewritten.map(storedPart));
      expect(await keptLabels(storage, { op: "equals", column: "isbn", value: "b10" })).toEqual(["new"]);
      expect(new Set(await keptLabels(storage, undefined, notes))).toEqual(new Set(["v2"]));
    },
  },
  {
    name: "takes many records of a log in the order in which one insert added them",
    run: async (storage) => {
      const added = labels.toReversed();
      await keep(
        storage,
        entries,
        added.map((label) => toRecord(label, { leasedUntil: null, text: label }, { tenantId: null })),
      );
      expect(labelsOf(await storage.transaction((tx) => tx.take(entries, 100)))).toEqual(added);
    },
  },
];
