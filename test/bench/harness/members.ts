import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { MemberJob, MemberReport, MemberWork } from "../subjects/member-worker.ts";
import { withForeignCpu } from "./foreign-cpu.ts";
import type { FigureResult } from "./lambda.ts";
import { dataDirectory, fromBench } from "./paths.ts";
import { ask, spawnNode } from "./processes.ts";
import { median, type Pair, type RaceResult, race, type Sample } from "./race.ts";

let worker: ChildProcess | undefined;

const startWorker = (): ChildProcess => {
  const directory = mkdtempSync(join(dataDirectory(), "members-"));
  process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
  const script = fromBench("subjects/member-worker.ts");
  // Not pinned: long transactions are written by a thread, which wants the other core.
  return spawnNode({ script, core: undefined, stdio: ["ignore", "inherit", "inherit", "ipc"], env: { BENCH_DIR: directory } });
};

const toSample = (perSecond: number): Sample => ({ perSecond, perCpuSecond: Number.NaN });

/** Races our members against statements by hand, in one process. */
export const raceMembers = async (work: MemberWork, pairs: number, seconds: number): Promise<RaceResult> => {
  worker ??= startWorker();
  const child = worker;
  const job: MemberJob = { work, seconds };
  const runPair = async (): Promise<Pair> => {
    const { value, foreign } = await withForeignCpu([Number(child.pid)], () => ask<MemberReport>(child, job));
    return { ours: toSample(value.ours), base: toSample(value.base), foreign };
  };
  return race(runPair, pairs);
};

/** For how long members that are written keep everybody else from being served, in milliseconds. */
export const measureMemberBlock = async (work: MemberWork, times: number): Promise<FigureResult> => {
  worker ??= startWorker();
  const values: number[] = [];
  for (let time = 0; time < times; time++)
    values.push((await ask<MemberReport>(worker, { work, seconds: 1 } satisfies MemberJob)).block);
  return { value: median(values), min: Math.min(...values), max: Math.max(...values) };
};
