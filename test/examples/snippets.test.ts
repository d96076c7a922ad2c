import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const linesOf = (text: string): readonly string[] => text.split("\n").map((line) => line.trim());

// What a page shows runs: a snippet that nobody runs is wrong one day.
test.each([
  ["docs/testing.md", "examples/unit-test.ts"],
  ["docs/observability.md", "examples/observability.ts"],
])("each line of the snippets of %s is one of %s", (page, example) => {
  const snippets = [...read(page).matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
  expect(snippets.length).toBeGreaterThan(0);
  const known = new Set(linesOf(read(example)));
  expect(snippets.flatMap(linesOf).filter((line) => line !== "" && !known.has(line))).toEqual([]);
});
