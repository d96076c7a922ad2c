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
   * A process that uses more memory than this is replaced after the run that it is at; with half as much again, and the heap of the run, it
   * is killed. Looked at every 10 ms, on Linux only. Default 192.
   */
  readonly processMebibytes?: number;
}

/**
 * A runner of lambdas for authors who are not trusted: isolates of `isolated-vm` (an optional peer) in child processes that hold nothing
 * and are killed when a run does not keep to its limits. No process is started before the first run, none outlives the host. On Linux the
 * real memory of the processes is watched, and the kernel is configured to end them first; on Windows and macOS only the heaps are limited.
 * @throws TypeError when an option is wrong. Error when `isolated-vm` is not installed.
 */
export function isolatedVmRunner(options: IsolatedVmRunnerOptions = {}): LambdaRunner {
  assertKnownOptions("", options, { ...poolOptionNames, processMebibytes: "number" });
  const { processMebibytes = 192, ...rest } = options;
  const pool = toPoolOptions(rest);
  checkInteger("processMebibytes", processMebibytes, 64, 1_048_576);
  const engineFile = findEngine();
  const settings = { ...pool, graceMilliseconds: 50, guestMebibytes: processMebibytes };
  const { file, readable } = guestFiles(import.meta.url, "isolated-vm");
  const program = {
    file,
    parameters: [engineFile],
    // isolated-vm needs the first; without the second, loops that fill arrays cannot be ended (isolated-vm 6 and 7).
    flags: ["--no-node-snapshot", "--no-turbofan", "--allow-addons"],
    readable: [...readable, engineFile],
  };
  return new LambdaPool(settings, (listener) => startGuestProcess(program, listener));
}

// Only found here, loaded by the guests alone.
function findEngine(): string {
  try {
    const manifest = findPackage(import.meta.url, "isolated-vm", "isolatedVmRunner()", "isolated-vm/package.json");
    const folder = dirname(manifest);
    const file: string = createRequire(manifest)("node-gyp-build").path(folder);
    if (!existsSync(file)) throw new Error(`${file} does not exist.`);
    return file;
  } catch (error) {
    // Its releases follow those of Node.
    const release = Number.parseInt(process.versions.node, 10) >= 24 ? 7 : 6;
    throw new Error(`isolatedVmRunner() needs the package isolated-vm: npm install isolated-vm@${release}.`, { cause: error });
  }
}
