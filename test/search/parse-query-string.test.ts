import { describe, expect, test } from "vitest";
import type { Filter } from "../../src/ports/storage.js";
import { evaluateFilter } from "../../src/search/evaluate-criteria.js";
import { parseQueryString } from "../../src/search/parse-query-string.js";
import { QueryError } from "../../src/search/query-fields.js";
import { anyCharacter, cases, fc } from "../support/properties.js";
import { answerOrRefusal, columnsOf, nothingRelated, queryFields, someId } from "./support.js";

const parse = (text: string): Filter => parseQueryString(queryFields, text);
const has = (column: string, part: string): Filter => ({ op: "matches", column, pattern: ["", part, ""] });
const term = (part: string): Filter => ({ op: "or", filters: [has("email", part), has("fullName", part)] });
const a = has("email", "a");
const b = has("email", "b");
const c = has("email", "c");
const everything: Filter = { op: "and", filters: [] };

describe("understands", () => {
  test.each<[string, Filter]>([
    ["jo", term("jo")],
    ["  JO  ", term("jo")],
    ['"jo do"', term("jo do")],
    ["jo do", { op: "and", filters: [term("jo"), term("do")] }],
    ["email:jo@example.com", has("email", "jo@example.com")],
    ['email:"jo do"', has("email", "jo do")],
    ["email:jo*", { op: "matches", column: "email", pattern: ["jo", ""] }],
    ["email:*", { op: "matches", column: "email", pattern: ["", ""] }],
    ["fullName:a:b", has("fullName", "a:b")],
    ["active:true", { op: "equals", column: "active", value: true }],
    ["active:false", { op: "equals", column: "active", value: false }],
    [`id:${someId.toUpperCase()}`, { op: "equals", column: "id", value: someId }],
    [
      `memberships.groupId:${someId}`,
      {
        op: "exists",
        table: "groupMembers",
        localColumn: "id",
        foreignColumn: "userId",
        filter: { op: "equals", column: "groupId", value: someId },
      },
    ],
    ["NOT email:a", { op: "not", filter: a }],
    ["email:a AND email:b", { op: "and", filters: [a, b] }],
    ["email:a OR email:b", { op: "or", filters: [a, b] }],
    ["email:a OR email:b AND email:c", { op: "or", filters: [a, { op: "and", filters: [b, c] }] }],
    ["(email:a OR email:b) AND email:c", { op: "and", filters: [{ op: "or", filters: [a, b] }, c] }],
    ["email:a email:b OR email:c", { op: "or", filters: [{ op: "and", filters: [a, b] }, c] }],
    ["email:a NOT (email:b OR email:c)", { op: "and", filters: [a, { op: "not", filter: { op: "or", filters: [b, c] } }] }],
    ["((email:a))", a],
    ["and or not", { op: "and", filters: [term("and"), term("or"), term("not")] }],
    ['"AND"', term("and")],
    ["email:AND", has("email", "and")],
    ["\\(a\\)", term("(a)")],
    ["a\\ b", term("a b")],
    ['"a\\"b"', term('a"b')],
    ["\\\\", term("\\")],
    ["%_", term("%_")],
    ["*", everything],
    ['"*"', everything],
    ["* email:a", { op: "and", filters: [everything, a] }],
    ["**", { op: "or", filters: ["email", "fullName"].map((column) => ({ op: "matches", column, pattern: ["*"] })) }],
  ])("%s", (text, filter) => {
    expect(parse(text)).toEqual(filter);
  });
});

describe("refuses", () => {
  test.each<[string, string]>([
    ["nothing", ""],
    ["blanks alone", "   "],
    ["a field that is not known", "password:x"],
    ["an inherited name", "constructor:x"],
    ["another inherited name", "__proto__:x"],
    ["a flag that is none", "active:yes"],
    ["an id that is none", "id:5"],
    ["a related id that is none", "memberships.groupId:*"],
    ["a quotation mark that is not closed", 'email:"a'],
    ["one behind a blank", 'a "b'],
    ["a parenthesis that is not closed", "(a"],
    ["a parenthesis that was not opened", "a)"],
    ["empty parentheses", "()"],
    ["AND without a right side", "a AND"],
    ["OR without a left side", "OR a"],
    ["NOT alone", "NOT"],
    ["a backslash at the end", "a\\"],
    ["too many wildcards", "email:".concat("a*".repeat(17))],
    ["too many parts", "a ".repeat(201)],
    ["too many levels", `${"(".repeat(21)}a${")".repeat(21)}`],
    ["too many characters", "a".repeat(2_001)],
    ["a value that is too long", "a".repeat(1_001)],
    ["U+0000", "a\0b"],
    ["a lone surrogate", "a\ud800b"],
  ])("%s", (_, text) => {
    expect(() => parse(text)).toThrow(QueryError);
  });
});

