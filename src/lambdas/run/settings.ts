import { defaultLambdaLimits, type LambdaLimits, type LambdaRunner } from "../../ports/lambda-runner.js";
import type { Logger } from "../../ports/runtime.js";
import { consoleLogger } from "../../shared/default-runtime.js";
import { assertKnownOptions, type OptionNames } from "../../shared/known-options.js";
import { DefaultLambdaRunner } from "./default-runner.js";

/** For which lambda, and whose data, something of the host is asked. */
export interface LambdaScope {
  /** The lambda that runs. */
  readonly lambdaId: string;
  /** The tenant whose data it sees; undefined for what belongs to none. */
  readonly tenantId: string | undefined;
}

/**
 * A function of the host that lambdas may call as `host.<name>(…)`; arguments and result go through JSON. What it throws is thrown in the
 * lambda with the same message. It looks synchronous to the lambda.
 */
export type LambdaFunction = (place: LambdaScope, ...args: readonly unknown[]) => unknown;

/** How lambdas are run, and what they may reach. */
export interface LambdaOptions {
  /**
   * Runs them; the service closes it. Default: `isolatedVmRunner()` of `latchkey/isolated-vm`, loaded with the first run. Where the
   * package `isolated-vm` is not installed, lambdas can be saved, and each run fails.
   */
  readonly runner?: LambdaRunner | undefined;
  /** Default: {@link defaultLambdaLimits}. */
  readonly limits?: Partial<LambdaLimits> | undefined;
  /**
   * Whether lambdas may call others over HTTP with `fetch`, in plans that have it. What `allowPrivateNetwork` says holds for them
   * too. Default false.
   */
  readonly allowFetch?: boolean | undefined;
  /** Finds the secret that a lambda asks for with `context.secrets.get(name)`. Default: there are none. */
  readonly resolveSecret?: ((name: string, place: LambdaScope) => string | undefined | Promise<string | undefined>) | undefined;
  /** Functions that lambdas may call, by name. */
  readonly functions?: Readonly<Record<string, LambdaFunction>> | undefined;
  /** Whether a refusal by a failed lambda hides what it threw and where; the event log always shows both. Default false. */
  readonly hideFailures?: boolean | undefined;
}

/** Options with every default filled in. */
export interface LambdaSettings extends Required<Omit<LambdaOptions, "limits" | "resolveSecret" | "runner">> {
  readonly runner: LambdaRunner;
  readonly limits: LambdaLimits;
  readonly resolveSecret: NonNullable<LambdaOptions["resolveSecret"]> | undefined;
}

const names: OptionNames<LambdaOptions> = {
  allowFetch: true,
  functions: true,
  hideFailures: true,
  limits: true,
  resolveSecret: true,
  runner: true,
};

const limitNames: OptionNames<LambdaLimits> = {
  bodyBytes: true,
  consoleBytes: true,
  heapMebibytes: true,
  hostCallMilliseconds: true,
  resultBytes: true,
  wallClockMilliseconds: true,
};

/** Checks the options of lambdas. @throws TypeError naming the option that is wrong. */
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
  // Isolates cannot do with less.
  if (limits.heapMebibytes < 8) throw new TypeError("lambdas.limits.heapMebibytes must be 8 at least.");
  return Object.freeze(limits);
}
