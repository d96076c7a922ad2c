/** Port for running lambdas: the script, its limits and host functions, and the outcome. */

/** Limits of one run of a lambda. */
export interface LambdaLimits {
  /** The heap of the realm that it runs in. */
  readonly heapMebibytes: number;
  /** How long it may run, without the time that it waits for host functions. */
  readonly wallClockMilliseconds: number;
  /** The changed arguments, as JSON. */
  readonly resultBytes: number;
  /** The script. */
  readonly bodyBytes: number;
  /** The lines that it writes, together; what is beyond is cut off. */
  readonly consoleBytes: number;
  /** How long it may wait for functions of the host, together. */
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
  /** Whose data the run sees: scripts of one tenant may share a realm, those of two never do. */
  readonly tenantId: string | undefined;
  /** The UUID of the lambda. */
  readonly lambdaId: string;
  /** Changes with the body: the key of the compiled program in the cache. */
  readonly version: string;
  /** The source of the script. */
  readonly body: string;
  /** The function at the top of the script that is called. */
  readonly functionName: string;
  /** The names of its arguments, in their order. */
  readonly parameters: readonly string[];
  /** The arguments whose changes count. */
  readonly changes: readonly string[];
}

/** The functions of the host that a run may call. They look synchronous to the script. */
export interface LambdaHost {
  /**
   * `fetch`; `secrets.get`, which the argument `context` then has as `context.secrets.get` and `context.services.secrets.get`; and
   * `host.<name>` for each function of the global object `host`. What is not named here does not exist for the script.
   */
  readonly names: readonly string[];
  /**
   * Calls one with the JSON of an array of arguments; the answer is JSON, or undefined. What it rejects with is thrown in the script as an
   * Error with the same message.
   */
  call(name: string, argumentsJson: string): Promise<string | undefined>;
}

/** One run of a lambda. */
export interface LambdaRun {
  /** The script to run. */
  readonly script: LambdaScript;
  /**
   * The arguments by name, as JSON; what is absent is undefined for the script. A member `constants` of the argument `context` is frozen for
   * the script, and also in `context.services`.
   */
  readonly argumentsJson: string;
  /** The limits of this run. */
  readonly limits: LambdaLimits;
  /** Absent: the script can call nothing outside of it. */
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
 * Why a run failed. `syntax`: the body is no script. `missingFunction`: it has no function of the name. `threw`: it threw, or its
 * result cannot be written as JSON. `timedOut`, `outOfMemory` and `tooLarge`: it went over a limit. `crashed`: the engine died of it.
 * `refused`: it was not run at all, since there is no runner, too many wait, or the lambda was killed too often.
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
  /** Where in the body, counted from one. */
  readonly line?: number | undefined;
  /** The column in `line`, counted from one. */
  readonly column?: number | undefined;
  /** What it wrote until then, as far as it could be saved. */
  readonly console: readonly ConsoleLine[];
  /** Whether the engine that ran it had to be killed, or died. */
  readonly wasKilled?: boolean | undefined;
}

/** The outcome of a run: the changed arguments, or the failure. */
export type LambdaOutcome =
  | {
      readonly kind: "ok";
      /** The arguments of {@link LambdaScript.changes} by name, as JSON. Written by the script: nothing in it can be trusted. */
      readonly changedJson: string;
      readonly console: readonly ConsoleLine[];
    }
  | LambdaFailure;

/** Statistics that a runner reports. */
export interface LambdaRunnerState {
  /** Processes or threads that run scripts, spares among them. */
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
   * Runs them; the service closes it. Default: `isolatedVmRunner()` of `latchkey/runners`, loaded with the first run. Where the
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
  /**
   * Finds the secret that a lambda asks for with `context.secrets.get(name)`, unless the tenant of the run has one of the name. Default: there
   * are none but those of tenants.
   */
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
