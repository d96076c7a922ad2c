import { isOptional, type LambdaArguments, type LambdaType, lambdaTypes } from "../../availability/lambda-types.js";
import { generalError, type IdentityError } from "../../errors/identity-error.js";
import type { OperationCall } from "../../operations/operation.js";
import type { LambdaFailure } from "../../ports/lambda-runner.js";
import type { BodyOutcome } from "./execute-script.js";
import { type FoundLambda, findLambda } from "./find-lambda.js";
import { describeFailure, recordRun } from "./record-run.js";
import { isLambdaRequest, nestedLambdaFailure, runBody } from "./run-body.js";
import { toRunnable } from "./runnable-lambda.js";

/** A call of a lambda at its place. */
export interface LambdaCall {
  readonly lambdaId: string;
  readonly type: LambdaType;
  /** The tenant of the run's data; undefined for data outside of tenants. */
  readonly tenantId: string | undefined;
  /** By parameter name; absent arguments are undefined for the lambda. */
  readonly arguments: LambdaArguments;
}

/**
 * Runs a lambda at its place, then those of its chain, each on the changes of the one before, and returns the arguments
 * afterwards. Records their output and failures in the event log, so do not call it inside a transaction that a refusal rolls
 * back. Where a lambda is optional, a failed one changes nothing, and the next one runs.
 * @throws IdentityError 400 `[LambdaFailed]` when it failed and is not optional (docs/reference/lambdas.md#a-lambda-that-throws),
 * and for the errors that a lambda itself requested.
 */
export async function runLambda(call: OperationCall, lambdaCall: LambdaCall): Promise<LambdaArguments> {
  const first = await findLambda(call, lambdaCall);
  let given = await runOne(call, lambdaCall, first);
  for (const lambdaId of first?.chain ?? []) {
    const next = { ...lambdaCall, lambdaId, arguments: given };
    given = await runOne(call, next, await findLambda(call, next));
  }
  return given;
}

async function runOne(call: OperationCall, lambdaCall: LambdaCall, lambda: FoundLambda | undefined): Promise<LambdaArguments> {
  const outcome = await runNoted(call, lambdaCall, lambda);
  if (outcome.kind === "ok") return { ...lambdaCall.arguments, ...outcome.changed };
  // A request that claims to come from a lambda must not skip the required one.
  if (isOptional(lambdaTypes[lambdaCall.type]) && !isLambdaRequest(call)) return lambdaCall.arguments;
  throw toRefusal(call, lambdaCall.lambdaId, outcome);
}

/** Records in the event log that the result of a lambda was unusable, where its place finds out after the run. Never rejects. */
export async function recordLambdaFailure(
  call: OperationCall,
  lambdaCall: LambdaCall,
  failure: Pick<LambdaFailure, "kind" | "message">,
): Promise<void> {
  const lambda = await findLambda(call, lambdaCall).catch(() => undefined);
  await note(call, lambdaCall, { lambda, outcome: { ...failure, console: [] } });
}

async function runNoted(call: OperationCall, lambdaCall: LambdaCall, lambda: FoundLambda | undefined): Promise<BodyOutcome> {
  const { lambdas, runtime } = call.service;
  const began = runtime.monotonic();
  const pauseEnd = lambda && lambdas.breakers.refusedUntil(lambda, runtime.clock());
  const outcome = pauseEnd === undefined ? await runFitting(call, lambdaCall, lambda) : pausing(pauseEnd);
  lambdas.counts.note(lambdaCall.lambdaId, outcome.kind, runtime.monotonic() - began);
  // The run that caused the refusal recorded it.
  if (pauseEnd !== undefined) return outcome;
  const refusedUntil = lambda && lambdas.breakers.note(lambda, outcome, runtime.clock());
  await note(call, lambdaCall, { lambda, outcome, refusedUntil });
  return outcome;
}

async function runFitting(call: OperationCall, lambdaCall: LambdaCall, lambda: FoundLambda | undefined): Promise<BodyOutcome> {
  if (isLambdaRequest(call)) return nestedLambdaFailure;
  if (lambda === undefined) return refused("The lambda is gone.");
  if (lambda.type !== lambdaCall.type)
    return refused(`The lambda is of the type ${lambda.type}, and one of the type ${lambdaCall.type} is needed.`);
  const runnable = await toRunnable(call, lambda);
  if ("kind" in runnable) return runnable;
  return runBody(call, { lambda: runnable, tenantId: lambdaCall.tenantId, arguments: lambdaCall.arguments });
}

interface EndedRun {
  readonly lambda: FoundLambda | undefined;
  readonly outcome: BodyOutcome;
  readonly refusedUntil?: number | undefined;
}

function note(
  call: OperationCall,
  { lambdaId: id, type, arguments: given }: LambdaCall,
  { lambda, ...run }: EndedRun,
): Promise<void> {
  const { name = "unknown", debug = false } = lambda ?? {};
  return recordRun(call, { lambda: { id, name, type, debug }, arguments: given, ...run });
}

function pausing(until: number): LambdaFailure {
  return refused(`It was killed too often, and is refused until ${new Date(until).toISOString()}.`);
}

function refused(message: string): LambdaFailure {
  return { kind: "refused", message, console: [] };
}

function toRefusal(call: OperationCall, lambdaId: string, failure: LambdaFailure): IdentityError {
  if (call.service.lambdas.hideFailures) return generalError("LambdaFailed");
  return generalError("LambdaFailed", `The lambda ${lambdaId} failed: ${describeFailure(failure)}`);
}
