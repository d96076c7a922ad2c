import type { OperationCall } from "../operations/operation.js";
import type { ConsoleLine, LambdaFailure } from "../ports/lambda-runner.js";
import { type LambdaType, lambdaTypes } from "./lambda-types.js";
import { type LambdaArguments, readChanges } from "./read-changes.js";

/** A lambda as it is run. */
export interface RunnableLambda {
  readonly id: string;
  readonly name: string;
  readonly type: LambdaType;
  readonly body: string;
  readonly debug: boolean;
  /** Changes with every change of the lambda. */
  readonly version: string;
}

/** A run that is wished for. */
export interface BodyRun {
  readonly lambda: RunnableLambda;
  /** Whose data it sees; undefined for what belongs to no tenant. */
  readonly tenantId: string | undefined;
  /** By the names of the parameters; what is absent is undefined for the lambda. */
  readonly arguments: LambdaArguments;
}

/** What became of a run: the arguments whose changes count, as they are now, or a failure. */
export type BodyOutcome =
  | { readonly kind: "ok"; readonly changed: LambdaArguments; readonly console: readonly ConsoleLine[] }
  | LambdaFailure;

/** Runs the body of a lambda; what its kind may not change is as it was given. Never rejects; nothing is recorded. */
export async function runBody(call: OperationCall, run: BodyRun): Promise<BodyOutcome> {
  const { lambda, tenantId, arguments: given } = run;
  const { lambdas, availability } = call.service;
  const row = lambdaTypes[lambda.type];
  const { functionName, parameters } = row;
  const changes = [...new Set(row.changes.map((path) => path.split(".")[0] ?? ""))];
  const { id: lambdaId, version, body } = lambda;
  const outcome = await lambdas.runner.run({
    script: { tenantId, lambdaId, version, body, functionName, parameters, changes },
    argumentsJson: JSON.stringify(given),
    limits: lambdas.limits,
  });
  if (outcome.kind !== "ok") return outcome;
  const { changedJson, console } = outcome;
  return { ...readChanges({ row, given, mayShorten: availability.behaves("shortenedTokens") }, changedJson), console };
}
