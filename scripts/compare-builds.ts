/**
 * `npm install --no-save tsup@9 && node scripts/compare-builds.ts [runs]`: compares what tsup and tsdown make of the package. Prints the
 * medians of fresh processes that take turns, in milliseconds; docs/architecture.md#the-build has the figures.
 */
import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { build as buildByTsdown } from "tsdown";
import config from "../tsdown.config.ts";

const root = join(import.meta.dirname, "..");
// Each has a package of its own below node_modules, where dependencies and the name of the package are found.
const folderOf = (tool: string): string => join(root, "node_modules/.cache/builds", tool);
const runs = Number(process.argv[2] ?? 9);

const builds: Readonly<Record<string, (outDir: string) => Promise<unknown>>> = {
  tsdown: (outDir) => buildByTsdown({ ...config, config: false, outDir, clean: false, dts: false }),
  tsup: async (outDir) => {
    // It is no dependency of the repository.
    const name: string = "tsup";
    const { build } = (await import(name)) as { build(options: object): Promise<void> };
    const { entry, target } = config;
    const external = { external: [/^latchkey/], noExternal: [/^kysely/] };
    await build({ config: false, entry, target, outDir, format: "esm", splitting: true, silent: true, ...external });
  },
};

const measured = `const cpuStart = process.cpuUsage(), start = performance.now();
const print = () => { const { user, system } = process.cpuUsage(cpuStart);
  console.log(JSON.stringify([performance.now() - start, (user + system) / 1000])); process.exit(); };`;
const firstCall = `const { createIdentityService } = await import("./dist/index.js");
const { sqliteStorage } = await import("./dist/sqlite.js");
const identity = await createIdentityService({ storage: sqliteStorage({ filename: ":memory:" }), secret: "x".repeat(32) });
await identity.groups.create({ group: { name: "Editors" } });`;
const steps: Readonly<Record<string, string>> = {
  "import latchkey": 'await import("./dist/index.js");',
  "import latchkey/sqlite": 'await import("./dist/sqlite.js");',
  "import latchkey/node": 'await import("./dist/node.js");',
  "first call on SQLite": firstCall,
};

const tools = Object.keys(builds);
for (const [tool, build] of Object.entries(builds)) {
  await build(join(folderOf(tool), "dist"));
  cpSync(join(root, "package.json"), join(folderOf(tool), "package.json"));
}
console.log(["".padEnd(24), ...tools.map((tool) => `${tool}, CPU`.padStart(14))].join(""));
for (const [step, script] of Object.entries(steps)) console.log(step.padEnd(24) + compare(script).join(""));

function compare(script: string): readonly string[] {
  // The first turn fills the cache of files.
  for (const tool of tools) measure(tool, script);
  const turns = Array.from({ length: runs }, () => tools.map((tool) => measure(tool, script)));
  return tools.map((_, index) => {
    const times = turns.map((turn) => turn[index] ?? [NaN, NaN]);
    return [0, 1]
      .map((kind) => medianOf(times.map((time) => time[kind] ?? NaN)).toFixed(0))
      .join(", ")
      .padStart(14);
  });
}

/** Milliseconds and those of CPU that a script takes in a fresh process. */
function measure(tool: string, script: string): readonly number[] {
  const program = `${measured}\n${script}\nprint();`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: folderOf(tool),
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(`${tool}: ${stderr}`);
  return JSON.parse(stdout);
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? NaN;
}
