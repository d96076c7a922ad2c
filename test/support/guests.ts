import { readdirSync, readFileSync } from "node:fs";
import { eventually } from "./eventually.js";

/** A child process. */
export interface ChildProcess {
  readonly pid: number;
  readonly command: readonly string[];
}

/** The child processes of a process, from Linux's /proc. */
export function childrenOf(parent: number): readonly ChildProcess[] {
  return readdirSync("/proc").flatMap((name) => {
    try {
      const [, parentPid] = /^\d+ \(.*\) \w (\d+) /s.exec(readFileSync(`/proc/${name}/stat`, "latin1")) ?? [];
      if (Number(parentPid) !== parent) return [];
      return [{ pid: Number(name), command: readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0").slice(0, -1) }];
    } catch {
      // Not a process, or already ended.
      return [];
    }
  });
}

/** The guest processes of isolated-vm and QuickJS among them. */
export function guestsOf(parent: number): readonly ChildProcess[] {
  return childrenOf(parent).filter(({ command }) => command.some((word) => /(isolated-vm|quickjs)[/-]guest/.test(word)));
}

/** Waits for a condition. */
export function until(holds: () => boolean): Promise<void> {
  return eventually(() => {
    if (!holds()) throw new Error("It does not hold.");
  });
}
