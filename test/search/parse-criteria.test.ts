import { describe, expect, test } from "vitest";
import { IdentityError } from "../../src/errors/identity-error.js";
import { bothFilters, equalsFilter, parseCriteria, type RawCriteria } from "../../src/search/parse-criteria.js";
import { cases, fc } from "../support/properties.js";
import { awkwardJson, definition, identityErrorOf, someId } from "./support.js";

const parse = (raw: RawCriteria): ReturnType<typeof parseCriteria> => parseCriteria(definition, raw);
const defaultSort = [
  { column: "nameFolded", direction: "asc" },
  { column: "insertInstant", direction: "desc" },
];

describe("filters", () => {
  test.each<[RawCriteria, unknown]>([
    [{}, undefined],
    [{ unknown: "x", toString: "x" }, undefined],
    [{ name: "", id: null, start: undefined }, undefined],
    [{ name: "  " }, undefined],
    [{ name: "*" }, undefined],
    [{ name: " Admin " }, { op: "matches", column: "nameFolded", pattern: ["", "admin", ""] }],
    [{ name: "A*Z" }, { op: "matches", column: "nameFolded", pattern: ["a", "z"] }],
    [{ id: ` ${someId.toUpperCase()} ` }, { op: "equals", column: "id", value: someId }],
    [{ ids: someId }, { op: "in", column: "id", values: [someId] }],
    [{ ids: `${someId}, ${someId}` }, { op: "in", column: "id", values: [someId, someId] }],
    [{ ids: [someId.toUpperCase()] }, { op: "in", column: "id", values: [someId] }],
    [{ ids: [] }, { op: "in", column: "id", values: [] }],
    [{ code: " A " }, { op: "equals", column: "code", value: " A " }],
    [{ state: "Active" }, { op: "equals", column: "state", value: "Active" }],
    [{ start: 5 }, { op: "compare", column: "insertInstant", comparison: ">=", value: 5 }],
    [{ end: " -5 " }, { op: "compare", column: "insertInstant", comparison: "<", value: -5 }],
    [{ query: "x" }, { op: "equals", column: "code", value: '"x"' }],
  ])("reads %j", (raw, filter) => {
    expect(parse(raw).filter).toEqual(filter);
  });

  test("looks at the record that a column points to where the definition says so", () => {
    const via = { table: "owners", localColumn: "ownerId" };
    const owned = { ...definition, filters: { owner: { kind: "text", column: "nameFolded", via } as const } };
    const matches = { op: "matches", column: "nameFolded", pattern: ["", "ann", ""] };
    const filter = { op: "exists", ...via, foreignColumn: "id", filter: matches };
    expect(parseCriteria(owned, { owner: " Ann " }).filter).toEqual(filter);
    expect(parseCriteria(owned, { owner: "*" }).filter).toBeUndefined();
    expect(identityErrorOf(() => parseCriteria(owned, { owner: "*a".repeat(17) })).code).toBe("[invalid]owner");
  });

  test("joins several, all of which must hold", () => {
    expect(parse({ code: "a", state: "Locked" }).filter).toEqual({
      op: "and",
      filters: [equalsFilter("code", "a"), equalsFilter("state", "Locked")],
    });
  });

  test("reports everything it refuses at once", () => {
    const { status, fieldErrors } = identityErrorOf(() =>
      parse({ id: "1", state: "?", start: "soon", orderBy: "x", startRow: -1 }),
    );
    expect([status, Object.keys(fieldErrors)]).toEqual([400, ["id", "state", "start", "orderBy", "startRow"]]);
  });
});

describe("refusals", () => {
  test.each<[RawCriteria, string]>([
    [{ name: 5 }, "[invalidJSON]name"],
    [{ name: ["a", "b"] }, "[invalidJSON]name"],
    [{ name: "x".repeat(1_001) }, "[tooLong]name"],
    [{ name: "*a".repeat(17) }, "[invalid]name"],
    [{ id: "5" }, "[couldNotConvert]id"],
    [{ ids: "a,b" }, "[couldNotConvert]ids"],
    [{ ids: [someId, 5] }, "[couldNotConvert]ids"],
    [{ ids: {} }, "[couldNotConvert]ids"],
    [{ ids: Array.from({ length: 10_001 }, () => someId) }, "[tooMany]ids"],
    [{ state: "active" }, "[couldNotConvert]state"],
    [{ start: String(2 ** 60) }, "[couldNotConvert]start"],
    [{ start: 1.5 }, "[couldNotConvert]start"],
    [{ start: "0x10" }, "[couldNotConvert]start"],
    [{ query: "bad" }, "[invalid]query"],
    [{ numberOfResults: -1 }, "[invalid]numberOfResults"],
    [{ numberOfResults: 10_001 }, "[invalid]numberOfResults"],
    [{ numberOfResults: "many" }, "[couldNotConvert]numberOfResults"],
    [{ numberOfResults: 1.5 }, "[couldNotConvert]numberOfResults"],
    [{ numberOfResults: [] }, "[couldNotConvert]numberOfResults"],
    [{ startRow: 2 ** 31 }, "[invalid]startRow"],
    [{ startRow: "1e3" }, "[couldNotConvert]startRow"],
    [{ nextResults: "x" }, "[invalid]nextResults"],
  ])("refuses %j with %s", (raw, code) => {
    expect(identityErrorOf(() => parse(raw)).code).toBe(code);
  });
});

