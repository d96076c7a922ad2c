// The language check, with throw-away violations: each part of it fails.
import { describe, expect, test } from "vitest";
import { findBanned } from "../../scripts/language/banned.js";
import { findCitations } from "../../scripts/language/citations.js";
import { countExcessClauses } from "../../scripts/language/clauses.js";
import { findFaults, findUnneeded, shrink } from "../../scripts/language/compare.js";
import { commentsOf, type Findings, type LocatedFindings, placesInSource, stringsOf } from "../../scripts/language/findings.js";
import { exportedNames, fileNames, readVocabulary, unknownWords, wordsOf } from "../../scripts/language/names.js";
import { parseSource } from "../../scripts/measures/sources.js";
import { root } from "../docs/support/pages.js";
import { requirement } from "../support/requirement.js";

const none: Findings = { names: [], files: [], pages: {}, counts: {} };
const placesOf = (): readonly string[] => [];
const plain = { mean: 12, passive: 10, banned: 0 };

describe("a violation", () => {
  requirement("docs.language", "of each kind is a fault", () => {
    const places: Readonly<Record<string, readonly string[]>> = {
      tellHealth: ["src/a.ts:3 tell: not in scripts/language/words.txt"],
      "README.md": ["README.md:1 “told”: say who", "README.md:7 long: A sentence.", "README.md:9 passive: It is sent."],
      "banned words in comments": ["src/a.ts:5 “wish”: want"],
    };
    const found: LocatedFindings = {
      names: ["tellHealth"],
      files: ["writes-however-long"],
      pages: { "README.md": { mean: 17.04, passive: 22.5, banned: 1 }, "SECURITY.md": plain },
      counts: { "banned words in comments": 1 },
      placesOf: (name) => places[name] ?? [],
    };
    expect(findFaults(found, none)).toEqual([
      "the exported name tellHealth has words that the vocabulary lacks\n  src/a.ts:3 tell: not in scripts/language/words.txt",
      "the file name writes-however-long has words that the vocabulary lacks",
      "README.md has 17.1 words a sentence, at most 17 are allowed\n  README.md:7 long: A sentence.",
      "README.md has 22.5 % passive sentences, at most 22 are allowed\n  README.md:9 passive: It is sent.",
      "README.md has 1 banned words, at most 0 are allowed\n  README.md:1 “told”: say who",
      "1 banned words in comments, at most 0 are allowed\n  src/a.ts:5 “wish”: want",
    ]);
  });

  test("that is exempt passes, and one that is worse does not", () => {
    const exempt: Findings = {
      names: ["tellHealth"],
      files: [],
      pages: { "README.md": { mean: 20, passive: 0, banned: 2 } },
      counts: { "banned words in comments": 3 },
    };
    expect(findFaults({ ...exempt, placesOf }, exempt)).toEqual([]);
    const worse = {
      ...exempt,
      placesOf,
      pages: { "README.md": { mean: 20.1, passive: 23, banned: 3 } },
      counts: { "banned words in comments": 4 },
    };
    expect(findFaults(worse, exempt)).toHaveLength(4);
  });
});

describe("the exemptions", () => {
  const exempt: Findings = {
    names: ["tellHealth", "Hurdle"],
    files: ["made"],
    pages: { "README.md": { mean: 20, passive: 30, banned: 2 }, "CHANGELOG.md": { mean: 20, passive: 0, banned: 0 } },
    counts: { comments: 5, strings: 1 },
  };
  const found: Findings = {
    names: ["Hurdle", "NewWish"],
    files: [],
    pages: { "README.md": { mean: 18.01, passive: 12, banned: 3 }, "CONTRIBUTING.md": { mean: 30, passive: 0, banned: 0 } },
    counts: { comments: 7, strings: 0 },
  };

  test("shrink to what is still needed, and never grow", () => {
    expect(shrink(exempt, found)).toEqual({
      names: ["Hurdle"],
      files: [],
      pages: { "README.md": { mean: 18.1, passive: 0, banned: 2 } },
      counts: { comments: 5 },
    });
  });

  test("that nothing needs are named", () => {
    expect(findUnneeded(found, exempt)).toEqual(["tellHealth", "made", "CHANGELOG.md", "strings"]);
  });
});

