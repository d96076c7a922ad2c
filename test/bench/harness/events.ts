import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { EventGoal } from "../goals.ts";
import type { EventJob, EventReport } from "./event-fixture.ts";
import { readCpuSeconds } from "./foreign-cpu.ts";
import { dataDirectory, fromBench } from "./paths.ts";
import { ask, core, endProcess, spawnNode } from "./processes.ts";
import { alternate, type Contestant, type RaceResult, race } from "./race.ts";
import { startSink } from "./start-sink.ts";

interface RunningSide extends Contestant {
  stop(): Promise<void>;
}

const startSide = async (script: string, env: Readonly<Record<string, string>>, job: EventJob): Promise<RunningSide> => {
  const directory = mkdtempSync(join(dataDirectory(), "events-"));
  const sink = await startSink();
  const more = { ...env, BENCH_DIR: directory, BENCH_SINK: sink.url };
  const stdio = ["ignore", "inherit", "inherit", "ipc"] as const;
  const worker = spawnNode({ script: fromBench(script), core: core.server, stdio: [...stdio], env: more });
  const pid = Number(worker.pid);
  return {
    pids: [pid, Number(sink.process.pid)],
    sample: async () => {
      const cpuBefore = readCpuSeconds(pid);
      const { events, seconds } = await ask<EventReport>(worker, job);
      return { perSecond: events / seconds, perCpuSecond: events / (readCpuSeconds(pid) - cpuBefore) };
    },
    stop: async () => {
      await endProcess(worker);
      await endProcess(sink.process);
      rmSync(directory, { recursive: true, force: true });
    },
  };
};

/** Races events from the call that makes them to the receiver, ours against a way by hand. */
export const raceEvents = async (
  { algorithm, base, synchronous }: EventGoal["race"],
  pairs: number,
  seconds: number,
): Promise<RaceResult> => {
  const env = { BENCH_ALGORITHM: algorithm, BENCH_BASE: base, BENCH_SYNCHRONOUS: synchronous };
  const ours = await startSide("subjects/event-worker.ts", env, { seconds });
  const other = await startSide("yardsticks/event-worker.ts", env, { seconds });
  try {
    return await race(alternate(ours, other), pairs);
  } finally {
    await ours.stop();
    await other.stop();
  }
};
