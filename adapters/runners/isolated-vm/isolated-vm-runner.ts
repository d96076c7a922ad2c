import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { assertKnownOptions } from "latchkey";
import { findPackage, type LambdaRunner } from "latchkey/ports";
import { guestFiles, startGuestProcess } from "../lambda-guest/guest-process.js";
import { LambdaPool } from "../lambda-guest/pool.js";
import { checkInteger, type LambdaPoolOptions, poolOptionNames, toPoolOptions } from "../lambda-guest/pool-options.js";

/** Options of {@link isolatedVmRunner}. */
export interface IsolatedVmRunnerOptions extends LambdaPoolOptions {
  /**
   * The memory limit of a process. Above it, the process is replaced after its current run; above 1.5 times the limit plus the
   * heap of the run, it is killed. Checked every 10 ms, on Linux only. Default 192.
   */
  readonly processMebibytes?: number;
}

/**
 * A lambda runner for untrusted authors: isolates of `isolated-vm` (an optional peer) in child processes without privileges,
 * which are killed when a run exceeds its limits. The first process starts with the first run; none outlives the host. On Linux
 * the runner watches the real memory of the processes, and the kernel ends them first; on Windows and macOS only the heaps are
 * limited.
 * @throws TypeError when an option is wrong. Error when `isolated-vm` is not installed.
 */
export function isolatedVmRunner(options: IsolatedVmRunnerOptions = {}): LambdaRunner {
  assertKnownOptions("", options, { ...poolOptionNames, processMebibytes: "number" });
  const { processMebibytes = 192, ...rest } = options;
  const pool = toPoolOptions(rest);
  checkInteger("processMebibytes", processMebibytes, [64, 1_048_576]);
  const engineFile = findEngine();
  const settings = { ...pool, graceMilliseconds: 50, guestMebibytes: processMebibytes };
  const { file, readable } = guestFiles(import.meta.url, "isolated-vm");
  const program = {
    file,
    parameters: [engineFile],
    // isolated-vm needs the first flag. Without the second, loops that fill arrays cannot be ended (isolated-vm 6 and 7).
    flags: ["--no-node-snapshot", "--no-turbofan", "--allow-addons"],
    readable: [...readable, engineFile],
  };
  return new LambdaPool(settings, (listener) => startGuestProcess(program, listener));
}

// Only resolves the engine; the guests load it.
function findEngine(): string {
  try {
    const manifest = findPackage(import.meta.url, "isolated-vm", "isolatedVmRunner()", "isolated-vm/package.json");
    const folder = dirname(manifest);
    const file: string = createRequire(manifest)("node-gyp-build").path(folder);
    if (!existsSync(file)) throw new Error(`${file} does not exist.`);
    return file;
  } catch (error) {
    // isolated-vm 7 needs Node 24, and 6 is for older versions.
    const release = Number.parseInt(process.versions.node, 10) >= 24 ? 7 : 6;
    throw new Error(`isolatedVmRunner() needs the package isolated-vm: npm install isolated-vm@${release}.`, { cause: error });
  }
}
