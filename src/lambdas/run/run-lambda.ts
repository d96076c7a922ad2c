import { generalError, type IdentityError } from "../../errors/identity-error.js";
import { parseRecord } from "../../operations/family/family.js";
import { requireId } from "../../operations/family/record-steps.js";
import type { OperationCall } from "../../operations/operation.js";
import type { LambdaFailure } from "../../ports/lambda-runner.js";
import { globalScope } from "../../ports/storage.js";
import { lambdasTable } from "../../resources/lambdas/family.js";
import type { Lambda } from "../../resources/lambdas/schema.js";
import { isOptional, type LambdaType, lambdaTypes, toLambdaType } from "../types/lambda-types.js";
import type { BodyOutcome, LambdaArguments } from "./execute-script.js";
import { describeFailure, recordRun } from "./record-run.js";
import { isLambdaRequest, nestedLambdaFailure, type RunnableLambda, runBody } from "./run-body.js";

/** A lambda that is to run at its place. */
export interface LambdaCall {
  readonly lambdaId: string;
  /** The kind that the place takes. */
  readonly type: LambdaType;
  /** Whose data it sees; undefined for what belongs to no tenant. */
  readonly tenantId: string | undefined;
  /** By the names of the parameters; what is absent is undefined for the lambda. */
  readonly arguments: LambdaArguments;
}

/**
 * Runs a lambda at its place and answers its arguments with what it changed. What it wrote and why it failed goes to the event log, so
 * that it must not be called inside of a transaction that its refusal undoes. Where a lambda is optional, a failed one changes nothing.
 * @throws IdentityError 400 `[LambdaFailed]` when it failed and is not optional (docs/reference/lambdas.md#a-lambda-that-throws), and for the errors that a
 * lambda itself requested.
 */
export async function runLambda(call: OperationCall, lambdaCall: LambdaCall): Promise<LambdaArguments> {
  const lambda = await findLambda(call, lambdaCall.lambdaId);
  const outcome = await runNoted(call, lambdaCall, lambda);
  if (outcome.kind === "ok") return { ...lambdaCall.arguments, ...outcome.changed };
  // A request that claims to come from a lambda must not skip the required one.
  if (isOptional(lambdaTypes[lambdaCall.type]) && !isLambdaRequest(call)) return lambdaCall.arguments;
  throw toRefusal(call, lambdaCall.lambdaId, outcome);
}

/** Notes in the event log why what a lambda left behind was of no use, where its place finds out after the run. Never rejects. */
export async function recordLambdaFailure(
  call: OperationCall,
  lambdaCall: LambdaCall,
  failure: Pick<LambdaFailure, "kind" | "message">,
): Promise<void> {
  const lambda = await findLambda(call, lambdaCall.lambdaId).catch(() => undefined);
  await note(call, lambdaCall, lambda, { ...failure, console: [] });
}

async function runNoted(call: OperationCall, lambdaCall: LambdaCall, lambda: RunnableLambda | undefined): Promise<BodyOutcome> {
  const { lambdas, runtime } = call.service;
  const began = performance.now();
  const pauseEnd = lambda && lambdas.breakers.refusedUntil(lambda, runtime.clock());
  const outcome = pauseEnd === undefined ? await runFitting(call, lambdaCall, lambda) : pausing(pauseEnd);
  lambdas.counts.note(lambdaCall.lambdaId, outcome.kind, performance.now() - began);
  // That it is refused was noted when it began.
  if (pauseEnd !== undefined) return outcome;
  await note(call, lambdaCall, lambda, outcome, lambda && lambdas.breakers.note(lambda, outcome, runtime.clock()));
  return outcome;
}

async function runFitting(call: OperationCall, lambdaCall: LambdaCall, lambda: RunnableLambda | undefined): Promise<BodyOutcome> {
  if (isLambdaRequest(call)) return nestedLambdaFailure;
  if (lambda === undefined) return refused("The lambda is gone.");
  if (lambda.type !== lambdaCall.type)
    return refused(`The lambda is of the type ${lambda.type}, and one of the type ${lambdaCall.type} is needed.`);
  return runBody(call, { lambda, tenantId: lambdaCall.tenantId, arguments: lambdaCall.arguments });
}

function note(
  call: OperationCall,
  { lambdaId: id, type, arguments: given }: LambdaCall,
  lambda: RunnableLambda | undefined,
  outcome: BodyOutcome,
  refusedUntil?: number,
): Promise<void> {
  const { name = "unknown", debug = false } = lambda ?? {};
  return recordRun(call, { lambda: { id, name, type, debug }, arguments: given, outcome, refusedUntil });
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

/** The lambda with this id; undefined when it is gone. */
export async function findLambda(call: OperationCall, id: string): Promise<RunnableLambda | undefined> {
  const stored = await call.reader.retrieve(globalScope, lambdasTable, id);
  if (stored === undefined) return undefined;
  const { body, debug, name, permissions, type } = parseRecord<Lambda>(stored);
  return { id, name, type: toLambdaType(type), body, debug, version: String(stored.version), permissions };
}

/** The lambda that the parameter `lambdaId` names. @throws IdentityError 404 when there is none, 400 when it is no id. */
export async function loadLambda(call: OperationCall): Promise<RunnableLambda> {
  const lambda = await findLambda(call, requireId(call, "lambdaId"));
  if (lambda === undefined) throw generalError("notFound");
  return lambda;
}
