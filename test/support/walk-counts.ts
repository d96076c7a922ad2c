import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const variable = "LATCHKEY_TEST_WALKS";

/** Adds to the count of a walk, which the run prints at its end (docs/internals/decisions.md). */
export function countWalk(name: string, visited: number): void {
  const file = process.env[variable];
  if (file === undefined) throw new Error(`${variable} is not set: vitest.config.ts names test/support/shared-build.ts.`);
  appendFileSync(file, `${JSON.stringify([name, visited])}\n`);
}

/** Makes the folder of the counts. Returns a function that prints a line for each walk, and removes the folder. */
export function beginWalkCounts(): () => void {
  const directory = mkdtempSync(join(tmpdir(), "latchkey-walks-"));
  const file = join(directory, "counts");
  process.env[variable] = file;
  appendFileSync(file, "");
  return () => {
    const counts = new Map<string, number>();
    for (const line of readFileSync(file, "utf8").trim().split("\n").filter(Boolean)) {
      const [name, visited] = JSON.parse(line) as [string, number];
      counts.set(name, (counts.get(name) ?? 0) + visited);
    }
    rmSync(directory, { recursive: true });
    for (const [name, visited] of [...counts].sort()) console.log(`walk: ${name}: ${visited.toLocaleString("en")}`);
  };
}
