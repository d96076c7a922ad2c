import type { LambdaKit } from "../../src/lambdas/kit/test-run.js";
import { lazily } from "../../src/shared/async.js";

/** The port of lambda runners: write one with these names. What runs bodies in tests is here, too. */
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

/** Loads what runs a body by the rules of its kind, and sample arguments: no part of a start. `latchkey/testing` is made of it. */
export const loadLambdaKit: () => LambdaKit | Promise<LambdaKit> = async () => (await loadKit()).lambdaKit;
