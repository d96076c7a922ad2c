import { generalError, type IdentityError } from "../errors/identity-error.js";
import { parseRecord } from "../operations/family.js";
import type { OperationCall } from "../operations/operation.js";
import type { LambdaFailure } from "../ports/lambda-runner.js";
import { globalScope } from "../ports/storage.js";
import type { Lambda } from "../resources/lambdas/schema.js";
import { lambdasTable } from "../resources/lambdas/table.js";
import { isOptional, type LambdaType, lambdaTypes, toLambdaType } from "./lambda-types.js";
import type { LambdaArguments } from "./read-changes.js";
import { type BodyOutcome, type RunnableLambda, runBody } from "./run-body.js";

/** A lambda that is to run at its place. */
export interface LambdaWish {
  readonly lambdaId: string;
  /** The kind that the place takes. */
  readonly type: LambdaType;
  /** Whose data it sees; undefined for what belongs to no tenant. */
  readonly tenantId: string | undefined;
  /** By the names of the parameters; what is absent is undefined for the lambda. */
  readonly arguments: LambdaArguments;
}

/**
 * Runs a lambda at its place and answers its arguments with what it changed. What it wrote and why it failed goes to the event log. Where
 * a lambda is optional, a failed one changes nothing.
 * @throws IdentityError 400 `[LambdaFailed]` when it failed and is not optional (decisions.md, A lambda that throws).
 */
export async function runLambda(call: OperationCall, wish: LambdaWish): Promise<LambdaArguments> {
  const lambda = await findLambda(call, wish.lambdaId);
  const outcome = await runFitting(call, wish, lambda);
  if (outcome.kind === "ok") return { ...wish.arguments, ...outcome.changed };
  if (isOptional(lambdaTypes[wish.type])) return wish.arguments;
  throw toRefusal(call, wish.lambdaId, outcome);
}

/** The lambda with this id; undefined when it is gone. */
export async function findLambda(call: OperationCall, id: string): Promise<RunnableLambda | undefined> {
  const stored = await call.reader.retrieve(globalScope, lambdasTable, id);
  if (stored === undefined) return undefined;
  const { body, debug, name, type } = parseRecord<Lambda>(stored);
  return { id, name, type: toLambdaType(type), body, debug, version: String(stored.version) };
}

async function runFitting(call: OperationCall, wish: LambdaWish, lambda: RunnableLambda | undefined): Promise<BodyOutcome> {
  if (lambda === undefined) return refused("The lambda is gone.");
  if (lambda.type !== wish.type)
    return refused(`The lambda is of the type ${lambda.type}, and one of the type ${wish.type} is needed.`);
  return runBody(call, { lambda, tenantId: wish.tenantId, arguments: wish.arguments });
}

function refused(message: string): LambdaFailure {
  return { kind: "refused", message, console: [] };
}

function toRefusal(call: OperationCall, lambdaId: string, failure: LambdaFailure): IdentityError {
  if (call.service.lambdas.hideFailures) return generalError("LambdaFailed");
  return generalError("LambdaFailed", `The lambda ${lambdaId} failed: ${describeFailure(failure)}`);
}

const kindsInWords: Readonly<Record<LambdaFailure["kind"], string>> = {
  syntax: "its body is no script",
  missingFunction: "its function is missing",
  threw: "it threw",
  timedOut: "it took too long",
  outOfMemory: "it needed too much memory",
  tooLarge: "it is too large, or left too much behind",
  crashed: "its engine died",
  refused: "it was not run",
};

/** A failure as a sentence: kind, place and message. */
export function describeFailure({ kind, message, line, column }: LambdaFailure): string {
  const place = line === undefined ? "" : ` at line ${line}, column ${column ?? 1}`;
  return `${kindsInWords[kind]}${place}. ${message}`.trimEnd();
}
