// The pages that users read: their code blocks, headings and links.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const root: string = join(import.meta.dirname, "../../..");

/** README.md, the changelog, the pages for contributors, the guides and the list of examples, by their paths from the root. The home page of the site shows the README. */
export const pages: readonly string[] = [
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "examples/README.md",
  ...globSync("docs/**/*.md", { cwd: root, exclude: ["docs/site/**"] }).sort(),
];

export function readPage(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** A fenced code block. */
export interface Block {
  readonly page: string;
  /** The line of the fence, counted from one. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

/** The fenced code blocks of a page, those in lists without their indentation. */
export function blocksOf(page: string, text: string = readPage(page)): readonly Block[] {
  return [...text.matchAll(/^( *)```(.*)\n([\s\S]*?)^ *```$/gm)].map(
    ({ 1: indent = "", 2: language = "", 3: body = "", index }) => ({
      page,
      line: text.slice(0, index).split("\n").length,
      language,
      text: body.replace(new RegExp(`^${indent}`, "gm"), "").trimEnd(),
    }),
  );
}

/** A page's text without what stands in code. */
export function proseOf(text: string): string {
  return text.replace(/^( *)```.*\n[\s\S]*?^ *```$/gm, "").replace(/`[^`\n]*`/g, "``");
}

/** The anchors that a page's headings have, as the hosts of repositories make them. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const headings = text.replace(/^( *)```.*\n[\s\S]*?^ *```$/gm, "").matchAll(/^#{1,6} (.+)$/gm);
  return new Set(Array.from(headings, ([, heading = ""]) => toAnchor(heading)));
}

function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}
