/** The port of lambda runners: write one with these names. What runs bodies in tests is here, too. */
export type { LambdaKit } from "../../src/lambdas/kit/lambda-kit.js";
export { loadLambdaKit } from "../../src/lambdas/kit/load-lambda-kit.js";
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
