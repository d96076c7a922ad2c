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
  run("format and lint", "@biomejs/biome/bin/biome", ["check", "--diagnostic-level=error"]),
  run("budgets of test/shape", "vitest/vitest.mjs", ["run", "--project", "shape"]),
];
const failed = (await Promise.all([...tools, ...projects.map(checkTypes)])).filter((name) => name !== undefined);
console.log(failed.length === 0 ? "check: all passed" : `check: failed: ${failed.join(", ")}`);
if (failed.length > 0) process.exitCode = 1;

function checkTypes(project: string): Promise<string | undefined> {
  const known = `node_modules/.cache/check/${project.replaceAll("/", "-")}.tsbuildinfo`;
  // TypeScript 6, which has the name, is there for tools that read types.
  return run(`types of ${project}`, "typescript-7/bin/tsc", ["--project", project, "--incremental", "--tsBuildInfoFile", known]);
}

/** Runs a tool and prints its output in one piece. Returns the name of the step when it failed. */
async function run(name: string, tool: string, parameters: readonly string[]): Promise<string | undefined> {
  const child = spawn(process.execPath, [join(root, "node_modules", tool), ...parameters], { cwd: root });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  process.stdout.write(output + errors);
  return code === 0 ? undefined : name;
}