test("says nothing of a query's content but the name of a field, shortened", () => {
  const error = answerOrRefusal(() => parse(`${"x".repeat(900)}:secret`));
  expect(error).toMatchObject({ message: `The field ${"x".repeat(100)} cannot be searched.` });
});

const piece = fc.constantFrom(
  "a",
  "email:",
  "active:true",
  "AND",
  "OR",
  "NOT",
  "(",
  ")",
  '"',
  "\\",
  "*",
  ":",
  " ",
  "\n",
  "é",
  "\u{1f600}",
  "\ud800",
  "\0",
);

test("answers any text with a filter or a QueryError", () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join("")),
    fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(" ")),
  );
  fc.assert(
    fc.property(text, (query) => void answerOrRefusal(() => parse(query))),
    cases(10_000),
  );
});

// Backtracking over these would not end within the test's time.
test.each(["(", ")", "a", "a:", ":", '"', '""', "\\", "\\\\", "a ", " ", "*", "NOT ", "a OR ", '"\\', "(a", "\ud83d"])(
  "reads long repetitions of %j in steady time",
  (part) => {
    for (const length of [2_000, 1_000_000]) {
      const text = part.repeat(Math.ceil(length / part.length)).slice(0, length);
      for (const query of [text, `${text}"`, `"${text}`]) answerOrRefusal(() => parse(query));
    }
  },
);

/** A query as a tree, which can be written down and be judged without the parser. */
type Tree =
  | { readonly kind: "test"; readonly field: "email" | "fullName"; readonly part: string }
  | { readonly kind: "not"; readonly tree: Tree }
  | { readonly kind: "and" | "or"; readonly trees: readonly Tree[] };

function write(tree: Tree): string {
  if (tree.kind === "test") return `${tree.field}:"${tree.part.replace(/["\\]/g, "\\$&")}"`;
  if (tree.kind === "not") return `NOT (${write(tree.tree)})`;
  return `(${tree.trees.map(write).join(tree.kind === "and" ? " AND " : " OR ")})`;
}

type Person = Readonly<Record<"email" | "fullName", string>>;

function judge(tree: Tree, person: Person): boolean {
  if (tree.kind === "test") return person[tree.field].includes(tree.part);
  if (tree.kind === "not") return !judge(tree.tree, person);
  return tree.kind === "and" ? tree.trees.every((part) => judge(part, person)) : tree.trees.some((part) => judge(part, person));
}

const word = fc
  .array(fc.constantFrom("a", "b", "(", ")", '"', "\\", ":"), { minLength: 1, maxLength: 3 })
  .map((list) => list.join(""));
const { tree: anyTree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    fc.record({ kind: fc.constant("test" as const), field: fc.constantFrom("email" as const, "fullName" as const), part: word }),
    fc.record({ kind: fc.constant("not" as const), tree: tie("tree") }),
    fc.record({
      kind: fc.constantFrom("and" as const, "or" as const),
      trees: fc.array(tie("tree"), { minLength: 1, maxLength: 3 }),
    }),
  ),
}));

test("means what was written, for any nesting", () => {
  fc.assert(
    fc.property(anyTree, word, word, (tree, email, fullName) => {
      const person = { email, fullName };
      expect(evaluateFilter(parse(write(tree)), columnsOf(person), nothingRelated)).toBe(judge(tree, person));
    }),
    cases(3_000),
  );
});

test.each(["email: ada", "email:(ada OR bob)", "email:"])("refuses a field without a value: %s", (text) => {
  expect(() => parseQueryString(queryFields, text)).toThrow("has no value");
});
