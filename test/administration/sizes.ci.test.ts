// The budgets of the browser application: what a browser loads first, what it loads later, and the folder as a whole.

import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, expect } from "vitest";
import { buildConsoleWhenStale } from "../../scripts/build-console.js";
import { requirement } from "../support/requirement.js";

const folder = join(import.meta.dirname, "../../dist/console");

/** Sizes of the built files, compressed, by their path. */
const sizes = new Map<string, number>();
let page = "";

beforeAll(async () => {
  await buildConsoleWhenStale();
  for (const name of globSync("**/*.{html,js,css,svg}", { cwd: folder }))
    sizes.set(name, gzipSync(await readFile(join(folder, name)), { level: 9 }).length);
  page = await readFile(join(folder, "index.html"), "utf8");
});

const sum = (names: readonly string[]): number => names.reduce((total, name) => total + (sizes.get(name) ?? Number.NaN), 0);

/** The scripts that a script imports before it runs, itself included. */
async function withImports(name: string, found = new Set<string>()): Promise<ReadonlySet<string>> {
  if (found.has(name)) return found;
  found.add(name);
  const text = await readFile(join(folder, name), "utf8");
  for (const [, target] of text.matchAll(/(?:\bfrom|(?<![\w.])import)\s*"\.\/([^"]+\.js)"/g))
    await withImports(`assets/${target}`, found);
  return found;
}

requirement("console.sizes", "a first load is at most 60 KB of scripts and 12 KB of styles, and the folder 1 MB", async () => {
  const entries = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(([, name = ""]) => name);
  const first = new Set<string>();
  for (const entry of entries) for (const name of await withImports(entry)) first.add(name);
  const styles = [...page.matchAll(/href="\.\/(assets\/[^"]+\.css)"/g)].map(([, name = ""]) => name);
  const kilobytes = (names: readonly string[]): number => Math.ceil(sum(names) / 102.4) / 10;
  console.log(
    `first load: ${kilobytes([...first])} KB of scripts (60), ${kilobytes(styles)} KB of styles (12); the folder: ${kilobytes([...sizes.keys()])} KB (1024)`,
  );
  expect(first.size).toBeGreaterThan(0);
  expect(sum([...first])).toBeLessThanOrEqual(60 * 1_024);
  expect(sum(styles)).toBeLessThanOrEqual(12 * 1_024);
  expect(sum([...sizes.keys()])).toBeLessThanOrEqual(1_024 * 1_024);
});

requirement(
  "console.sizes",
  "the editor is at most 150 KB and the charts 25 KB, and neither is part of the first load",
  async () => {
    const largest = (shape: RegExp): number =>
      Math.max(0, ...[...sizes].filter(([name]) => shape.test(name)).map(([, size]) => size));
    expect(largest(/editor/)).toBeLessThanOrEqual(150 * 1_024);
    expect(largest(/chart|uplot/i)).toBeLessThanOrEqual(25 * 1_024);
    expect(page).not.toMatch(/editor|chart|uplot/i);
    for (const [name, size] of sizes) if (!/editor/.test(name)) expect([name, size < 60 * 1_024]).toEqual([name, true]);
  },
);

requirement("console.lazy", "the core loads nothing of the console", async () => {
  const { readSourceFiles } = await import("../shape/source-files.js");
  const outside = [...readSourceFiles("src"), ...readSourceFiles("adapters")].filter(
    ({ path }) => !/^adapters\/(?:console|cli)\//.test(path),
  );
  expect(outside.filter(({ text }) => /latchkey\/console|adapters\/console/.test(text)).map(({ path }) => path)).toEqual([]);
});
