import { describe, expect, test } from "vitest";
import type { Filter } from "../../src/ports/storage.js";
import { parseQueryDocument } from "../../src/search/parse-query-document.js";
import { QueryError } from "../../src/search/query-fields.js";
import { anyCharacter, cases, fc } from "../support/properties.js";
import { answerOrRefusal, awkwardJson, queryFields, someId } from "./support.js";

const parse = (query: unknown): Filter => parseQueryDocument(queryFields, query);
const hasA: Filter = { op: "matches", column: "email", pattern: ["", "a", ""] };
const hasB: Filter = { op: "matches", column: "email", pattern: ["", "b", ""] };
const isActive: Filter = { op: "equals", column: "active", value: true };
const a = { match: { email: "A" } };
const b = { match: { email: { query: "b" } } };

describe("understands", () => {
  test.each<[unknown, Filter]>([
    [{ match_all: {} }, { op: "and", filters: [] }],
    [a, hasA],
    [b, hasB],
    [{ match: { email: { value: "a" } } }, hasA],
    [{ term: { active: true } }, isActive],
    [{ term: { active: { value: "true" } } }, isActive],
    [{ term: { email: 5 } }, { op: "equals", column: "email", value: "5" }],
    [{ prefix: { email: "a" } }, { op: "matches", column: "email", pattern: ["a", ""] }],
    [{ wildcard: { email: { value: "a*b" } } }, { op: "matches", column: "email", pattern: ["a", "b"] }],
    [{ term: { email: { value: " A*b " } } }, { op: "equals", column: "email", value: "a*b" }],
    [{ terms: { email: ["A", "b"] } }, { op: "in", column: "email", values: ["a", "b"] }],
    [{ terms: { email: "a" } }, { op: "in", column: "email", values: ["a"] }],
    [{ terms: { email: [] } }, { op: "or", filters: [] }],
    [{ terms: { id: [someId, someId.toUpperCase()] } }, { op: "in", column: "id", values: [someId, someId] }],
    [{ bool: {} }, { op: "and", filters: [] }],
    [{ bool: { must: a } }, { op: "and", filters: [hasA] }],
    [{ bool: { must: [a], filter: [b] } }, { op: "and", filters: [hasA, hasB] }],
    [{ bool: { must: null, should: [a, b] } }, { op: "and", filters: [{ op: "or", filters: [hasA, hasB] }] }],
    [
      { bool: { must_not: [a, b] } },
      {
        op: "and",
        filters: [
          { op: "not", filter: hasA },
          { op: "not", filter: hasB },
        ],
      },
    ],
    [{ nested: { path: "memberships", query: a } }, hasA],
    [JSON.stringify(a), hasA],
  ])("%j", (query, filter) => {
    expect(parse(query)).toEqual(filter);
  });

  test("a nested query on what is related", () => {
    const query = { nested: { path: "memberships", query: { term: { "memberships.groupId": someId } } } };
    expect(parse(query)).toMatchObject({ op: "exists", table: "groupMembers", filter: { column: "groupId", value: someId } });
  });

  test("a list of ten thousand ids", () => {
    const ids = Array.from({ length: 10_000 }, () => someId);
    expect(parse({ terms: { id: ids } })).toEqual({ op: "in", column: "id", values: ids });
  });
});

const deep = (levels: number): unknown => {
  let query: unknown = a;
  for (let level = 0; level < levels; level++) query = { bool: { must: query } };
  return query;
};

describe("refuses", () => {
  test.each<[string, unknown]>([
    ["a text that is not JSON", "{"],
    ["nothing", undefined],
    ["null", null],
    ["a number", 5],
    ["a list", [a]],
    ["an object without a kind", {}],
    ["an object of two kinds", { ...a, match_all: {} }],
    ["a kind that is not known", { script: { source: "1" } }],
    ["an inherited kind", { constructor: {} }],
    ["another inherited kind", JSON.parse('{"__proto__":{}}')],
    ["a kind that is no object", { match: "a" }],
    ["a test without a field", { match: {} }],
    ["a field that is not known", { match: { password: "x" } }],
    ["an inherited field", { match: { toString: "x" } }],
    ["a value that is an object", { match: { email: { query: {} } } }],
    ["a value that is a list", { match: { email: ["a"] } }],
    ["no value", { match: { email: null } }],
    ["a flag that is none", { term: { active: "1" } }],
    ["an id that is none", { terms: { id: [someId, "5"] } }],
    ["no nested query", { nested: { path: "memberships" } }],
    ["too many levels", deep(21)],
    ["far too many levels", deep(50_000)],
    ["a text of far too many levels", "[".repeat(1_000_000)],
    ["too many tests", { bool: { must: Array.from({ length: 201 }, () => a) } }],
    ["too many texts", { terms: { email: Array.from({ length: 201 }, () => "a") } }],
    ["too many queries that say nothing", { bool: { should: Array.from({ length: 100_000 }, () => ({ match_all: {} })) } }],
    ["a value that is too long", { match: { email: "a".repeat(1_001) } }],
    ["a long value with a wildcard", { wildcard: { email: `${"a".repeat(100_000)}*` } }],
    ["too many wildcards", { wildcard: { email: "*a".repeat(17) } }],
    ["U+0000 in a text", '{"match":{"email":"\\u0000"}}'],
    ["a lone surrogate in a text", '{"match":{"email":"\\ud800"}}'],
  ])("%s", (_, query) => {
    expect(() => parse(query)).toThrow(QueryError);
  });
});

test("answers any JSON, and any text, with a filter or a QueryError", () => {
  const { node } = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      awkwardJson,
      fc.dictionary(
        fc.constantFrom(
          "match_all",
          "bool",
          "nested",
          "match",
          "term",
          "terms",
          "prefix",
          "wildcard",
          "must",
          "should",
          "must_not",
          "query",
          "value",
          "email",
          "active",
          "id",
        ),
        fc.oneof(tie("node"), fc.array(tie("node"), { maxLength: 3 })),
        { maxKeys: 2 },
      ),
    ),
  }));
  const query = fc.oneof(
    node,
    node.map((value) => JSON.stringify(value)),
    fc.string({ unit: anyCharacter }),
  );
  fc.assert(
    fc.property(query, (value) => void answerOrRefusal(() => parse(value))),
    cases(10_000),
  );
});
