import { withForeignCpu } from "./foreign-cpu.ts";

/** How much got done, by the clock and by the CPU time of the server (NaN where there is none or it cannot be known). */
export interface Sample {
  readonly perSecond: number;
  readonly perCpuSecond: number;
}

/** One side of a race. */
export interface Contestant {
  readonly pids: readonly number[];
  sample(): Promise<Sample>;
}

/** A sample of each side, one right after the other, and the share of CPU that others took meanwhile. */
export interface Pair {
  readonly ours: Sample;
  readonly base: Sample;
  readonly foreign: number;
}

export interface RaceResult {
  /** Median of the pairs' ours / base, and the spread. */
  readonly ratio: number;
  readonly min: number;
  readonly max: number;
  /** The same median per CPU time of the servers. */
  readonly cpuRatio: number;
  /** The worst pair's share of CPU taken by other processes; NaN where it cannot be known. */
  readonly foreign: number;
  readonly oursPerSecond: number;
  readonly basePerSecond: number;
}

export const maxForeign = 0.1;

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? Number(sorted[middle]) : (Number(sorted[middle - 1]) + Number(sorted[middle])) / 2;
};

const isDisturbed = (pair: Pair): boolean => pair.foreign > maxForeign;

/** Samples one side, then the other. */
export const alternate = (ours: Contestant, base: Contestant): (() => Promise<Pair>) => {
  const pids = [...ours.pids, ...base.pids];
  return async () => {
    const a = await withForeignCpu(pids, () => ours.sample());
    const b = await withForeignCpu(pids, () => base.sample());
    return { ours: a.value, base: b.value, foreign: Math.max(a.foreign, b.foreign) };
  };
};

/** Runs pairs after an unmeasured one; disturbed ones are repeated, up to twice as many in all, and the calmest are kept. */
export const race = async (runPair: () => Promise<Pair>, pairs: number): Promise<RaceResult> => {
  await runPair();
  const all: Pair[] = [];
  while (all.filter((pair) => !isDisturbed(pair)).length < pairs && all.length < pairs * 2) all.push(await runPair());
  const calm = all.filter((pair) => !isDisturbed(pair));
  const disturbed = all.filter(isDisturbed).toSorted((a, b) => a.foreign - b.foreign);
  const kept = [...calm, ...disturbed].slice(0, pairs);
  const ratios = kept.map((pair) => pair.ours.perSecond / pair.base.perSecond);
  return {
    ratio: median(ratios),
    min: Math.min(...ratios),
    max: Math.max(...ratios),
    cpuRatio: median(kept.map((pair) => pair.ours.perCpuSecond / pair.base.perCpuSecond)),
    foreign: Math.max(...kept.map((pair) => pair.foreign)),
    oursPerSecond: median(kept.map((pair) => pair.ours.perSecond)),
    basePerSecond: median(kept.map((pair) => pair.base.perSecond)),
  };
};
