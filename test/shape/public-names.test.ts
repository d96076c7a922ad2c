// What users import, and what their editor shows them (docs/architecture.md#map-of-the-rest).
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type EntryPoint, readEntryPoints } from "../../scripts/measures/public-names.js";
import { root } from "./source-files.js";

const entries = readEntryPoints(root);

test("the package root exports at most 120 names, and the package has at most 25 entries", () => {
  const names = entries.find(({ path }) => path === "src/index.ts")?.names ?? [];
  expect(names).toContain("createIdentityService");
  expect(names.length).toBeLessThanOrEqual(120);
  expect(entries.length).toBeLessThanOrEqual(25);
});

test("each public name has one entry", () => {
  expect(repeatedNames(entries)).toEqual([]);
});

test("the check of entries finds a name that two export", () => {
  const entry = (path: string, names: readonly string[]): EntryPoint => ({ path, names, undocumented: [] });
  expect(repeatedNames([entry("a.ts", ["one", "two"]), entry("b.ts", ["two"])])).toEqual(["two: a.ts, b.ts"]);
});

/** The names that more than one entry exports, with these entries. */
function repeatedNames(entries: readonly EntryPoint[]): readonly string[] {
  const pairs = entries.flatMap(({ path, names }) => names.map((name) => ({ name, path })));
  return [...Map.groupBy(pairs, ({ name }) => name)]
    .filter(([, { length }]) => length > 1)
    .map(([name, those]) => `${name}: ${those.map(({ path }) => path).join(", ")}`);
}

test("each public name and member has a docstring", () => {
  expect(entries.flatMap(({ path, undocumented }) => undocumented.map((name) => `${path}: ${name}`))).toEqual([]);
});

test("the check of docstrings finds names and members without one", () => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-names-"));
  try {
    mkdirSync(join(folder, "src"));
    writeFileSync(
      join(folder, "src/index.ts"),
      "/** A point. */\nexport interface Point { readonly x: number }\nexport const origin = 0;\n",
    );
    expect(readEntryPoints(folder)[0]?.undocumented).toEqual(["Point.x", "origin"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
