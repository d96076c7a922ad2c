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
   * The memory limit of a process. Above it, the process is replaced after its current run; above 1.5 times the limit plus the
   * heap of the run, it is killed. Checked every 10 ms, on Linux only, where the kernel also limits its data. Default 192.
   */
  readonly processMebibytes?: number;
}

/**
 * A lambda runner for untrusted authors on hosts without native modules: QuickJS compiled to WebAssembly, one instance per
 * tenant, in child processes without privileges. It needs the packages `quickjs-emscripten-core` and
 * `@jitl/quickjs-wasmfile-release-sync` (optional peers). It interprets: compute-heavy bodies take 10 to 50 times as long as with
 * `isolatedVmRunner()`, and there is no `Intl`.
 * @throws TypeError when an option is wrong. Error when one of the packages is not installed.
 */
export function quickJsRunner(options: QuickJsRunnerOptions = {}): LambdaRunner {
  assertKnownOptions("", options, { ...poolOptionNames, processMebibytes: "number" });
  const { processMebibytes = 192, ...rest } = options;
  const pool = toPoolOptions(rest);
  checkInteger("processMebibytes", processMebibytes, [96, 1_048_576]);
  const { file, readable } = guestFiles(import.meta.url, "quickjs");
  const engine = findEngine();
  const program = {
    file,
    parameters: [engine.core, engine.variant, engine.wasm],
    // Each frame of the interpreter takes several native ones, and the interpreter's own limit must trigger first. On Windows the
    // main thread has 1 MiB, which no flag changes.
    flags: ["--expose-gc", ...(process.platform === "win32" ? [] : ["--stack-size=3900"])],
    readable: [...readable, ...engine.folders],
    dataMebibytes: reservedMebibytes + 2 * processMebibytes,
  };
  const settings = { ...pool, graceMilliseconds: 50, guestMebibytes: processMebibytes };
  return new LambdaPool(settings, (listener) => startGuestProcess(program, listener));
}

/**
 * Reserved memory that the kernel counts as data: V8 reserves 600 MiB for itself and 16 MiB for each WebAssembly instance, of
 * which there are 32, a spare, and some to be collected.
 */
const reservedMebibytes = 2_048;

interface EngineFiles {
  readonly core: string;
  readonly variant: string;
  readonly wasm: string;
  /** The folders of these files, for Node's read permission. */
  readonly folders: readonly string[];
}

const variantName = "@jitl/quickjs-wasmfile-release-sync";

// Only resolves the packages; the guests load them.
function findEngine(): EngineFiles {
  const find = (name: string, file = name): string => findPackage(import.meta.url, name, "quickJsRunner()", file);
  const core = find("quickjs-emscripten-core");
  const variant = find(variantName);
  const types = [core, variant].map((file) => createRequire(file).resolve("@jitl/quickjs-ffi-types"));
  const folders = [...new Set([core, variant, ...types].map((file) => `${dirname(dirname(file))}/*`))];
  return { core, variant, wasm: find(variantName, `${variantName}/wasm`), folders };
}
