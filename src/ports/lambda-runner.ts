/** Port for running lambdas: the script, its limits and host functions, and the outcome. */

/** Limits of one run of a lambda. */
export interface LambdaLimits {
  /** The heap of the script's realm, in MiB. */
  readonly heapMebibytes: number;
  /** The longest run, without the time spent waiting for host functions. */
  readonly wallClockMilliseconds: number;
  /** The largest changed arguments, as JSON. */
  readonly resultBytes: number;
  /** The largest script. */
  readonly bodyBytes: number;
  /** The largest console output; the rest is cut off. */
  readonly consoleBytes: number;
  /** The longest total wait for host functions. */
  readonly hostCallMilliseconds: number;
}

/** The limits of docs/reference/lambdas.md#lambda-limits. */
export const defaultLambdaLimits: LambdaLimits = Object.freeze({
  heapMebibytes: 32,
  wallClockMilliseconds: 1_000,
  resultBytes: 1_048_576,
  bodyBytes: 200_000,
  consoleBytes: 65_536,
  hostCallMilliseconds: 5_000,
});

/** A script to run, and its identity. */
export interface LambdaScript {
  /** The tenant of the run's data. Scripts of one tenant may share a realm, those of two tenants never do. */
  readonly tenantId: string | undefined;
  /** The UUID of the lambda. */
  readonly lambdaId: string;
  /** Changes with the body: the cache key of the compiled program. */
  readonly version: string;
  /** The source of the script. */
  readonly body: string;
  /** The top-level function to call. */
  readonly functionName: string;
  /** The names of its arguments, in order. */
  readonly parameters: readonly string[];
  /** The names of the arguments that the script may change. */
  readonly changes: readonly string[];
}

/** The functions of the host that a run may call. They look synchronous to the script. */
export interface LambdaHost {
  /**
   * `fetch`; `secrets.get`, available as `context.secrets.get` and `context.services.secrets.get`; and `host.<name>` for each
   * function of the global object `host`. Functions that are not in this list do not exist for the script.
   */
  readonly names: readonly string[];
  /**
   * Calls a function with a JSON array of arguments, and returns JSON or undefined. A rejection is thrown in the script as an
   * Error with the same message.
   */
  call(name: string, argumentsJson: string): Promise<string | undefined>;
}

/** One run of a lambda. */
export interface LambdaRun {
  /** The script to run. */
  readonly script: LambdaScript;
  /**
   * The arguments by name, as JSON; an absent one is undefined for the script. The member `constants` of the argument `context`
   * is frozen, and is also in `context.services`.
   */
  readonly argumentsJson: string;
  /** The limits of this run. */
  readonly limits: LambdaLimits;
  /** The functions of the host. Absent: the script can call nothing outside of its realm. */
  readonly host?: LambdaHost | undefined;
}

/** The level of a console line; `console.log` is `info`. */
export type ConsoleLevel = "debug" | "info" | "warn" | "error";

/** A line that a script wrote. */
export interface ConsoleLine {
  /** The method of `console` that wrote it. */
  readonly level: ConsoleLevel;
  /** The formatted arguments, in one line or more. */
  readonly text: string;
}

/**
 * The reason for a failed run. `syntax`: the body does not parse. `missingFunction`: the body lacks the function. `threw`: the
 * script threw, or its result has no JSON. `timedOut`, `outOfMemory`, `tooLarge`: it exceeded a limit. `crashed`: the engine
 * crashed. `refused`: the script did not run, because there is no runner, too many runs wait, or the lambda was killed too often.
 */
export type LambdaFailureKind =
  | "syntax"
  | "missingFunction"
  | "threw"
  | "timedOut"
  | "outOfMemory"
  | "tooLarge"
  | "crashed"
  | "refused";

/** A failed run. */
export interface LambdaFailure {
  /** The category of the failure. */
  readonly kind: LambdaFailureKind;
  /** A description; for `threw`, the message of the thrown value. */
  readonly message: string;
  /** The line in the body, counted from one. */
  readonly line?: number | undefined;
  /** The column in `line`, counted from one. */
  readonly column?: number | undefined;
  /** The console output until the failure, as far as it could be saved. */
  readonly console: readonly ConsoleLine[];
  /** Whether the engine crashed or had to be killed. */
  readonly wasKilled?: boolean | undefined;
}

/** The outcome of a run: the changed arguments, or the failure. */
export type LambdaOutcome =
  | {
      readonly kind: "ok";
      /** The arguments of {@link LambdaScript.changes} by name, as JSON. Written by the script: do not trust it. */
      readonly changedJson: string;
      readonly console: readonly ConsoleLine[];
    }
  | LambdaFailure;

/** Statistics that a runner reports. */
export interface LambdaRunnerState {
  /** Processes or threads that run scripts, including spares. */
  readonly guests: number;
  /** Runs that wait for a guest. */
  readonly waiting: number;
  /** Guests that were killed since the start. */
  readonly killed: number;
}

/** Runs lambdas. No run affects another, and no body may harm its caller. */
export interface LambdaRunner {
  /** Never rejects. */
  run(run: LambdaRun): Promise<LambdaOutcome>;
  /** Returns the current statistics. */
  readState(): LambdaRunnerState;
  /** Ends all guests; runs in flight end as `refused`. */
  close(): Promise<void>;
}

/** The lambda, and its tenant, of a call to the host. */
export interface LambdaScope {
  /** The UUID of the lambda. */
  readonly lambdaId: string;
  /** The tenant of the run's data; undefined for data without a tenant. */
  readonly tenantId: string | undefined;
}

/**
 * A function of the host that lambdas call as `host.<name>(…)`, synchronously from their view. Arguments and result are converted
 * to JSON. An error is thrown in the lambda with the same message.
 */
export type LambdaFunction = (place: LambdaScope, ...args: readonly unknown[]) => unknown;

/** Options for running lambdas, and for their access to the host and the network. */
export interface LambdaOptions {
  /**
   * Runs lambdas; the service closes it. Default: `isolatedVmRunner()` of `latchkey/runners`, loaded with the first run. Without
   * the package `isolated-vm`, lambdas can be stored but each run fails.
   */
  readonly runner?: LambdaRunner | undefined;
  /** Limits of a run. Default: {@link defaultLambdaLimits}. */
  readonly limits?: Partial<LambdaLimits> | undefined;
  /**
   * Whether lambdas may make HTTP calls with `fetch`, on plans that include it. The option `allowPrivateNetwork` applies. Default
   * false.
   */
  readonly allowFetch?: boolean | undefined;
  /**
   * Returns the secret for `context.secrets.get(name)` unless the tenant of the run has a secret of that name. Default: lambdas
   * see only the secrets of tenants.
   */
  readonly resolveSecret?: ((name: string, place: LambdaScope) => string | undefined | Promise<string | undefined>) | undefined;
  /** Functions that lambdas may call, by name. */
  readonly functions?: Readonly<Record<string, LambdaFunction>> | undefined;
  /**
   * Whether an operation that fails by a lambda hides the thrown message and position from its caller; the event log always has
   * both. Default false.
   */
  readonly hideFailures?: boolean | undefined;
}

/** {@link LambdaOptions} with every default filled in. */
export interface LambdaSettings extends Required<Omit<LambdaOptions, "limits" | "resolveSecret" | "runner">> {
  readonly runner: LambdaRunner;
  readonly limits: LambdaLimits;
  readonly resolveSecret: NonNullable<LambdaOptions["resolveSecret"]> | undefined;
}
