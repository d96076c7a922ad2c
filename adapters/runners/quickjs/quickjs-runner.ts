import { createRequire } from "node:module";
import { dirname } from "node:path";
import { assertKnownOptions } from "latchkey";
import { findPackage, type LambdaRunner } from "latchkey/ports";
import { guestFiles, startGuestProcess } from "../lambda-guest/guest-process.js";
import { LambdaPool } from "../lambda-guest/pool.js";
import { checkInteger, type LambdaPoolOptions, poolOptionNames, toPoolOptions } from "../lambda-guest/pool-options.js";

/** Options of {@link quickJsRunner}. */
export interface QuickJsRunnerOptions extends LambdaPoolOptions {
  /**
   * A process that uses more memory than this is replaced after the run that it is at; with half as much again, and the heap of the run, it
   * is killed. Looked at every 10 ms, on Linux only, where the kernel also limits its data. Default 192.
   */
  readonly processMebibytes?: number;
}

/**
 * A runner of lambdas for authors who are not trusted, on hosts where no native module can be installed: QuickJS compiled to WebAssembly, an
 * instance for each tenant, in child processes that hold nothing. It needs the packages `quickjs-emscripten-core` and
 * `@jitl/quickjs-wasmfile-release-sync` (optional peers). It interprets: bodies that compute much take 10 to 50 times as long as with
 * `isolatedVmRunner()`, and there is no `Intl`.
 * @throws TypeError when an option is wrong. Error when one of the packages is not installed.
 */
export function quickJsRunner(options: QuickJsRunnerOptions = {}): LambdaRunner {
  assertKnownOptions("", options, { ...poolOptionNames, processMebibytes: "number" });
  const { processMebibytes = 192, ...rest } = options;
  const pool = toPoolOptions(rest);
  checkInteger("processMebibytes", processMebibytes, 96, 1_048_576);
  const { file, readable } = guestFiles(import.meta.url, "quickjs");
  const engine = findEngine();
  const program = {
    file,
    parameters: [engine.core, engine.variant, engine.wasm],
    // Each frame of the interpreter takes several of the machine: its own limit is to be reached first. The main thread of a process has
    // 1 MiB on Windows, which no flag changes.
    flags: ["--expose-gc", ...(process.platform === "win32" ? [] : ["--stack-size=3900"])],
    readable: [...readable, ...engine.folders],
    dataMebibytes: reservedMebibytes + 2 * processMebibytes,
  };
  const settings = { ...pool, graceMilliseconds: 50, guestMebibytes: processMebibytes };
  return new LambdaPool(settings, (listener) => startGuestProcess(program, listener));
}

/**
 * What the kernel counts as data beyond what is used: V8 reserves 600 MiB for itself, and 16 MiB for each instance of WebAssembly, of which
 * there are 32, a spare, and some to be collected.
 */
const reservedMebibytes = 2_048;

interface EngineFiles {
  readonly core: string;
  readonly variant: string;
  readonly wasm: string;
  /** Where they are, for Node's flag. */
  readonly folders: readonly string[];
}

const variantName = "@jitl/quickjs-wasmfile-release-sync";

// Only found here, loaded by the guests alone.
function findEngine(): EngineFiles {
  const find = (name: string, file = name): string => findPackage(import.meta.url, name, "quickJsRunner()", file);
  const core = find("quickjs-emscripten-core");
  const variant = find(variantName);
  const types = [core, variant].map((file) => createRequire(file).resolve("@jitl/quickjs-ffi-types"));
  const folders = [...new Set([core, variant, ...types].map((file) => `${dirname(dirname(file))}/*`))];
  return { core, variant, wasm: find(variantName, `${variantName}/wasm`), folders };
}
