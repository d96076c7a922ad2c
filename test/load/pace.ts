/** Finds the rate of calls that leaves a share of a core idle, also where the core changes its speed, as those of shared machines do. */
import { cpus } from "node:os";

/** Milliseconds of a core, since its start. */
export interface CoreTimes {
  readonly busy: number;
  readonly total: number;
}

const gain = 0.5;
const mostChange = 0.2;

/** The rate for the next moment, by the share of the core that was busy at the rate before: at most a fifth more or less. */
export function nextRate(perSecond: number, wanted: number, busy: number): number {
  const change = gain * (wanted / busy - 1);
  return perSecond * (1 + Math.max(-mostChange, Math.min(mostChange, change)));
}

/** The share of the core that was busy between two moments. Where no time has passed between them, all of it. */
export function busyShare(before: CoreTimes, after: CoreTimes): number {
  const total = after.total - before.total;
  return total > 0 ? (after.busy - before.busy) / total : 1;
}

/** What a core has done so far. @throws Error where there is no such core. */
export function readCore(core: number): CoreTimes {
  const times = cpus()[core]?.times;
  if (times === undefined) throw new Error(`There is no core ${core}.`);
  const total = Object.values(times).reduce((sum, one) => sum + one, 0);
  return { busy: total - times.idle, total };
}
