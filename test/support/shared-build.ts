import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { cp, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildOpenApiWhenStale } from "../../scripts/openapi.js";
import { beginPairsOfRun } from "./pairs-of-run.js";
import { beginSchemasOfRun } from "./schemas-of-run.js";
import { beginWalkCounts } from "./walk-counts.js";

const root = join(import.meta.dirname, "../..");
const variable = "LATCHKEY_TEST_BUILDS";

/**
 * Builds the OpenAPI document, and makes the folders that the test files of a run share. Vitest calls it before the run, and the
 * returned function after it.
 */
export default async function startRun(): Promise<() => Promise<void>> {
  buildOpenApiWhenStale();
  const directory = mkdtempSync(join(tmpdir(), "latchkey-builds-"));
  process.env[variable] = directory;
  await beginPairsOfRun();
  const removeSchemas = beginSchemasOfRun();
  const printWalks = beginWalkCounts();
  return async () => {
    printWalks();
    rmSync(directory, { recursive: true });
    await removeSchemas();
  };
}

/** The package, built as for publication by the first test file that needs it. */
export async function findBuild(): Promise<string> {
  const parent = process.env[variable];
  if (parent === undefined) throw new Error(`${variable} is not set: vitest.config.ts names test/support/shared-build.ts.`);
  const built = join(parent, "dist");
  if (existsSync(built)) return built;
  // Concurrent builds produce the same output.
  const own = await mkdtemp(join(parent, "making-"));
  const tool = join(root, "node_modules/tsdown/dist/run.mjs");
  await promisify(execFile)(process.execPath, [tool, "--out-dir", own, "--no-clean", "--no-dts"], { cwd: root });
  await promisify(execFile)(process.execPath, [join(root, "scripts/build-console.ts")], { cwd: root });
  await cp(join(root, "dist/console"), join(own, "console"), { recursive: true });
  await rename(own, built).catch(() => rm(own, { recursive: true }));
  return built;
}
