import { describe, expect, test } from "vitest";
import { FieldErrorList } from "../../src/errors/identity-error.js";
import type { ColumnValue, Criteria, SearchPage } from "../../src/ports/storage.js";
import { parseNextResults, toNextResults } from "../../src/search/next-results.js";
import { parseCriteria } from "../../src/search/parse-criteria.js";
import { cases, fc } from "../support/properties.js";
import { awkwardJson, awkwardText, definition, identityErrorOf, someId } from "./support.js";

const criteria: Criteria = {
  filter: { op: "equals", column: "state", value: "Active" },
  sort: [
    { column: "nameFolded", direction: "asc" },
    { column: "insertInstant", direction: "desc" },
  ],
  limit: 1,
  offset: 0,
};
const record = { id: someId, tenantId: null, version: 1, json: "{}", hidden: null };
const pageOf = (values: readonly ColumnValue[], total = 9): SearchPage => ({
  records: [record],
  total,
  last: { values, id: someId },
});

const read = (token: unknown, of: Criteria = criteria): Criteria["after"] | "refused" => {
  const errors = new FieldErrorList();
  const after = parseNextResults(token, of, errors);
  if (errors.isEmpty) return after;
  expect([after, errors.toError().code]).toEqual([undefined, "[invalid]nextResults"]);
  return "refused";
};
const tokenOf = (members: unknown): string => Buffer.from(JSON.stringify(members)).toString("base64url");
const membersOf = (token: string): unknown[] => JSON.parse(Buffer.from(token, "base64url").toString()) as unknown[];
const token = toNextResults(criteria, pageOf(["a", 5])) ?? "";
const [digest] = membersOf(token);

describe("a token", () => {
  test.each<[string, Criteria, SearchPage, boolean]>([
    ["is given on a full page with more behind it", criteria, pageOf(["a", 5]), true],
    ["is not given when the total says that this was all", criteria, pageOf(["a", 5], 1), false],
    ["is not given on a page that is not full", { ...criteria, limit: 2 }, pageOf(["a", 5]), false],
    ["is not given on an empty page", { ...criteria, limit: 0 }, { records: [], total: 9 }, false],
    [
      "is given by position, which the total says nothing about",
      { ...criteria, after: { id: someId, values: [] } },
      pageOf(["a", 5], 1),
      true,
    ],
    ["counts the rows before the page", { ...criteria, offset: 8 }, pageOf(["a", 5]), false],
  ])("%s", (_, of, page, isGiven) => {
    expect(toNextResults(of, page) !== undefined).toBe(isGiven);
  });

  test("decodes to the position that it encodes, for any texts", () => {
    const value = fc.oneof(awkwardText, fc.maxSafeInteger(), fc.boolean(), fc.constant(null));
    fc.assert(
      fc.property(value, value, (one, two) => {
        expect(read(toNextResults(criteria, pageOf([one, two])))).toEqual({ id: someId, values: [one, two] });
      }),
    );
  });

  test("comes back when the texts are as long as they get", () => {
    const values = ["\u0001".repeat(255), "\uffff".repeat(2_000)];
    expect(read(toNextResults(criteria, pageOf(values)))).toEqual({ id: someId, values });
  });

  test("may be used with another size of page", () => {
    expect(read(token, { ...criteria, limit: 100, offset: 5 })).toEqual({ id: someId, values: ["a", 5] });
  });
});

describe("refuses a token", () => {
  const { filter: _filter, ...unfiltered } = criteria;
  test.each<[string, Criteria]>([
    ["another filter", { ...criteria, filter: { op: "equals", column: "state", value: "Locked" } }],
    ["no filter", unfiltered],
    ["another order", { ...criteria, sort: [...criteria.sort].reverse() }],
    ["another direction", { ...criteria, sort: criteria.sort.map((field) => ({ ...field, direction: "asc" as const })) }],
  ])("of %s", (_, other) => {
    expect(read(token, other)).toBe("refused");
  });

  test.each<[string, unknown]>([
    ["no text", 5],
    ["a list", [token]],
    ["no JSON inside", Buffer.from("{").toString("base64url")],
    ["no list inside", tokenOf({ digest })],
    ["an empty list inside", tokenOf([])],
    ["no id", tokenOf([digest, null, "a", 5])],
    ["an id that is no UUID", tokenOf([digest, "1", "a", 5])],
    ["an id in capitals", tokenOf([digest, someId.toUpperCase(), "a", 5])],
    ["a value too few", tokenOf([digest, someId, "a"])],
    ["a value too many", tokenOf([digest, someId, "a", 5, 5])],
    ["a list for a value", tokenOf([digest, someId, ["a"], 5])],
    ["an object for a value", tokenOf([digest, someId, {}, 5])],
    ["a broken number", tokenOf([digest, someId, "a", 1.5])],
    ["an endless number", Buffer.from(`["${digest}","${someId}","a",1e999]`).toString("base64url")],
    ["a lone surrogate", tokenOf([digest, someId, "\ud800", 5])],
    ["U+0000", tokenOf([digest, someId, "\0", 5])],
    ["a foreign digest", tokenOf(["AAAAAAAAAAAAAAAA", someId, "a", 5])],
    ["a mebibyte", "A".repeat(2 ** 20)],
    ["deep nesting", Buffer.from("[".repeat(40_000)).toString("base64url")],
  ])("with %s", (_, tampered) => {
    expect(read(tampered)).toBe("refused");
  });

  test("together with criteria that are refused, without looking at it", () => {
    expect(Object.keys(identityErrorOf(() => parseCriteria(definition, { nextResults: "x", startRow: -1 })).fieldErrors)).toEqual(
      ["startRow"],
    );
  });
});

test("takes no token for the beginning", () => {
  expect([read(undefined), read(null), read("")]).toEqual([undefined, undefined, undefined]);
});

/** Positions hold as many values as the order has fields, each of a kind that a column can hold. */
function expectUsable(after: Criteria["after"] | "refused"): void {
  if (after === undefined || after === "refused") return;
  expect(after.values).toHaveLength(criteria.sort.length);
  for (const value of after.values) expect(value === null || ["string", "number", "boolean"].includes(typeof value)).toBe(true);
}

test("answers a changed token with a usable position or a refusal, and throws nothing", () => {
  const index = fc.nat(token.length - 1);
  const changed = fc.oneof(
    fc.tuple(index, fc.constantFrom("A", "_", "!", " ", "")).map(([at, by]) => token.slice(0, at) + by + token.slice(at + 1)),
    index.map((at) => token.slice(0, at)),
    fc.tuple(fc.nat(3), awkwardJson).map(([at, by]) => tokenOf(membersOf(token).with(at, by))),
    fc.base64String(),
    awkwardJson,
  );
  fc.assert(
    fc.property(changed, (raw) => expectUsable(read(raw))),
    cases(5_000),
  );
});

test("continues a search that is asked for again", () => {
  const raw = { state: "Active", orderBy: "name", numberOfResults: 1 };
  const next = toNextResults(parseCriteria(definition, raw), pageOf(["a"]));
  expect(parseCriteria(definition, { ...raw, startRow: 7, nextResults: next })).toMatchObject({
    offset: 0,
    after: { id: someId, values: ["a"] },
  });
});
