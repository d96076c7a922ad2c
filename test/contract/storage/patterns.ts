import type { TextPattern } from "latchkey/ports";
import { expect } from "vitest";
import type { ContractTest } from "./contract-test.js";
import { keep } from "./kit.js";
import { books, north, toBook } from "./tables.js";

const texts = [
  "",
  "a",
  "ab",
  "aba",
  "abc",
  "abcabc",
  "a%b",
  "a_b",
  "a\\b",
  "a*b",
  "a?b",
  "a[b]",
  "a%%b",
  "ABC",
  "a\nb",
  "stra\u00dfe",
  "\u00e9",
  "e\u0301",
  "x\u{1f600}y",
  "\u{1f600}\u{1f601}",
] as const;

type Case = readonly [pattern: TextPattern, matching: readonly (typeof texts)[number][]];

const containing = (part: string): readonly (typeof texts)[number][] => texts.filter((text) => text.includes(part));

const cases: readonly Case[] = [
  [["abc"], ["abc"]],
  [[""], [""]],
  [["a%b"], ["a%b"]],
  [["\u{1f600}\u{1f601}"], ["\u{1f600}\u{1f601}"]],
  [["", ""], texts],
  [["", "", ""], texts],
  ...["a", "bc", "%", "_", "\\", "*", "?", "[", "]", "[b]", "\n", "\u00df", "\u00e9", "e", "\u{1f600}"].map(
    (part) => [["", part, ""], containing(part)] as const,
  ),
  [["ab", ""], texts.filter((text) => text.startsWith("ab"))],
  [["", "b"], texts.filter((text) => text.endsWith("b"))],
  [
    ["a%", ""],
    ["a%b", "a%%b"],
  ],
  [
    ["", "%b"],
    ["a%b", "a%%b"],
  ],
  [["a_", ""], ["a_b"]],
  [["a\\", ""], ["a\\b"]],
  [["a*", ""], ["a*b"]],
  [["a?", ""], ["a?b"]],
  [["a[", "]"], ["a[b]"]],
  [["", "]"], ["a[b]"]],
  [
    ["a", "b"],
    ["ab", "a%b", "a_b", "a\\b", "a*b", "a?b", "a%%b", "a\nb"],
  ],
  [["a%", "%b"], ["a%%b"]],
  [["ab", "ba"], []],
  [["ab", "a"], ["aba"]],
  [
    ["a", "", "b"],
    ["ab", "a%b", "a_b", "a\\b", "a*b", "a?b", "a%%b", "a\nb"],
  ],
  [["a", "c", "b", ""], ["abcabc"]],
  [["", "b", "b", ""], ["abcabc"]],
  [["", "c", "a", ""], ["abcabc"]],
  [["A", ""], ["ABC"]],
  [["", "\u{1f600}", "y"], ["x\u{1f600}y"]],
  [["x", "y"], ["x\u{1f600}y"]],
  [["\u{1f600}", ""], ["\u{1f600}\u{1f601}"]],
];

const matches: readonly ContractTest[] = cases.map(([pattern, matching]) => ({
  name: `matches the pattern ${JSON.stringify(pattern)}`,
  run: async (storage) => {
    const records = texts.map((text, index) => toBook(`n${100 + index}`, { subtitle: text }, { json: JSON.stringify(text) }));
    await keep(storage, books, [...records, toBook("none", { subtitle: null })]);
    const filter = { op: "matches", column: "subtitle", pattern } as const;
    const passing = (await storage.find(north, books, filter)).map((record) => JSON.parse(record.json) as string);
    expect(passing).toEqual(texts.filter((text) => matching.includes(text)));
    const others = await storage.find(north, books, { op: "not", filter });
    expect(others).toHaveLength(texts.length + 1 - matching.length);
  },
}));

const longText = `${"ab".repeat(5_000)}c`;

export const patternTests: readonly ContractTest[] = [
  ...matches,
  {
    name: "matches long texts with many wildcards, and soon sees that it does not",
    run: async (storage) => {
      await keep(storage, books, [toBook("a", { subtitle: longText })]);
      const passing = async (last: string): Promise<number> => {
        const pattern = ["", ...Array.from({ length: 14 }, () => "ab"), last];
        return (await storage.find(north, books, { op: "matches", column: "subtitle", pattern })).length;
      };
      expect([await passing("c"), await passing("d")]).toEqual([1, 0]);
    },
  },
];
