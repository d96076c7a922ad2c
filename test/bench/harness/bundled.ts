import { existsSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { withForeignCpu } from "./foreign-cpu.ts";
import { dataDirectory, fromBench } from "./paths.ts";
import { ask, core, endProcess, spawnNode } from "./processes.ts";
import { type Pair, type RaceResult, race, type Sample } from "./race.ts";

/** A part of our code that the package keeps to itself, and the script that races it, in one process, against something else. */
export interface BundledRace {
  readonly source: string;
  /** Reads the module from BENCH_MODULE; takes a {@link BundledJob}, answers a {@link BundledReport}. */
  readonly subject: string;
}

export interface BundledJob {
  readonly seconds: number;
}

/** How often each side did its work in a second. */
export interface BundledReport {
  readonly ours: number;
  readonly base: number;
}

/** Bundles a file as the build would. */
const bundle = async (source: string): Promise<string> => {
  const entry = fromBench(`../../${source}`);
  if (!existsSync(entry)) throw new Error(`${source} is missing`);
  const outfile = join(dataDirectory(), `${basename(source, ".ts")}.mjs`);
  await build({ entryPoints: [entry], outfile, bundle: true, format: "esm", platform: "node", packages: "external" });
  return outfile;
};

const toSample = (perSecond: number): Sample => ({ perSecond, perCpuSecond: Number.NaN });

export const raceBundled = async ({ source, subject }: BundledRace, pairs: number, seconds: number): Promise<RaceResult> => {
  const file = await bundle(source);
  const env = { BENCH_MODULE: pathToFileURL(file).href };
  const worker = spawnNode({
    script: fromBench(subject),
    core: core.server,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env,
  });
  const runPair = async (): Promise<Pair> => {
    const job: BundledJob = { seconds: seconds * 2 };
    const { value, foreign } = await withForeignCpu([Number(worker.pid)], () => ask<BundledReport>(worker, job));
    return { ours: toSample(value.ours), base: toSample(value.base), foreign };
  };
  try {
    return await race(runPair, pairs);
  } finally {
    await endProcess(worker);
    rmSync(file, { force: true });
  }
};
