// What users import, and what their editor shows them (docs/architecture.md#map-of-the-rest).
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readEntryPoints } from "../../scripts/measures/public-names.js";
import { root } from "./source-files.js";

const entries = readEntryPoints(root);

test("the package root exports at most 300 names", () => {
  const names = entries.find(({ path }) => path === "src/index.ts")?.names ?? [];
  expect(names).toContain("createIdentityService");
  expect(names.length).toBeLessThanOrEqual(300);
});

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