describe("order", () => {
  const byId = [{ column: "id", direction: "asc" }];
  test.each<[RawCriteria, unknown]>([
    [{}, defaultSort],
    [{ orderBy: "" }, defaultSort],
    [{ orderBy: null }, defaultSort],
    [{ sortFields: [] }, defaultSort],
    [{ orderBy: "id" }, byId],
    [{ orderBy: " id  asc " }, byId],
    [{ orderBy: "id Desc" }, [{ column: "id", direction: "desc" }]],
    [{ orderBy: "name DESC,id" }, [{ column: "nameFolded", direction: "desc" }, ...byId]],
    [{ orderBy: "tenant.name" }, [{ ...definition.sortable["tenant.name"], direction: "asc" }]],
    [{ orderBy: "id, name, id DESC" }, [...byId, { column: "nameFolded", direction: "asc" }]],
    [{ sortFields: [{ name: "id" }] }, byId],
    [{ sortFields: [{ name: "id", order: "desc", missing: "_first" }] }, [{ column: "id", direction: "desc" }]],
    [{ sortFields: [{ name: "name", order: null }, { name: "id" }] }, [{ column: "nameFolded", direction: "asc" }, ...byId]],
    [{ orderBy: "id", sortFields: [{ name: "name" }] }, byId],
  ])("reads %j", (raw, sort) => {
    expect(parse(raw).sort).toEqual(sort);
  });

  test.each<[string, unknown]>([
    ["a field that cannot be sorted by", "data"],
    ["an inherited name", "constructor"],
    ["another inherited name", "__proto__"],
    ["a direction that is none", "id UP"],
    ["SQL", "id; drop table users"],
    ["SQL behind a field", "id ASC, (select 1)"],
    ["nothing between commas", "id,,name"],
    ["a number", 5],
    ["a list", ["id"]],
    ["a text that is too long", `id${" ".repeat(1_000)}`],
  ])("refuses %s", (_, orderBy) => {
    expect(identityErrorOf(() => parse({ orderBy })).code).toBe("[invalid]orderBy");
  });

  test.each<[string, unknown]>([
    ["no object", [null, "id"]],
    ["a name that is no text", [{ name: { toString: 1, valueOf: 1 } }]],
    ["an order that is no text", [{ name: "id", order: { toString: null } }]],
    ["a number", 5],
  ])("refuses sort fields with %s", (_, sortFields) => {
    expect(identityErrorOf(() => parse({ sortFields })).code).toBe("[invalid]orderBy");
  });
});

describe("pages", () => {
  test.each<[RawCriteria, number, number]>([
    [{}, 25, 0],
    [{ numberOfResults: "", startRow: null }, 25, 0],
    [{ numberOfResults: "0", startRow: "7" }, 0, 7],
    [{ numberOfResults: 10_000, startRow: 2 ** 31 - 1 }, 10_000, 2 ** 31 - 1],
  ])("reads %j", (raw, limit, offset) => {
    expect(parse(raw)).toMatchObject({ limit, offset });
  });
});

test("joins two filters of which either may be absent", () => {
  const [a, b] = [equalsFilter("a", 1), equalsFilter("b", null)];
  expect([bothFilters(undefined, undefined), bothFilters(a, undefined), bothFilters(undefined, b), bothFilters(a, b)]).toEqual([
    undefined,
    a,
    b,
    { op: "and", filters: [a, b] },
  ]);
});

test("answers any criteria with usable ones or with an IdentityError 400", () => {
  const names = [
    ...Object.keys(definition.filters),
    "orderBy",
    "sortFields",
    "numberOfResults",
    "startRow",
    "nextResults",
    "__proto__",
  ];
  const raw = fc.dictionary(fc.constantFrom(...names), awkwardJson, { maxKeys: 4 });
  const sortColumns = Object.values(definition.sortable).map((field) => field.column);
  fc.assert(
    fc.property(raw, (criteria) => {
      try {
        const { sort, limit, offset } = parse(criteria);
        expect(sort.length).toBeGreaterThan(0);
        expect(sort.every((field) => sortColumns.includes(field.column))).toBe(true);
        expect(Number.isInteger(limit) && limit >= 0 && limit <= 10_000).toBe(true);
        expect(Number.isInteger(offset) && offset >= 0 && offset < 2 ** 31).toBe(true);
      } catch (error) {
        if (!(error instanceof IdentityError) || error.status !== 400) throw error;
      }
    }),
    cases(5_000),
  );
});
