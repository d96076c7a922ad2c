import { describe, expect, test } from "vitest";
import { findExpressionError } from "../../src/shared/text.js";
import { cpuTime } from "../support/cpu-time.js";

describe("an expression", () => {
  test.each([
    "",
    "^\\d{3}$",
    "[\\w.+\\-]+@[a-z]+",
    "\\p{L}+",
    "(?<year>\\d{4})-\\k<year>",
    "(?=.*\\d)(?<!x).+",
    "a|b|",
    "\\u00e4\\x41\\cA\\t",
    "🙂+",
  ])("%s is one", (expression) => {
    expect(findExpressionError(expression)).toBeUndefined();
  });

  test.each(["\\-", "\\@", "\\ ", "a\\_b", "\\#\\!\\'\\\"", "[\\@\\-\\&]", "[a\\-z]", "\\🙂", "\\%{2}", "\\\\-", "\\/"])(
    "%s is one: any character but a letter or digit may have a backslash",
    (expression) => {
      expect(findExpressionError(expression)).toBeUndefined();
    },
  );

  test.each([
    ["(", "Unterminated group"],
    ["a)", "Unmatched ')'"],
    ["[a-z", "Unterminated character class"],
    ["[z-a]", "Range out of order in character class"],
    ["*", "Nothing to repeat"],
    ["a{2,1}", "numbers out of order in {} quantifier"],
    ["\\", "\\ at end of pattern"],
    ["key: (", "Unterminated group"],
    ["a\n(", "Unterminated group"],
  ])("%s is none: %s", (expression, reason) => {
    expect(findExpressionError(expression)).toBe(reason);
  });

  // What Java has and the engine has not: better refused than understood otherwise.
  test.each(["a++", "a?+", "(?>a)", "(?i)a", "\\Aa\\z", "a\\Z", "\\Qa.b\\E", "\\h", "\\p{Punct}", "[a-z&&[^b]]"])(
    "%s is none of this dialect",
    (expression) => {
      expect(findExpressionError(expression)).toBeTypeOf("string");
    },
  );

  test("is analyzed at once, however long a match would take", () => {
    const begun = cpuTime();
    const heavy = ["(a+)+$", "((((a{999}){999}){999}){999})", "(.*)*".repeat(200), `${"(?:".repeat(300)}${")".repeat(300)}`];
    for (const expression of heavy) expect(findExpressionError(expression)).toBeUndefined();
    for (const character of ["(", "[", "\\", "{", "(?<n>", "\\p{L}", "[^\\p{L}]"])
      findExpressionError(character.repeat(1_000 / character.length));
    expect(cpuTime() - begun).toBeLessThan(1_000);
  });
});
