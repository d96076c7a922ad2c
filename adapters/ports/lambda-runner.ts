import type { LambdaKit } from "../../src/lambdas/kit/test-run.js";
import { lazily } from "../../src/shared/async.js";

/** Port for lambda runners, and the functions that run lambda bodies in tests. */
export type { LambdaKit } from "../../src/lambdas/kit/test-run.js";
export type { BodyOutcome, ScriptExecution } from "../../src/lambdas/run/execute-script.js";
export {
  type ConsoleLevel,
  type ConsoleLine,
  defaultLambdaLimits,
  type LambdaFailure,
  type LambdaFailureKind,
  type LambdaHost,
  type LambdaLimits,
  type LambdaOutcome,
  type LambdaRun,
  type LambdaRunner,
  type LambdaRunnerState,
  type LambdaScript,
} from "../../src/ports/lambda-runner.js";

const loadKit = lazily(() => import("../../src/lambdas/kit/test-run.js"));

/** Loads the functions that run a lambda body in tests, with sample arguments, on demand. `latchkey/testing` uses it. */
export const loadLambdaKit: () => LambdaKit | Promise<LambdaKit> = async () => (await loadKit()).lambdaKit;
