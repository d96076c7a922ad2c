import { type Criteria, globalScope } from "latchkey/ports";
import { expect } from "vitest";
import type { ContractTest } from "./contract-test.js";
import { keep, labelsOf } from "./kit.js";
import { books, idOf, north, toBook } from "./tables.js";

const sort = [{ column: "title", direction: "desc" }] as const;
const labels = Array.from("abcdefg");
const records = labels.map((label) => toBook(label, { isLent: label > "c" }));

type Case = readonly [what: string, criteria: Partial<Criteria>, page: string, total: number];

const cases: readonly Case[] = [
  ["the first page", { limit: 3 }, "gfe", 7],
  ["a page in the middle", { limit: 3, offset: 3 }, "dcb", 7],
  ["the last page, which is shorter", { limit: 3, offset: 6 }, "a", 7],
  ["a page that ends with the last record", { limit: 7 }, "gfedcba", 7],
  ["a page larger than everything", { limit: 10_000 }, "gfedcba", 7],
  ["a page right behind the end", { limit: 3, offset: 7 }, "", 7],
  ["a page far behind the end", { limit: 3, offset: 2 ** 31 - 1 }, "", 7],
  ["the total alone", { limit: 0 }, "", 7],
  ["the total alone, from somewhere", { limit: 0, offset: 3 }, "", 7],
  ["a page of what passes a filter", { limit: 2, offset: 1, filter: { op: "equals", column: "isLent", value: true } }, "fe", 4],
  ["a page of what nothing passes", { limit: 2, filter: { op: "or", filters: [] } }, "", 0],
];

const pages: readonly ContractTest[] = cases.map(([what, criteria, page, total]) => ({
  name: `answers ${what}`,
  run: async (storage) => {
    await keep(storage, books, [...records, toBook("x", {}, { tenantId: idOf("south") })]);
    const answer = await storage.search(north, books, { sort, limit: 10, offset: 0, ...criteria });
    expect([labelsOf(answer.records).join(""), answer.total]).toEqual([page, total]);
    const last = page.at(-1);
    expect(answer.last).toEqual(last === undefined ? undefined : { values: [last], id: idOf(last) });
  },
}));

export const offsetTests: readonly ContractTest[] = [
  ...pages,
  {
    name: "answers each record once when no record is written between the pages",
    run: async (storage) => {
      await keep(storage, books, records);
      const seen: string[] = [];
      for (let offset = 0; offset < labels.length; offset += 2) {
        const criteria = { sort: [{ column: "isLent", direction: "desc" }], limit: 2, offset } as const;
        seen.push(...labelsOf((await storage.search(globalScope, books, criteria)).records));
      }
      expect(seen.join("")).toBe("defgabc");
    },
  },
];
