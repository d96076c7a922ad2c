// Code and tests cite pages of docs/ by path and anchor: each citation leads somewhere.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { anchorsOf, readPage, root } from "./support/pages.js";

const files = globSync("{src,adapters,examples,scripts,test}/**/*.ts", { cwd: root }).filter(
  (path) => !/node_modules|^test\/(docs|scripts)\//.test(path),
);

function citationsOf(path: string): readonly string[] {
  const text = readFileSync(join(root, path), "utf8");
  return Array.from(text.matchAll(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g), ([citation]) => citation);
}

function isDead(citation: string): boolean {
  const [page = "", anchor] = citation.split("#");
  return !existsSync(join(root, page)) || (anchor !== undefined && !anchorsOf(readPage(page)).has(anchor));
}

requirement("docs.citations", "no comment and no requirement cites a page or an anchor that does not exist", () => {
  const citations = new Set(files.flatMap(citationsOf));
  expect(citations.size).toBeGreaterThan(10);
  expect([...citations].filter(isDead)).toEqual([]);
  expect(isDead("docs/reference/wire.md#no-such-anchor")).toBe(true);
});
