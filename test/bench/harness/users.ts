import type { ChildProcess } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { withForeignCpu } from "./foreign-cpu.ts";
import type { FigureResult } from "./lambda.ts";
import { dataDirectory, fromBench } from "./paths.ts";
import { ask, endProcess, spawnNode } from "./processes.ts";
import { type Pair, type RaceResult, race, type Sample } from "./race.ts";
import type { UsersDatabase, UsersFigures, UsersJob, UsersReport, UsersWork } from "./users-data.ts";

/** How many pairs of work that takes a minute or more are counted. */
const maxLongPairs = 1;

const workers = new Map<UsersDatabase, ChildProcess>();

const workerFor = async (database: UsersDatabase): Promise<ChildProcess> => {
  const known = workers.get(database);
  if (known !== undefined) return known;
  for (const worker of workers.values()) await endProcess(worker);
  workers.clear();
  const directory = join(dataDirectory(), "users");
  mkdirSync(directory, { recursive: true });
  const worker = spawnNode({
    script: fromBench("subjects/users-worker.ts"),
    // Long transactions and searches have threads of their own, which want the other core.
    core: undefined,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { BENCH_DIR: directory, BENCH_STORAGE: database },
  });
  workers.set(database, worker);
  return worker;
};

const toSample = (perSecond: number): Sample => ({ perSecond, perCpuSecond: Number.NaN });

interface UsersRace {
  readonly database: UsersDatabase;
  readonly work: UsersWork;
}

/** Races our users against those by hand, in one process. */
export const raceUsers = async ({ database, work }: UsersRace, pairs: number, seconds: number): Promise<RaceResult> => {
  const child = await workerFor(database);
  const job: UsersJob = { work, seconds: seconds * 2 };
  const runPair = async (): Promise<Pair> => {
    const { value, foreign } = await withForeignCpu([Number(child.pid)], () => ask<UsersReport>(child, job));
    // The database's own processes and the threads of the client are no strangers.
    return { ours: toSample(value.ours), base: toSample(value.base), foreign: database === "postgres" ? 0 : foreign };
  };
  const isLong = work === "import" || work === "export";
  return race(runPair, isLong ? Math.min(pairs, maxLongPairs) : pairs);
};

/** Figures that work of their own measures; the others come with the import. */
const ownWork = ["block", "indexed", "exportMemory"] as const;

/** A figure of the import, the searches or the export, which run for it where no goal before has run them. */
export const measureUsers = async (database: UsersDatabase, figure: keyof UsersFigures): Promise<FigureResult> => {
  const work = ownWork.find((name) => name === figure) ?? "figures";
  const figures = await ask<UsersFigures>(await workerFor(database), { work, seconds: 1 } satisfies UsersJob);
  return { value: figures[figure], min: figures[figure], max: figures[figure] };
};
