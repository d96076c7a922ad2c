import type { WorkerJob, WorkerReport } from "./bundled.ts";
import { withForeignCpu } from "./foreign-cpu.ts";
import { fromBench } from "./paths.ts";
import { ask, core, endProcess, spawnNode } from "./processes.ts";
import { type Pair, type RaceResult, race, type Sample } from "./race.ts";

const toSample = (perSecond: number): Sample => ({ perSecond, perCpuSecond: Number.NaN });

/** Races services for tests against bare ones, in one process. */
export const raceTestKit = async (pairs: number, seconds: number): Promise<RaceResult> => {
  const script = fromBench("subjects/test-kit-worker.ts");
  const worker = spawnNode({ script, core: core.server, stdio: ["ignore", "inherit", "inherit", "ipc"], env: {} });
  const job: WorkerJob = { seconds };
  const runPair = async (): Promise<Pair> => {
    const { value, foreign } = await withForeignCpu([Number(worker.pid)], () => ask<WorkerReport>(worker, job));
    return { ours: toSample(value.ours), base: toSample(value.base), foreign };
  };
  try {
    return await race(runPair, pairs);
  } finally {
    await endProcess(worker);
  }
};
