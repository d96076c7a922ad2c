// A page for maintainers sends its reader to a file: the file must be there.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./source-files.js";

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((file) => file !== "");
const pages = files.filter((file) => /^(?:docs\/internals\/.+|docs\/architecture|CONTRIBUTING)\.md$/.test(file));

/** Ends of paths, such as `kysely/sql-storage.ts`, and names of files and folders. */
const known = new Set(
  files.flatMap((file) => {
    const parts = file.split("/");
    const folders = parts.slice(1).map((_, index) => `${parts.slice(0, index + 1).join("/")}/`);
    return [...parts.map((_, index) => parts.slice(index).join("/")), ...folders];
  }),
);
// Made by the build, not in git.
const made = new Set(["openapi.json"]);

/** The files that a page cites and that do not exist: a path with a suffix, or a folder below a top folder. */
function missing(text: string): readonly string[] {
  const cited = [
    ...text.matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.(?:ts|tsx|mjs|json)|(?:src|adapters|test|scripts|docs|console)\/[\w./-]*\/)`/g),
  ];
  return cited.flatMap(([, path = ""]) => (known.has(path) || made.has(path) ? [] : [path]));
}

test("pages for maintainers cite files that exist", () => {
  expect(pages.length).toBeGreaterThan(5);
  const faults = pages.flatMap((page) => missing(readFileSync(join(root, page), "utf8")).map((path) => `${page}: ${path}`));
  expect(faults).toEqual([]);
  expect(missing("`src/handle.ts`, `kysely/sql-storage.ts`, `src/gone/` and `went/away.ts`")).toEqual([
    "src/gone/",
    "went/away.ts",
  ]);
});
