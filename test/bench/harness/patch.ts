import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { PatchJob, PatchReport } from "../subjects/patch-worker.ts";
import { withForeignCpu } from "./foreign-cpu.ts";
import { dataDirectory, fromBench } from "./paths.ts";
import { ask, core, endProcess, spawnNode } from "./processes.ts";
import { type Pair, type RaceResult, race, type Sample } from "./race.ts";

const source = "../../src/patch/json-patch.ts";

/** Bundles applyJsonPatch, which the package keeps to itself, as the build would. */
const bundlePatch = async (): Promise<string> => {
  if (!existsSync(fromBench(source))) throw new Error("src/patch/json-patch.ts is missing");
  const outfile = join(dataDirectory(), "json-patch.mjs");
  await build({ entryPoints: [fromBench(source)], outfile, bundle: true, format: "esm", platform: "node", packages: "external" });
  return outfile;
};

const toSample = (perSecond: number): Sample => ({ perSecond, perCpuSecond: Number.NaN });

/** Races JSON.parse + applyJsonPatch + JSON.stringify against the two without the patch, in one process. */
export const racePatch = async (pairs: number, seconds: number): Promise<RaceResult> => {
  const bundle = await bundlePatch();
  const env = { BENCH_PATCH_MODULE: pathToFileURL(bundle).href };
  const script = fromBench("subjects/patch-worker.ts");
  const worker = spawnNode({ script, core: core.server, stdio: ["ignore", "inherit", "inherit", "ipc"], env });
  const runPair = async (): Promise<Pair> => {
    const job: PatchJob = { seconds: seconds * 2 };
    const { value, foreign } = await withForeignCpu([Number(worker.pid)], () => ask<PatchReport>(worker, job));
    return { ours: toSample(value.ours), base: toSample(value.base), foreign };
  };
  try {
    return await race(runPair, pairs);
  } finally {
    await endProcess(worker);
    rmSync(bundle, { force: true });
  }
};
