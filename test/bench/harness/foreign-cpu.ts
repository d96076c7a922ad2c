import { readFileSync } from "node:fs";

/** CPU time so far, in clock ticks; Linux gives 100 a second to programs whatever it uses itself. */
interface Ticks {
  readonly own: number;
  readonly busy: number;
  readonly total: number;
}

const numbers = (fields: readonly string[]): number[] => fields.map(Number);

/** All cores. Interrupts count as busy: loopback traffic causes them, and their time is in the processes' own too. */
const readMachine = (): { busy: number; total: number } => {
  const line = readFileSync("/proc/stat", "utf8").split("\n", 1)[0] ?? "";
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softirq = 0, steal = 0] = numbers(
    line.split(/\s+/).slice(1),
  );
  const busy = user + nice + system + irq + softirq + steal;
  return { busy, total: busy + idle + wait };
};

/** utime, stime and those of the children already waited for: fields 14 to 17 of proc(5). */
const readProcess = (pid: number): number => {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = numbers(text.slice(text.lastIndexOf(")") + 2).split(" "));
  return fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0);
};

/** CPU seconds a process has used so far; NaN where it cannot be known. */
export const readCpuSeconds = (pid: number): number => {
  try {
    return readProcess(pid) / 100;
  } catch {
    return Number.NaN; // no /proc on this system
  }
};

const readTicks = (pids: readonly number[]): Ticks | undefined => {
  try {
    return { ...readMachine(), own: pids.reduce((sum, pid) => sum + readProcess(pid), 0) };
  } catch {
    return undefined; // no /proc on this system
  }
};

/** Runs the work and tells which share of the machine processes other than these (and this one) took meanwhile. */
export const withForeignCpu = async <T>(
  pids: readonly number[],
  work: () => Promise<T>,
): Promise<{ value: T; foreign: number }> => {
  const all = [...new Set([process.pid, ...pids])];
  const before = readTicks(all);
  const value = await work();
  const after = readTicks(all);
  if (!before || !after || after.total === before.total) return { value, foreign: Number.NaN };
  const foreign = after.busy - before.busy - (after.own - before.own);
  return { value, foreign: Math.max(0, foreign) / (after.total - before.total) };
};
