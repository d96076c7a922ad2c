import { expect, test } from "vitest";
import { compileLinearMatch } from "../../src/forms/forms/match-expression.js";
import { cpuTime } from "../support/cpu-time.js";
import { cases, fc } from "../support/properties.js";

/** Whether the whole text matches, as the engine of the language says. */
function nativeMatch(expression: string, text: string): boolean {
  return new RegExp(`^(?:${expression})$`, "u").test(text);
}

const expressionCases: readonly (readonly [expression: string, matching: readonly string[], others: readonly string[]])[] = [
  ["", [""], ["a"]],
  ["abc", ["abc"], ["ab", "abcd", "xabc"]],
  ["\\d{5}", ["12345"], ["1234", "123456", "1234a"]],
  ["\\d{2,3}?", ["12", "123"], ["1", "1234"]],
  ["a{0}b", ["b"], ["ab"]],
  ["(?:a|b)*c", ["c", "ababc"], ["abd"]],
  ["(?<year>\\d{4})-(\\d\\d)", ["2024-01"], ["2024-1"]],
  ["a|bc|", ["a", "bc", ""], ["b"]],
  ["^a$", ["a"], ["aa"]],
  ["a^b", [], ["ab", "a^b"]],
  ["\\bword\\b", ["word"], ["words"]],
  ["a\\Bb\\b", ["ab"], ["a b"]],
  ["[^\\]\\w-]+", ["+!"], ["a", "]", "-"]],
  ["[\\u{1F600}-\\u{1F64F}]", ["😀"], ["a"]],
  ["\\uD83D\\uDE00+", ["😀😀"], ["😁"]],
  [".", ["a", "😀"], ["\n", ""]],
  ["[^]", ["\n", "😀"], [""]],
  ["[]", [], ["", "a"]],
  ["\\p{Lu}\\P{Lu}+", ["Äb"], ["ab"]],
  ["\\x41\\cJ\\0\\t\\/", ["A\n\0\t/"], ["A"]],
  ["(a*)*", ["", "aaa"], ["b"]],
  ["(?:){5}a", ["a"], ["aa"]],
];

test.each(expressionCases)("%s is what it is to the engine", (expression, matching, others) => {
  const match = compileLinearMatch(expression);
  for (const text of matching) expect([text, match?.(text), nativeMatch(expression, text)]).toEqual([text, true, true]);
  for (const text of others) expect([text, match?.(text), nativeMatch(expression, text)]).toEqual([text, false, false]);
});

const part = fc.letrec<{ one: string; many: string; any: string }>((tie) => ({
  one: fc.constantFrom("a", "b", "[ab]", "[^a]", ".", "\\w", "\\b", "^", "$"),
  many: fc.oneof(
    fc
      .tuple(tie("any"), fc.constantFrom("*", "+", "?", "{2}", "{1,2}", "{0,}", "*?"))
      .map(([inner, sign]) => `(?:${inner})${sign}`),
    fc.tuple(tie("any"), tie("any")).map(([left, right]) => `(${left}|${right})`),
    fc.tuple(tie("any"), tie("any")).map(([left, right]) => left + right),
  ),
  any: fc.oneof({ maxDepth: 3, withCrossShrink: true }, tie("one"), tie("many")),
})).any;

test("random expressions are what they are to the engine", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", " "), maxLength: 6 });
  fc.assert(
    fc.property(part, fc.array(text, { minLength: 1, maxLength: 10 }), (expression, texts) => {
      const match = compileLinearMatch(expression);
      expect(texts.map((one) => match?.(one))).toEqual(texts.map((one) => nativeMatch(expression, one)));
    }),
    cases(1_000),
  );
});

test("what no automaton can do is left to others", () => {
  for (const expression of ["(?=a)a", "(?!a)b", "(?<=a)b", "(?<!a)b", "(a)\\1", "(?<n>a)\\k<n>", "(?i:a)"])
    expect([expression, compileLinearMatch(expression)]).toEqual([expression, undefined]);
});

test("expressions that backtrack without end are answered at once", () => {
  const text = `${"a".repeat(2_000)}!`;
  const begun = cpuTime();
  for (const expression of ["(a+)+", "(a|a)*", "(a|aa)+", "(.*a){11}", "(a*)*b", "([a-z]+)*x", "(?:a?){20}a{20}"])
    expect([expression, compileLinearMatch(expression)?.(text)]).toEqual([expression, false]);
  // The engine would need longer than the universe has been there.
  expect(cpuTime() - begun).toBeLessThan(10_000);
});

test("what would take too many states or steps is left to others", () => {
  for (const expression of ["((a{999}){999}){999}", "a{99999}", "(?:[ab]{1,70}){80}"])
    expect([expression, compileLinearMatch(expression)]).toEqual([expression, undefined]);
  for (const expression of [`${"(".repeat(300)}${"){999}".repeat(300)}a`, "(|){9999}a"])
    expect([expression, compileLinearMatch(expression)?.("b")]).toEqual([
      expression,
      expression.startsWith("(|") ? undefined : false,
    ]);
  expect(compileLinearMatch("a{4000}")?.("a".repeat(4_000))).toBe(undefined);
  expect(compileLinearMatch("a*")?.("a".repeat(10_000))).toBe(true);
});
