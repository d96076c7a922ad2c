import { existsSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { withForeignCpu } from "./foreign-cpu.ts";
import { dataDirectory, fromBench } from "./paths.ts";
import { ask, core, endProcess, spawnNode } from "./processes.ts";
import { type Pair, type RaceResult, race, type Sample } from "./race.ts";

/** A part of ours that the package keeps to itself, and the script that runs it beside another, in one process. */
export interface BundledRace {
  readonly source: string;
  /** Finds the bundle of `source` by `BENCH_MODULE`, takes {@link WorkerJob}s and answers {@link WorkerReport}s. */
  readonly worker: string;
}

export interface WorkerJob {
  readonly seconds: number;
}

/** What each side did per second. */
export interface WorkerReport {
  readonly ours: number;
  readonly base: number;
}

const bundle = async (source: string): Promise<string> => {
  if (!existsSync(fromBench(source))) throw new Error(`${source} is missing`);
  const outfile = join(dataDirectory(), `${basename(source, ".ts")}.mjs`);
  await build({ entryPoints: [fromBench(source)], outfile, bundle: true, format: "esm", platform: "node", packages: "external" });
  return outfile;
};

const toSample = (perSecond: number): Sample => ({ perSecond, perCpuSecond: Number.NaN });

/** Races a part of ours, bundled as the build would, against what its worker knows beside it. */
export const raceBundled = async (parts: BundledRace, pairs: number, seconds: number): Promise<RaceResult> => {
  const module = await bundle(parts.source);
  const env = { BENCH_MODULE: pathToFileURL(module).href };
  const script = fromBench(parts.worker);
  const worker = spawnNode({ script, core: core.server, stdio: ["ignore", "inherit", "inherit", "ipc"], env });
  const runPair = async (): Promise<Pair> => {
    const job: WorkerJob = { seconds: seconds * 2 };
    const { value, foreign } = await withForeignCpu([Number(worker.pid)], () => ask<WorkerReport>(worker, job));
    return { ours: toSample(value.ours), base: toSample(value.base), foreign };
  };
  try {
    return await race(runPair, pairs);
  } finally {
    await endProcess(worker);
    rmSync(module, { force: true });
  }
};
