import { describe, expect, test } from "vitest";
import type { ColumnValue, Filter, SortField } from "../../src/ports/storage.js";
import {
  type ColumnsOf,
  compareSortValues,
  compareValues,
  evaluateFilter,
  type RelatedRecords,
  sortValue,
} from "../../src/search/evaluate-criteria.js";
import { fc } from "../support/properties.js";
import { awkwardText, columnsOf, nothingRelated } from "./support.js";

const record = columnsOf({ id: "1", text: "abc", number: 5, flag: true, none: null, shelfId: "s" });
const passes = (filter: Filter, related: RelatedRecords = nothingRelated): boolean => evaluateFilter(filter, record, related);

describe("a filter", () => {
  test.each<[boolean, Filter]>([
    [true, { op: "equals", column: "text", value: "abc" }],
    [false, { op: "equals", column: "number", value: "5" }],
    [false, { op: "equals", column: "flag", value: 1 }],
    [true, { op: "equals", column: "none", value: null }],
    [true, { op: "in", column: "none", values: [null] }],
    [false, { op: "in", column: "number", values: ["5", 4] }],
    [true, { op: "in", column: "number", values: [...Array(100).keys()] }],
    [false, { op: "in", column: "number", values: [...Array(100).keys()].map(String) }],
    [true, { op: "matches", column: "text", pattern: ["a", "c"] }],
    [false, { op: "matches", column: "none", pattern: ["", ""] }],
    [false, { op: "matches", column: "number", pattern: ["", "5", ""] }],
    [true, { op: "compare", column: "number", comparison: "<=", value: 5 }],
    [false, { op: "compare", column: "none", comparison: "<", value: 5 }],
    [false, { op: "compare", column: "none", comparison: ">=", value: "" }],
    [true, { op: "compare", column: "text", comparison: "<", value: "abd" }],
    [true, { op: "and", filters: [] }],
    [false, { op: "or", filters: [] }],
    [true, { op: "not", filter: { op: "compare", column: "none", comparison: "<", value: 5 } }],
    [false, { op: "exists", table: "tags", localColumn: "id", foreignColumn: "bookId" }],
  ])("%s: %j", (isPassed, filter) => {
    expect(passes(filter)).toBe(isPassed);
  });

  test("asks for related records by the value of its own column", () => {
    const asked: unknown[] = [];
    const related: RelatedRecords = {
      withValue(...parameters) {
        asked.push(parameters);
        return [columnsOf({ tag: "x" }), columnsOf({ tag: "y" })];
      },
    };
    const exists = (value: string): Filter => ({
      op: "exists",
      table: "tags",
      localColumn: "id",
      foreignColumn: "bookId",
      filter: { op: "equals", column: "tag", value },
    });
    expect([passes(exists("y"), related), passes(exists("z"), related)]).toEqual([true, false]);
    expect(asked).toEqual([
      ["tags", "bookId", "1"],
      ["tags", "bookId", "1"],
    ]);
  });

  test("finds nothing related to no value", () => {
    const everything: RelatedRecords = { withValue: () => [columnsOf({})] };
    const filter: Filter = { op: "exists", table: "tags", localColumn: "none", foreignColumn: "none" };
    expect(passes(filter, everything)).toBe(false);
  });
});

describe("an order", () => {
  test("takes the value of the record that a column points to, or none", () => {
    const field: SortField = { column: "name", direction: "asc", via: { table: "shelves", localColumn: "shelfId" } };
    const related: RelatedRecords = {
      withValue: (_, column, value): Iterable<ColumnsOf> =>
        column === "id" && value === "s" ? [columnsOf({ name: "upper" })] : [],
    };
    const elsewhere = columnsOf({ shelfId: "t" });
    expect([sortValue(field, record, related), sortValue(field, elsewhere, related)]).toEqual(["upper", null]);
    expect(sortValue({ column: "text", direction: "asc" }, record, related)).toBe("abc");
  });

  test("goes by the fields one after another, then by id", () => {
    const sort: SortField[] = [
      { column: "a", direction: "desc" },
      { column: "b", direction: "asc" },
    ];
    const positions = [
      { values: [2, null], id: "1" },
      { values: [2, "x"], id: "1" },
      { values: [2, "x"], id: "2" },
      { values: [1, null], id: "0" },
      { values: [null, "a"], id: "0" },
    ];
    const shuffled = [3, 0, 4, 2, 1].map((index) => positions[index] as (typeof positions)[number]);
    expect(shuffled.sort((one, two) => compareSortValues(sort, one, two))).toEqual(positions);
  });

  test("is a total order on the values of one kind, nulls first", () => {
    const kinds = [awkwardText, fc.maxSafeInteger(), fc.boolean()] as const;
    for (const kind of kinds) {
      const value: fc.Arbitrary<ColumnValue> = fc.option(kind as fc.Arbitrary<ColumnValue>);
      fc.assert(
        fc.property(value, value, value, (a, b, c) => {
          expect(Math.sign(compareValues(a, b))).toBe(-Math.sign(compareValues(b, a)) + 0);
          expect(compareValues(a, b) === 0).toBe(a === b);
          if (compareValues(a, b) <= 0 && compareValues(b, c) <= 0) expect(compareValues(a, c)).toBeLessThanOrEqual(0);
          expect(compareValues(null, a)).toBeLessThanOrEqual(0);
        }),
      );
    }
  });
});