describe("banned words", () => {
  test.each([
    ["Whoever calls", "whoever"],
    ["the change is told", "told"],
    ["It is kept for a while", "is kept"],
    ["an AccessToken wish", "wish"],
    ["endpoint grants are judged", "judged"],
    ["tokens that were handed out", "handed out"],
    ["Simply call it", "simply"],
    ["a behaviour", "behaviour"],
    ["normalised colours", "normalised"],
    ["e.g. this", "e.g."],
  ])("%s", (text, word) => {
    expect(findBanned(text, "page").map((found) => found.word)).toContain(word);
  });

  test("are whole words, and abbreviations are for guides alone", () => {
    expect(findBanned("an adjustment, a teller, it keeps, unlicensed, behavior", "page")).toEqual([]);
    expect(findBanned("e.g. this", "code")).toEqual([]);
  });

  test("are looked for in comments and messages, not in code", () => {
    const source = parseSource("a.ts", '/** Whoever. */\n// told `wish`\nconst wish = "told"; fail("It is told.", `judged x`);');
    expect(commentsOf(source).map(({ text }) => text.trim())).toEqual(["/** Whoever. */", "// told"]);
    expect(stringsOf(source).map(({ text }) => text)).toEqual(["It is told.", "judged x"]);
  });

  test("have the path and the line of the word", () => {
    const source = parseSource(
      "src/a.ts",
      '/**\n * One.\n * Whoever `wish`.\n */\nfail("It is\\tfine.");\nfail(`Two\nare told.`);',
    );
    expect(placesInSource(source).map((place) => place.replace(/: .*/, ""))).toEqual([
      "src/a.ts:3 “whoever”",
      "src/a.ts:7 “told”",
    ]);
  });
});

describe("clauses that stand for a noun", () => {
  test("are counted beyond 2 in 1,000 words", () => {
    const comment = "/** What a challenge is for, and who asked: nobody. */";
    expect(countExcessClauses([comment])).toBe(3);
    expect(countExcessClauses([comment, "word ".repeat(500)])).toBe(2);
    expect(countExcessClauses(["/** The purpose of a challenge, whose user is somewhat whole. */"])).toBe(0);
  });
});

describe("names", () => {
  test("fall apart into words", () => {
    expect(wordsOf("toJSONPatch")).toEqual(["to", "json", "patch"]);
    expect(wordsOf("made-by-lambda")).toEqual(["made", "by", "lambda"]);
  });

  test("are those that a file exports, and its own", () => {
    const text = "export const a = 1, b = 2; export interface C {} export type D = C; function hidden() {} export class E {}";
    expect(exportedNames([parseSource("src/x/y.ts", text)])).toEqual(["C", "D", "E", "a", "b"]);
    expect(fileNames([parseSource("src/x/y.ts", ""), parseSource("src/x/index.ts", "")])).toEqual(["x", "y"]);
  });

  test("are made of the glossary, the fields of the API, and the list", () => {
    const vocabulary = readVocabulary(root);
    expect(unknownWords("createIdentityService", vocabulary)).toEqual([]);
    expect(unknownWords("CircuitBreakers", vocabulary)).toEqual([]);
    expect(unknownWords("connectTimeout", vocabulary)).toEqual([]);
    expect(unknownWords("AccessTokenWish", vocabulary)).toEqual(["wish"]);
  });

  test("cannot be made of banned words, and allows just-in-time", () => {
    const vocabulary = [...readVocabulary(root)].filter((word) => word !== "just").join(". ");
    expect(findBanned(vocabulary, "code").map(({ word }) => word)).toEqual([]);
  });
});

test("a citation is of a page that the repository lacks, or of a section by number", () => {
  const [page, section] = ["md", "5.1"]; // Apart, so that this sample is no citation itself.
  const text = `see facts.${page} 10.1, docs/errors.md, ../spec/decisions.${page} and reference ${section}`;
  const expected = [`facts.${page}`, `../spec/decisions.${page}`, `reference ${section}`];
  expect(findCitations(text, (name) => name === "errors.md").map(({ cited }) => cited)).toEqual(expected);
});
