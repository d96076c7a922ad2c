import type { ConsoleLine, LambdaFailure, LambdaHost, LambdaLimits, LambdaRunner } from "../../ports/lambda-runner.js";
import { type LambdaType, lambdaTypes } from "../types/lambda-types.js";
import { type LambdaArguments, readChanges } from "./read-changes.js";

/** A body to run, independent of the caller. */
export interface ScriptExecution {
  /** What runs the body. */
  readonly runner: LambdaRunner;
  /** The lambda; another `version` means another body. */
  readonly lambda: { readonly id: string; readonly type: LambdaType; readonly body: string; readonly version: string };
  /** Whose data it sees; undefined for what belongs to no tenant. */
  readonly tenantId: string | undefined;
  /** All arguments of the type, by name. */
  readonly arguments: LambdaArguments;
  /** Limits of time, memory and output. */
  readonly limits: LambdaLimits;
  /** What the body can call outside of its sandbox. Default: nothing. */
  readonly host?: LambdaHost | undefined;
  /** Whether the version lets it make something end earlier. */
  readonly mayShorten: boolean;
}

/** What became of a run: the arguments whose changes count, as they are now, or a failure. */
export type BodyOutcome =
  | { readonly kind: "ok"; readonly changed: LambdaArguments; readonly console: readonly ConsoleLine[] }
  | LambdaFailure;

/** Runs a body by the rules of its kind: what that may not change is as it was given. Never rejects. */
export async function executeScript(execution: ScriptExecution): Promise<BodyOutcome> {
  const { runner, lambda, tenantId, arguments: given, limits, host, mayShorten } = execution;
  const row = lambdaTypes[lambda.type];
  const { functionName, parameters } = row;
  const changes = [...new Set(row.changes.map((path) => path.split(".")[0] ?? ""))];
  const { id: lambdaId, version, body } = lambda;
  const script = { tenantId, lambdaId, version, body, functionName, parameters, changes };
  const outcome = await runner.run({ script, argumentsJson: JSON.stringify(given), limits, host });
  if (outcome.kind !== "ok") return outcome;
  const { changedJson, console } = outcome;
  return { ...readChanges({ row, given, mayShorten }, changedJson), console };
}
