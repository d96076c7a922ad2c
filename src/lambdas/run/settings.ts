import {
  defaultLambdaLimits,
  type LambdaFailure,
  type LambdaLimits,
  type LambdaOptions,
  type LambdaOutcome,
  type LambdaRun,
  type LambdaRunner,
  type LambdaRunnerState,
  type LambdaSettings,
} from "../../ports/lambda-runner.js";
import type { Logger } from "../../ports/runtime.js";
import { type Lazy, lazily } from "../../shared/async.js";
import { consoleLogger } from "../../shared/default-runtime.js";
import { assertKnownOptions, type OptionNames } from "../../shared/known-options.js";

const names: OptionNames<LambdaOptions> = {
  allowFetch: "boolean",
  functions: "object",
  hideFailures: "boolean",
  limits: "object",
  resolveSecret: "function",
  runner: ["close", "readState", "run"],
};

const limitNames: OptionNames<LambdaLimits> = {
  bodyBytes: "number",
  consoleBytes: "number",
  heapMebibytes: "number",
  hostCallMilliseconds: "number",
  resultBytes: "number",
  wallClockMilliseconds: "number",
};

/** Checks the options of lambdas. @throws TypeError naming the invalid option. */
export function toLambdaSettings(options: LambdaOptions = {}, logger: Logger = consoleLogger): LambdaSettings {
  assertKnownOptions("lambdas", options, names);
  const { limits, allowFetch = false, resolveSecret, functions = {}, hideFailures = false } = options;
  const runner = options.runner ?? new DefaultLambdaRunner(logger);
  for (const name of Object.keys(functions))
    if (!/^[A-Za-z_$][\w$]{0,99}$/.test(name)) throw new TypeError(`lambdas.functions holds ${name}, which is no identifier.`);
  return Object.freeze({ runner, limits: toLimits(limits), allowFetch, resolveSecret, functions, hideFailures });
}

function toLimits(given: Partial<LambdaLimits> = {}): LambdaLimits {
  assertKnownOptions("lambdas.limits", given, limitNames);
  const limits = { ...defaultLambdaLimits, ...given };
  for (const [name, value] of Object.entries(limits))
    if (!Number.isSafeInteger(value) || value <= 0)
      throw new TypeError(`lambdas.limits.${name} must be a positive whole number.`);
  // The minimum of isolates.
  if (limits.heapMebibytes < 8) throw new TypeError("lambdas.limits.heapMebibytes must be 8 at least.");
  return Object.freeze(limits);
}

// The only reference of the core to an adapter: by package name, so that neither bundles the other.
const loadInstalled = lazily(() => import("latchkey/runners"));
const createInstalled = async (): Promise<LambdaRunner> => (await loadInstalled()).isolatedVmRunner();

const idle: LambdaRunnerState = Object.freeze({ guests: 0, waiting: 0, killed: 0 });

/**
 * The default runner: `isolatedVmRunner()`, loaded with the first run. Where that fails, such as without the package
 * `isolated-vm`, every run ends as `refused`, and the first one logs the reason.
 */
export class DefaultLambdaRunner implements LambdaRunner {
  readonly #runner: Lazy<LambdaRunner | LambdaFailure>;

  constructor(logger: Logger, load: () => Promise<LambdaRunner> = createInstalled) {
    this.#runner = lazily(() =>
      load().catch((error: unknown) => {
        const failure = toMissing(error);
        logger.error({ err: error }, `A lambda was not run: ${failure.message}`);
        return failure;
      }),
    );
  }

  async run(run: LambdaRun): Promise<LambdaOutcome> {
    const runner = await this.#runner();
    return "run" in runner ? runner.run(run) : runner;
  }

  readState(): LambdaRunnerState {
    const runner = this.#runner.begun();
    return runner !== undefined && "readState" in runner ? runner.readState() : idle;
  }

  async close(): Promise<void> {
    const runner = await this.#runner.begun();
    if (runner !== undefined && "close" in runner) await runner.close();
  }
}

function toMissing(error: unknown): LambdaFailure {
  const reason = error instanceof Error ? error.message : String(error);
  return Object.freeze({ kind: "refused", message: `The option lambdas.runner is not set, and ${reason}`, console: [] });
}
