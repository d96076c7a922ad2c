/** Measures a repository: the code, the public names, the docs, the names of tests. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { fewSentences, type Passage, type Reading, readProse } from "../language/prose.ts";
import { backArrows, circles, fileGraph, groupGraph, roomOf, twoWayPairs } from "./graph.ts";
import { readEntryPoints } from "./public-names.ts";
import { countCodeLines, functionLengths, lazyLoads, lineOf, nodesOf, readSources, type Source } from "./sources.ts";

/** The measures of one state of the repository. */
export interface Measures {
  /** Numbers by what they measure, in the order of the table. */
  readonly code: Readonly<Record<string, number>>;
  /** How each page of the docs reads. */
  readonly pages: Readonly<Record<string, Reading>>;
}

/** Measures the repository in a folder. */
export function measure(root: string): Measures {
  const sources = readSources(root, "src", "adapters");
  const tests = readSources(root, "test");
  const pages = readPages(root);
  return {
    code: {
      ...measureSize(sources),
      ...measureGraph(sources),
      ...measurePublicNames(root),
      ...measureTests(tests),
      ...measureDocs(Object.values(pages)),
    },
    pages,
  };
}

function measureSize(sources: readonly Source[]): Measures["code"] {
  const lines = sources.map(countCodeLines);
  const functions = sources.flatMap(functionLengths).toSorted((one, other) => one - other);
  const folders = Map.groupBy(sources, ({ path }) => dirname(path));
  return {
    Files: sources.length,
    "Files directly in src/": folders.get("src")?.length ?? 0,
    "Files under 15 lines of code": lines.filter((count) => count < 15).length,
    "Files over 250 lines of code": lines.filter((count) => count > 250).length,
    "Lines of code": lines.reduce((sum, count) => sum + count, 0),
    Functions: functions.length,
    "Median function, lines": functions[Math.floor(functions.length / 2)] ?? 0,
    "Longest function, lines": functions.at(-1) ?? 0,
    Folders: folders.size,
    "Rooms in src/": new Set(sources.map(({ path }) => roomOf(path)).filter((room) => room.startsWith("src/"))).size,
    "Files in the fullest folder": Math.max(0, ...Array.from(folders.values(), ({ length }) => length)),
  };
}

function measureGraph(sources: readonly Source[]): Measures["code"] {
  const files = fileGraph(sources);
  const rooms = groupGraph(files, roomOf);
  const folders = groupGraph(files, dirname);
  const found = circles(files);
  const loads = sources.flatMap(lazyLoads);
  return {
    "Circles of files": found.length,
    "Files in circles": found.flat().length,
    "Two-way pairs of rooms": twoWayPairs(rooms).length,
    "Arrows back between rooms": backArrows(rooms).length,
    "Two-way pairs of folders": twoWayPairs(folders).length,
    "Arrows back between folders": backArrows(folders).length,
    "Lazy loads": loads.length,
    "Ways to load lazily": new Set(loads).size,
  };
}

function measurePublicNames(root: string): Measures["code"] {
  const entries = readEntryPoints(root);
  const undocumented = new Set(entries.flatMap((entry) => entry.undocumented));
  return {
    "Names exported by the root": entries.find(({ path }) => path === "src/index.ts")?.names.length ?? 0,
    "Names exported by all subpaths": new Set(entries.flatMap(({ names }) => names)).size,
    "Public names and members without a docstring": undocumented.size,
  };
}

function measureTests(tests: readonly Source[]): Measures["code"] {
  const names = tests.flatMap(testNames);
  const words = names.map(({ text }) => text.split(/\s+/).length);
  return {
    "Test files": tests.filter(({ path }) => path.endsWith(".test.ts")).length,
    "Lines of tests": tests.map(countCodeLines).reduce((sum, count) => sum + count, 0),
    "Test names": names.length,
    "Words in a test name, mean": round(words.reduce((sum, count) => sum + count, 0) / Math.max(1, names.length)),
  };
}

/** The names of the tests of a file, as they stand there. */
export function testNames({ tree }: Source): readonly Passage[] {
  return nodesOf(tree).flatMap((node) => {
    if (!ts.isCallExpression(node)) return [];
    const called = /^(test|it|requirement)\b/.exec(node.expression.getText())?.[1];
    const name = called === "requirement" ? node.arguments[1] : node.arguments[0];
    return called !== undefined && name !== undefined && ts.isStringLiteralLike(name)
      ? [{ text: name.text, line: lineOf(tree, name.getStart(tree)) }]
      : [];
  });
}

function measureDocs(pages: readonly Reading[]): Measures["code"] {
  const sum = (numberOf: (page: Reading) => number): number => pages.reduce((total, page) => total + numberOf(page), 0);
  const words = sum((page) => page.words);
  const sentences = sum((page) => page.sentences);
  const passive = sum((page) => page.passive * page.sentences);
  return {
    "Pages of docs": pages.length,
    "Words of prose": words,
    "Words a sentence, mean": round(words / Math.max(1, sentences)),
    "Passive sentences, %": round((100 * passive) / Math.max(1, sentences)),
    "Pages over 17 words a sentence or 22 % passive": pages.filter(isHardToRead).length,
  };
}

function isHardToRead({ sentences, mean, passive }: Reading): boolean {
  return sentences >= fewSentences && (mean > 17 || passive > 0.22);
}

/** How the README and each page of docs/ reads. */
export function readPages(root: string): Readonly<Record<string, Reading>> {
  const paths = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", ...globSync("docs/**/*.md", { cwd: root })];
  const pages = paths.filter((path) => existsSync(join(root, path))).toSorted();
  return Object.fromEntries(pages.map((path) => [path, readProse(readFileSync(join(root, path), "utf8"))]));
}

/** To one digit after the point. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
