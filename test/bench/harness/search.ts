import type { ChildProcess } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { withForeignCpu } from "./foreign-cpu.ts";
import { dataDirectory, fromBench } from "./paths.ts";
import { ask, core, endProcess, spawnNode } from "./processes.ts";
import { type Pair, type RaceResult, race, type Sample } from "./race.ts";
import type { SearchJob, SearchReport } from "./search-races.ts";

/** The databases that searches are raced on. */
export type SearchDatabase = "sqlite" | "postgres";

const scripts = { sqlite: "subjects/search-worker.ts", postgres: "subjects/search-postgres-worker.ts" } as const;

// Filling two databases takes a minute or two, so that one process serves all races of a run, and the files are kept for the next run.
const workers = new Map<SearchDatabase, ChildProcess>();

const workerFor = async (database: SearchDatabase): Promise<ChildProcess> => {
  const known = workers.get(database);
  if (known?.connected) return known;
  for (const worker of workers.values()) await endProcess(worker);
  workers.clear();
  const directory = join(dataDirectory(), "search");
  mkdirSync(directory, { recursive: true });
  const env = { BENCH_DIR: directory };
  const stdio = ["ignore", "inherit", "inherit", "ipc"] as const;
  const worker = spawnNode({ script: fromBench(scripts[database]), core: core.server, stdio: [...stdio], env });
  workers.set(database, worker);
  return worker;
};

const toSample = (perSecond: number): Sample => ({ perSecond, perCpuSecond: Number.NaN });

/** Races our search against the statements by hand, in one process. */
export const raceSearch = async (
  { database, race: name }: { readonly database: SearchDatabase; readonly race: string },
  pairs: number,
  seconds: number,
): Promise<RaceResult> => {
  const child = await workerFor(database);
  const runPair = async (): Promise<Pair> => {
    const job: SearchJob = { race: name, seconds: seconds * 2 };
    const { value, foreign } = await withForeignCpu([Number(child.pid)], () => ask<SearchReport>(child, job));
    return { ours: toSample(value.ours), base: toSample(value.base), foreign };
  };
  return race(runPair, pairs);
};
