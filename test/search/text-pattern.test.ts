import { describe, expect, test } from "vitest";
import { matchesPattern, maxWildcards, parseTextPattern } from "../../src/search/text-pattern.js";
import { foldText } from "../../src/shared/text.js";
import { cases, fc } from "../support/properties.js";
import { awkwardText, foldedText } from "./support.js";

describe("a filter text", () => {
  test.each<[string, ReturnType<typeof parseTextPattern>]>([
    ["", "everything"],
    ["   ", "everything"],
    ["*", "everything"],
    [" * ", "everything"],
    ["* *", ["", " ", ""]],
    ["Admin", ["", "admin", ""]],
    [" Ädmin ", ["", "ädmin", ""]],
    ["a b", ["", "a b", ""]],
    ["100%_\\", ["", "100%_\\", ""]],
    ["a*", ["a", ""]],
    ["*a", ["", "a"]],
    ["*a*", ["", "a", ""]],
    ["a*b*c", ["a", "b", "c"]],
    ["a**", ["a*"]],
    ["**", ["*"]],
    ["***", ["*", ""]],
    ["****", ["**"]],
    ["a**b*", ["a*b", ""]],
    ["*".repeat(2 * maxWildcards + 1), [`${"*".repeat(maxWildcards)}`, ""]],
    ["a*".repeat(maxWildcards), [...Array.from({ length: maxWildcards }, () => "a"), ""]],
    ["a*".repeat(maxWildcards + 1), "tooManyWildcards"],
    ["* ".repeat(maxWildcards + 1), "tooManyWildcards"],
  ])("%j becomes %j", (text, pattern) => {
    expect(parseTextPattern(text)).toEqual(pattern);
  });
});

const toSource = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/** The same rule said by a regular expression. */
function passesByExpression(filter: string, text: string): boolean {
  const folded = foldText(filter.trim());
  if (!folded.includes("*")) return foldText(text).includes(folded);
  const source = folded.replace(/\*\*|\*|[^*]+/g, (part) => (part === "**" ? "\\*" : part === "*" ? "[^]*" : toSource(part)));
  return new RegExp(`^${source}$`).test(foldText(text));
}

test("decides as a regular expression does", () => {
  const alphabet = fc
    .array(fc.constantFrom("a", "b", "A", "*", "**", "%", ".", "é"), { maxLength: 7 })
    .map((list) => list.join(""));
  fc.assert(
    fc.property(fc.oneof(alphabet, awkwardText), fc.oneof(alphabet, awkwardText), (filter, text) => {
      const pattern = parseTextPattern(filter);
      if (pattern === "tooManyWildcards") return;
      const passes = pattern === "everything" || matchesPattern(foldText(text), pattern);
      expect(passes).toBe(passesByExpression(filter, text));
    }),
    cases(20_000),
  );
});

test("finds every part of a text in it, anchored where it is first or last", () => {
  fc.assert(
    fc.property(foldedText, foldedText, foldedText, (before, part, after) => {
      const text = before + part + after;
      expect(matchesPattern(text, ["", part, ""])).toBe(true);
      expect(matchesPattern(text, [before, after])).toBe(true);
      expect(matchesPattern(text, [before, part, after])).toBe(true);
      expect(matchesPattern(text, [text])).toBe(true);
      expect(matchesPattern(`${text}x`, [text])).toBe(false);
    }),
  );
});

test.each<[string, readonly string[], boolean]>([
  ["a", ["a", "a"], false],
  ["aa", ["a", "a"], true],
  ["aba", ["ab", "ba"], false],
  ["abba", ["ab", "ba"], true],
  ["aba", ["a", "b", "ba"], false],
  ["ab", ["a", "", "b"], true],
  ["", ["", ""], true],
])("takes no character of %j for two parts of %j", (text, pattern, isMatching) => {
  expect(matchesPattern(text, pattern)).toBe(isMatching);
});

// Quadratic work on these would not end within the test's time.
test("reads and matches long texts", () => {
  const stars = "**".repeat(500_000);
  expect(parseTextPattern(stars)).toEqual(["*".repeat(500_000)]);
  expect(parseTextPattern("a*".repeat(500_000))).toBe("tooManyWildcards");
  const text = "ab".repeat(500_000);
  const pattern = ["", ...Array.from({ length: maxWildcards }, () => "ba"), "c"];
  expect(matchesPattern(text, pattern)).toBe(false);
  expect(matchesPattern(`${text}c`, pattern)).toBe(true);
});
