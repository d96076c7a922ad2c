import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { requirements } from "./requirements.js";

// A rule without a test may break unseen, and a test that cites a rule nobody wrote down proves nothing.
const cited = new Set(readTestSources().flatMap(citedIn));

test("every requirement has a test", () => {
  const known = Object.keys(requirements);
  const uncovered = known.filter((id) => !cited.has(id));
  console.info(`requirements covered: ${known.length - uncovered.length} of ${known.length}`);
  expect(uncovered).toEqual([]);
});

test("every requirement that a test cites is known", () => {
  expect([...cited].filter((id) => !Object.hasOwn(requirements, id))).toEqual([]);
});

function readTestSources(): string[] {
  const directory = fileURLToPath(new URL(".", import.meta.url));
  const files = globSync("**/*.test.ts", { cwd: directory });
  return files.map((file) => readFileSync(directory + file, "utf8"));
}

function citedIn(source: string): string[] {
  const calls = source.matchAll(/\brequirement\(\s*("[^"]+"|\[[^\]]*\])/g);
  return [...calls].flatMap(([, ids = ""]) => [...ids.matchAll(/"([^"]+)"/g)].map(([, id = ""]) => id));
}
