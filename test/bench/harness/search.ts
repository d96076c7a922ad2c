import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { SearchJob, SearchReport } from "../subjects/search-worker.ts";
import { withForeignCpu } from "./foreign-cpu.ts";
import { dataDirectory, fromBench } from "./paths.ts";
import { ask, core, spawnNode } from "./processes.ts";
import { type Pair, type RaceResult, race, type Sample } from "./race.ts";

// Filling two databases takes most of a minute, so that one process serves all patterns of a run.
let worker: ChildProcess | undefined;

const startWorker = (): ChildProcess => {
  const directory = mkdtempSync(join(dataDirectory(), "search-"));
  process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
  const script = fromBench("subjects/search-worker.ts");
  const env = { BENCH_DIR: directory };
  return spawnNode({ script, core: core.server, stdio: ["ignore", "inherit", "inherit", "ipc"], env });
};

const toSample = (perSecond: number): Sample => ({ perSecond, perCpuSecond: Number.NaN });

/** Races our search against the statements by hand, in one process. */
export const raceSearch = async (pattern: string, pairs: number, seconds: number): Promise<RaceResult> => {
  worker ??= startWorker();
  const child = worker;
  const runPair = async (): Promise<Pair> => {
    const job: SearchJob = { pattern, seconds: seconds * 2 };
    const { value, foreign } = await withForeignCpu([Number(child.pid)], () => ask<SearchReport>(child, job));
    return { ours: toSample(value.ours), base: toSample(value.base), foreign };
  };
  return race(runPair, pairs);
};
