import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import type { FigureJob } from "../subjects/lambda-figures.ts";
import type { LambdaJob } from "../subjects/lambda-worker.ts";
import type { WorkerReport } from "./bundled.ts";
import { withForeignCpu } from "./foreign-cpu.ts";
import { fromBench } from "./paths.ts";
import { ask, endProcess, spawnNode } from "./processes.ts";
import { median, type Pair, type RaceResult, race, type Sample } from "./race.ts";

// The children of our runner need the other core, so that nothing is pinned.
const start = (script: string): ChildProcess =>
  spawnNode({ script: fromBench(script), core: undefined, stdio: ["ignore", "inherit", "inherit", "ipc"] });

/** A process and the children that run lambdas for it; the process alone where it cannot be known. */
const familyOf = (pid: number): readonly number[] => {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const read = (thread: string): string => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8");
    return [pid, ...threads.flatMap((thread) => read(thread).split(" ").filter(Boolean).map(Number))];
  } catch {
    return [pid];
  }
};

const toSample = (perSecond: number): Sample => ({ perSecond, perCpuSecond: Number.NaN });

/** Races runs by our runner against runs in one process by hand. */
export const raceLambda = async (job: Omit<LambdaJob, "seconds">, pairs: number, seconds: number): Promise<RaceResult> => {
  const worker = start("subjects/lambda-worker.ts");
  const runPair = async (): Promise<Pair> => {
    const question: LambdaJob = { ...job, seconds: seconds * 2 };
    const { value, foreign } = await withForeignCpu(familyOf(Number(worker.pid)), () => ask<WorkerReport>(worker, question));
    return { ours: toSample(value.ours), base: toSample(value.base), foreign };
  };
  try {
    return await race(runPair, pairs);
  } finally {
    await endProcess(worker);
  }
};

export interface FigureResult {
  readonly value: number;
  readonly min: number;
  readonly max: number;
}

/** Takes a figure of our runner several times. */
export const measureFigure = async (figure: FigureJob["figure"], times: number): Promise<FigureResult> => {
  const values: number[] = [];
  const worker = start("subjects/lambda-figures.ts");
  try {
    for (let time = 0; time < times; time++) values.push((await ask<{ readonly value: number }>(worker, { figure })).value);
    return { value: median(values), min: Math.min(...values), max: Math.max(...values) };
  } finally {
    await endProcess(worker);
  }
};
