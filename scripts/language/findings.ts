/** What the language check finds in a repository. */
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { readPages, testNames } from "../measures/measure.ts";
import { lineOf, nodesOf, readSources, type Source } from "../measures/sources.ts";
import { findBanned } from "./banned.ts";
import { findCitations } from "./citations.ts";
import { countExcessClauses, findClauses } from "./clauses.ts";
import { exportedNames, exportsOf, fileNames, readVocabulary, unknownWords } from "./names.ts";
import { countLines, fewSentences, isPassive, type Passage, passagesOf, splitSentences, withoutCode } from "./prose.ts";

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

/** Findings, and where they stand. */
export interface LocatedFindings extends Findings {
  /** The places of a name, a page or the label of a count: `path:line` and the reason. */
  readonly placesOf: (found: string) => readonly string[];
}

/** Reads the findings of a repository. */
export function readFindings(root: string): LocatedFindings {
  const sources = readSources(root, "src", "adapters");
  const consoleSources = readSources(root, "console");
  const tests = readSources(root, "test");
  const banned = (of: readonly Source[], passagesIn: (source: Source) => readonly Passage[]): readonly string[] =>
    of.flatMap((source) => bannedIn(source.path, passagesIn(source), "code"));
  const places: Readonly<Record<string, readonly string[]>> = {
    "banned words in comments": banned(sources, commentsOf),
    "banned words in strings": banned(sources, stringsOf),
    "banned words in test names": banned(tests, testNames),
    "citations of missing documents in src and adapters": citationsIn(root, sources),
    "citations of missing documents in test": citationsIn(root, tests),
  };
  const counts = Object.fromEntries(Object.entries(places).map(([label, { length }]) => [label, length]));
  const excess = countExcessClauses([...sources, ...consoleSources].flatMap(commentsOf).map(({ text }) => text));
  const names = nameFindings(root, sources);
  const pages = pageFindings(root);
  const placesOf = (found: string): readonly string[] => {
    if (found === clauses) return clausesIn([...sources, ...consoleSources]);
    return places[found] ?? (Object.hasOwn(pages, found) ? placesInPage(root, found) : names.placesOf(found));
  };
  return { ...names, pages, counts: { ...counts, [clauses]: excess }, placesOf };
}

const clauses = "what and who clauses in comments beyond 2 in 1,000 words";

/** The exported names and the names of files that have words which the vocabulary lacks. */
export function nameFindings(root: string, sources: readonly Source[]): Pick<LocatedFindings, "names" | "files" | "placesOf"> {
  const vocabulary = readVocabulary(root);
  const isUnknown = (name: string): boolean => unknownWords(name, vocabulary).length > 0;
  const placesOf = (name: string): readonly string[] => {
    const advice = `“${unknownWords(name, vocabulary).join("”, “")}”: use a word of scripts/language/words.txt, or add a standard term`;
    return sources.flatMap((source) => {
      const lines = exportsOf(source).flatMap(({ line, text }) => (text === name ? [line] : []));
      const all = fileNames([source]).includes(name) ? [1, ...lines] : lines;
      return all.map((line) => `${source.path}:${line} ${advice}`);
    });
  };
  return { names: exportedNames(sources).filter(isUnknown), files: fileNames(sources).filter(isUnknown), placesOf };
}

/** The numbers of each page. */
export function pageFindings(root: string): Findings["pages"] {
  const pages = Object.entries(readPages(root)).map(([path, { mean, passive, sentences }]) => {
    const banned = bannedInPage(root, path).length;
    const isShort = sentences < fewSentences;
    return [path, { mean: isShort ? 0 : mean, passive: isShort ? 0 : passive * 100, banned }] as const;
  });
  return Object.fromEntries(pages);
}

/** A sentence of more words than this is worth a second look. */
const manyWords = 25;

/** The banned words and the long and passive sentences of a page. */
export function placesInPage(root: string, path: string): readonly string[] {
  const sentences = passagesOf(readFileSync(join(root, path), "utf8")).flatMap(({ line, text }) =>
    splitSentences(text).flatMap((sentence) => {
      const isLong = sentence.split(/\s+/).length > manyWords;
      const faults = [...(isLong ? ["long"] : []), ...(isPassive(sentence) ? ["passive"] : [])];
      return faults.map((fault) => `${path}:${line} ${fault}: ${sentence}`);
    }),
  );
  return [...bannedInPage(root, path), ...sentences];
}

/** The banned words of a file, in its comments and texts. */
export function placesInSource(source: Source): readonly string[] {
  return bannedIn(source.path, [...commentsOf(source), ...stringsOf(source)], "code");
}

function bannedInPage(root: string, path: string): readonly string[] {
  const prose = withoutCode(readFileSync(join(root, path), "utf8")).replace(/`[^`\n]*`|\]\([^)]*\)/g, toBlanks);
  return bannedIn(path, [{ text: prose, line: 1 }], "page");
}

function bannedIn(path: string, passages: readonly Passage[], kind: "page" | "code"): readonly string[] {
  return passages.flatMap((passage) =>
    findBanned(passage.text, kind).map(({ at, instead, word }) => `${path}:${lineAt(passage, at)} “${word}”: ${instead}`),
  );
}

/** The clauses of each file, the file with the most first. */
function clausesIn(sources: readonly Source[]): readonly string[] {
  const found = sources.map((source) =>
    commentsOf(source).flatMap((comment) =>
      findClauses(comment.text).map((at) => `${source.path}:${lineAt(comment, at)} ${comment.text.slice(at).split("\n", 1)}`),
    ),
  );
  return found.toSorted((one, other) => other.length - one.length).flat();
}

function citationsIn(root: string, sources: readonly Source[]): readonly string[] {
  const pages = ["docs/**/*.md", "*.md", "examples/*.md"].flatMap((pattern) => globSync(pattern, { cwd: root }));
  const known = new Set(pages.map((page) => basename(page)));
  return sources.flatMap(({ path, tree: { text } }) =>
    findCitations(text, (page) => known.has(page)).map(({ at, cited }) => `${path}:${lineAt({ text, line: 1 }, at)} ${cited}`),
  );
}

function lineAt({ line, text }: Passage, at: number): number {
  return line + countLines(text.slice(0, at));
}

// As long as before, so that offsets stay.
const toBlanks = (text: string): string => text.replace(/[^\n]/g, " ");

/** The comments of a file. */
export function commentsOf({ tree }: Source): readonly Passage[] {
  return Array.from(tree.text.matchAll(/\/\*[\s\S]*?\*\/|(?<![:"'`\w])\/\/.*/g), ({ 0: comment, index }) => ({
    text: comment.replace(/`[^`\n]*`/g, toBlanks),
    line: lineOf(tree, index),
  }));
}

/** The strings of a file with a space in them: messages and log lines, not codes. */
export function stringsOf({ tree }: Source): readonly Passage[] {
  const isText = (node: ts.Node): node is ts.LiteralLikeNode => ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node);
  return nodesOf(tree)
    .filter(isText)
    .map((node) => ({ text: node.text, line: lineOf(tree, node.getStart(tree)) }))
    .filter(({ text }) => text.includes(" "));
}
