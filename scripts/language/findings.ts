/** What the language check finds in a repository. */
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { readPages, testNames } from "../measures/measure.ts";
import { nodesOf, readSources, type Source } from "../measures/sources.ts";
import { findBanned } from "./banned.ts";
import { findCitations } from "./citations.ts";
import { countExcessClauses } from "./clauses.ts";
import { exportedNames, fileNames, readVocabulary, unknownWords } from "./names.ts";
import { fewSentences, withoutCode } from "./prose.ts";

/** How a page reads, in the numbers that the check limits. */
export interface PageFindings {
  /** Words a sentence; 0 for a page of so few sentences that a mean says nothing. */
  readonly mean: number;
  /** Passive sentences in percent; 0 likewise. */
  readonly passive: number;
  /** Banned words. */
  readonly banned: number;
}

/** Findings, also the shape of what is exempt. */
export interface Findings {
  /** Exported names, and names of files, with words that the vocabulary does not have. */
  readonly names: readonly string[];
  readonly files: readonly string[];
  readonly pages: Readonly<Record<string, PageFindings>>;
  /** How many banned words there are in comments, strings and names of tests, clauses without a noun, and citations of missing documents. */
  readonly counts: Readonly<Record<string, number>>;
}

/** Reads the findings of a repository. */
export function readFindings(root: string): Findings {
  const sources = readSources(root, "src", "adapters");
  const tests = readSources(root, "test");
  const count = (texts: readonly string[]): number => texts.flatMap((text) => findBanned(text, "code")).length;
  return {
    ...nameFindings(root, sources),
    pages: pageFindings(root),
    counts: {
      "banned words in comments": count(sources.flatMap(commentsOf)),
      "what and who clauses in comments beyond 2 in 1,000 words": countExcessClauses(sources.flatMap(commentsOf)),
      "banned words in strings": count(sources.flatMap(stringsOf)),
      "banned words in test names": count(tests.flatMap(testNames)),
      "citations of missing documents in src and adapters": countCitations(root, sources),
      "citations of missing documents in test": countCitations(root, tests),
    },
  };
}

/** The exported names and the names of files that have words which the vocabulary lacks. */
export function nameFindings(root: string, sources: readonly Source[]): Pick<Findings, "names" | "files"> {
  const vocabulary = readVocabulary(root);
  const isUnknown = (name: string): boolean => unknownWords(name, vocabulary).length > 0;
  return { names: exportedNames(sources).filter(isUnknown), files: fileNames(sources).filter(isUnknown) };
}

/** The numbers of each page. */
export function pageFindings(root: string): Findings["pages"] {
  const pages = Object.entries(readPages(root)).map(([path, { mean, passive, sentences }]) => {
    const prose = withoutCode(readFileSync(join(root, path), "utf8")).replace(/`[^`\n]*`|\]\([^)]*\)/g, " ");
    const banned = findBanned(prose, "page").length;
    const isShort = sentences < fewSentences;
    return [path, { mean: isShort ? 0 : mean, passive: isShort ? 0 : passive * 100, banned }] as const;
  });
  return Object.fromEntries(pages);
}

/** The comments of a file. */
export function commentsOf({ tree }: Source): readonly string[] {
  return Array.from(tree.text.matchAll(/\/\*[\s\S]*?\*\/|(?<![:"'`\w])\/\/.*/g), ([comment]) =>
    comment.replace(/`[^`\n]*`/g, " "),
  );
}

/** The strings of a file with a space in them: messages and log lines, not codes. */
export function stringsOf({ tree }: Source): readonly string[] {
  const isText = (node: ts.Node): node is ts.LiteralLikeNode => ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node);
  return nodesOf(tree)
    .filter(isText)
    .map(({ text }) => text)
    .filter((text) => text.includes(" "));
}

function countCitations(root: string, sources: readonly Source[]): number {
  const pages = ["docs/**/*.md", "*.md", "examples/*.md"].flatMap((pattern) => globSync(pattern, { cwd: root }));
  const known = new Set(pages.map((page) => basename(page)));
  const cited = sources.flatMap(({ tree }) => findCitations(tree.text, (page) => known.has(page)));
  return cited.length;
}
