/**
 * Prints what each subpath weighs and how long it takes to be imported; `npm run package:report`. With `--write` the weights become the
 * budgets of sizes.json, with `--check` a weight that is more than a tenth (and 256 bytes) away from its budget fails. Times are shown and judge nothing.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { entries, sizeOf } from "./support/sizes.ts";

const file = new URL("sizes.json", import.meta.url);
const budgets: Readonly<Record<string, number>> = JSON.parse(readFileSync(file, "utf8"));
const sizes = Object.fromEntries(entries.map(([subpath, path]) => [subpath, sizeOf(path)]));

if (process.argv.includes("--write")) writeFileSync(file, `${JSON.stringify(sizes, undefined, 2)}\n`);
else if (process.argv.includes("--check")) check();
else print();

function check(): void {
  const isKept = (size = 0, budget = 0): boolean => Math.abs(size - budget) <= Math.max(budget / 10, 256);
  const subpaths = new Set([...Object.keys(sizes), ...Object.keys(budgets)]);
  const wrong = [...subpaths].filter((subpath) => !isKept(sizes[subpath], budgets[subpath]));
  for (const subpath of wrong)
    console.error(`${subpath} has ${sizes[subpath] ?? "no"} bytes, its budget ${budgets[subpath] ?? "no"}.`);
  if (wrong.length === 0) console.log("Each subpath weighs what it may.");
  else {
    console.error("Where that is meant: npm run package:report -- --write");
    process.exitCode = 1;
  }
}

function print(): void {
  console.log("subpath".padEnd(18), "gzip".padStart(10), "budget".padStart(10), "import".padStart(10));
  for (const [subpath, path] of entries) {
    const time = subpath === "./contract" ? "" : `${importTimeOf(path).toFixed(1)} ms`;
    const [size = "", budget = ""] = [sizes[subpath]?.toLocaleString("en"), budgets[subpath]?.toLocaleString("en")];
    console.log(subpath.padEnd(18), size.padStart(10), budget.padStart(10), time.padStart(10));
  }
}

/** The median of five fresh processes, in milliseconds. */
function importTimeOf(path: string): number {
  const script = "const start = performance.now(); await import(process.argv[1]); console.log(performance.now() - start);";
  const time = (): number =>
    Number(spawnSync(process.execPath, ["--input-type=module", "-e", script, path], { encoding: "utf8" }).stdout);
  return [time(), time(), time(), time(), time()].sort((one, other) => one - other)[2] ?? 0;
}
