/** `npm run check`: checks types, format, lint and the budgets of `test/shape` side by side. What TypeScript knows of the last run is in `node_modules/.cache`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { buildOpenApiWhenStale } from "./openapi.ts";

const root = join(import.meta.dirname, "..");
const projects = [".", "console", "test/bench", "docs/site", "test/types/lambda-bodies"];

buildOpenApiWhenStale();
const tools = [
  run("@biomejs/biome/bin/biome", ["check", "--diagnostic-level=error"]),
  run("vitest/vitest.mjs", ["run", "--project", "shape"]),
];
const failed = (await Promise.all([...tools, ...projects.map(checkTypes)])).includes(false);
if (failed) process.exitCode = 1;

function checkTypes(project: string): Promise<boolean> {
  const known = `node_modules/.cache/check/${project.replaceAll("/", "-")}.tsbuildinfo`;
  // TypeScript 6, which has the name, is there for tools that read types.
  return run("typescript-7/bin/tsc", ["--project", project, "--incremental", "--tsBuildInfoFile", known]);
}

/** Runs a tool and prints what it says in one piece. */
async function run(tool: string, parameters: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, [join(root, "node_modules", tool), ...parameters], { cwd: root });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  process.stdout.write(output + errors);
  return code === 0;
}
