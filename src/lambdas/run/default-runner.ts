import type { LambdaFailure, LambdaOutcome, LambdaRun, LambdaRunner, LambdaRunnerState } from "../../ports/lambda-runner.js";
import type { Logger } from "../../ports/runtime.js";

// The only place where the core names an adapter: by the package, so that neither is built into the other.
const loadInstalled = async (): Promise<LambdaRunner> => (await import("latchkey/isolated-vm")).isolatedVmRunner();

const idle: LambdaRunnerState = Object.freeze({ guests: 0, waiting: 0, killed: 0 });

/**
 * The runner of a service that is given none: `isolatedVmRunner()`, loaded with the first run. Where the package `isolated-vm` is not
 * installed, every run ends as `refused`, and the first one logs how to install it.
 */
export class DefaultLambdaRunner implements LambdaRunner {
  readonly #logger: Logger;
  readonly #load: () => Promise<LambdaRunner>;
  #loading: Promise<LambdaRunner | undefined> | undefined;
  #loaded: LambdaRunner | undefined;

  constructor(logger: Logger, load: () => Promise<LambdaRunner> = loadInstalled) {
    this.#logger = logger;
    this.#load = load;
  }

  async run(run: LambdaRun): Promise<LambdaOutcome> {
    this.#loading ??= this.#loadOnce();
    const runner = await this.#loading;
    return runner === undefined ? missing : runner.run(run);
  }

  readState(): LambdaRunnerState {
    return this.#loaded?.readState() ?? idle;
  }

  async close(): Promise<void> {
    await (await this.#loading)?.close();
  }

  async #loadOnce(): Promise<LambdaRunner | undefined> {
    try {
      this.#loaded = await this.#load();
    } catch (error) {
      this.#logger.error({ err: error }, `A lambda was not run: ${installAdvice}`);
    }
    return this.#loaded;
  }
}

// The releases of isolated-vm follow those of Node.
const release = Number.parseInt(process.versions.node, 10) >= 24 ? 7 : 6;

/** What lets lambdas run. */
const installAdvice = `install the package isolated-vm (npm install isolated-vm@${release}), or pass the option lambdas.runner.`;

const missing: LambdaFailure = Object.freeze({
  kind: "refused",
  message: `This service has no runner for lambdas: ${installAdvice}`,
  console: [],
});
