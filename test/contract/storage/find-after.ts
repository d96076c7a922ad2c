import { type Filter, globalScope, type StorageReader, type TenantScope } from "latchkey/ports";
import { expect } from "vitest";
import type { ContractTest } from "./contract-test.js";
import { keep, labelsOf } from "./kit.js";
import { books, idOf, north, toBook } from "./tables.js";

const labels = Array.from({ length: 12 }, (_, index) => `b${index}`);

/** The labels of all records that pass, read in pages. */
async function readPages(
  reader: StorageReader,
  scope: TenantScope,
  filter: Filter | undefined,
  limit: number,
): Promise<string[]> {
  const found: string[] = [];
  for (let after = ""; ; ) {
    const page = await reader.find(scope, books, filter, { after, limit });
    found.push(...labelsOf(page));
    const last = page.at(-1);
    if (page.length < limit || last === undefined) return found;
    after = last.id;
  }
}

const filters: readonly (Filter | undefined)[] = [
  undefined,
  { op: "compare", column: "pages", comparison: ">", value: 4 },
  { op: "equals", column: "isLent", value: true },
  { op: "in", column: "id", values: [idOf("b1"), idOf("b7"), idOf("b11"), idOf("none")] },
  {
    op: "and",
    filters: [
      { op: "in", column: "id", values: [idOf("b1"), idOf("b7"), idOf("b11")] },
      { op: "equals", column: "isLent", value: true },
    ],
  },
  {
    op: "or",
    filters: [
      { op: "equals", column: "title", value: "b3" },
      { op: "matches", column: "title", pattern: ["", "1", ""] },
    ],
  },
  { op: "not", filter: { op: "equals", column: "isbn", value: "b3" } },
];

export const findAfterTests: readonly ContractTest[] = [
  {
    name: "reads page by page what it reads at once, with any filter",
    run: async (storage) => {
      const all = labels.map((label, index) =>
        toBook(label, { pages: index, isLent: index % 2 === 1, isbn: index === 3 ? "b3" : null }),
      );
      await keep(storage, books, all);
      for (const scope of [globalScope, north])
        for (const filter of filters)
          for (const limit of [1, 5, 100])
            expect(await readPages(storage, scope, filter, limit)).toEqual(labelsOf(await storage.find(scope, books, filter)));
    },
  },
];
