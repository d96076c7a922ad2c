import { type Filter, globalScope, tenantScope } from "latchkey/ports";
import { expect } from "vitest";
import type { ContractTest } from "./contract-test.js";
import { and, compare, equals, fill, hasTag, narrow, not, onShelf, or, within } from "./filters.js";
import { keptLabels, labelsOf } from "./kit.js";
import { books, bookTags, idOf, north } from "./tables.js";

/** Filters that differ in their values alone, and what passes each. */
const alike: readonly (readonly (readonly [filter: Filter, passing: string])[])[] = [
  [
    [equals("subtitle", "one"), "a"],
    [equals("subtitle", "One"), "c"],
    [equals("subtitle", null), "b"],
  ],
  [
    [within("pages", [9, 10]), "ac"],
    [within("pages", [-1]), "d"],
    [within("pages", [null, 9]), "bc"],
    [within("pages", []), ""],
  ],
  [
    [compare("pages", ">", 9), "a"],
    [compare("pages", ">", -1), "ac"],
    [compare("pages", ">=", -1), "acd"],
  ],
  [
    [and(equals("isLent", true), not(equals("pages", 9))), "a"],
    [and(equals("isLent", true), not(equals("pages", 10))), "c"],
    [and(equals("isLent", false), not(equals("pages", 10))), "bd"],
    [or(equals("isLent", true), not(equals("pages", 9))), "abcd"],
  ],
  [
    [hasTag(equals("tag", "old")), "a"],
    [hasTag(equals("tag", "red")), "ac"],
    [narrow(hasTag(equals("tag", "red"))), "ac"],
    [narrow(hasTag(equals("tag", "old"))), "a"],
    [hasTag(), "ac"],
    [onShelf(equals("name", "lower")), "c"],
    [onShelf(equals("name", "upper")), "ab"],
  ],
  [
    [and(and(equals("title", "a")), or()), ""],
    [and(or(equals("title", "a")), and()), "a"],
  ],
  [
    [{ op: "matches", column: "title", pattern: ["a"] }, "a"],
    [{ op: "matches", column: "title", pattern: ["", "b", ""] }, "b"],
  ],
];

/** A storage may keep what it has worked out for one call, which must not be taken for another's. */
export const repeatedCallTests: readonly ContractTest[] = [
  {
    name: "tells apart what is asked one after the other",
    run: async (storage) => {
      await fill(storage);
      for (const [filter, passing] of alike.flat()) {
        expect(await keptLabels(storage, filter), JSON.stringify(filter)).toEqual(Array.from(passing));
        const ids = await storage.findIds(north, books, "id", filter);
        expect(ids.toSorted(), JSON.stringify(filter)).toEqual(Array.from(passing, idOf).sort());
        expect(await storage.findIds(tenantScope(idOf("south")), books, "id", filter)).toEqual([]);
      }
      const sorted = (direction: "asc" | "desc", limit: number) =>
        storage.find(north, books, undefined, { limit, sort: [{ column: "pages", direction }] });
      expect(labelsOf(await sorted("asc", 2))).toEqual(["b", "d"]);
      expect(labelsOf(await sorted("desc", 2))).toEqual(["a", "c"]);
      expect(labelsOf(await sorted("desc", 3))).toEqual(["a", "c", "d"]);
      const byName = await storage.find(north, books, equals("isLent", true), {
        sort: [{ column: "name", direction: "asc", via: { table: "shelves", localColumn: "shelfId" } }],
      });
      expect(labelsOf(byName)).toEqual(["c", "a"]);
      expect(await storage.findIds(north, bookTags, "bookId", equals("tag", "old"))).toEqual([idOf("a")]);
    },
  },
  {
    name: "finds ids inside a transaction as outside, removes by the same filter",
    run: async (storage) => {
      await fill(storage);
      await storage.transaction(async (tx) => {
        expect(await tx.remove(north, books, equals("title", "a"))).toBe(1);
        expect(await tx.remove(north, books, equals("title", "a"))).toBe(0);
        expect(await tx.remove(north, books, equals("title", "c"))).toBe(1);
        expect(await tx.findIds(north, books, "shelfId", undefined)).toEqual([idOf("x")]);
      });
      expect(await storage.findIds(globalScope, books, "shelfId", undefined)).toEqual([idOf("x")]);
    },
  },
];
