import type { OperationCall } from "../../operations/operation.js";
import { isLambdaRequest, nestedLambdaFailure } from "../lambda-request.js";
import type { LambdaType } from "../types/lambda-types.js";
import { type BodyOutcome, executeScript } from "./execute-script.js";
import { hostOfRun } from "./host-functions.js";
import type { LambdaArguments } from "./read-changes.js";

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

/** A run that a caller requests. */
export interface BodyRun {
  readonly lambda: RunnableLambda;
  /** Whose data it sees; undefined for what belongs to no tenant. */
  readonly tenantId: string | undefined;
  /** By the names of the parameters; what is absent is undefined for the lambda. */
  readonly arguments: LambdaArguments;
}

/**
 * Runs the body of a lambda; what its kind may not change is as it was given. Never rejects; nothing is recorded. The secrets that it
 * asked for are in no line of its console and in no message.
 */
export async function runBody(call: OperationCall, run: BodyRun): Promise<BodyOutcome> {
  if (isLambdaRequest(call)) return nestedLambdaFailure;
  const { lambda, tenantId, arguments: given } = run;
  const { lambdas, availability } = call.service;
  const { host, redact } = hostOfRun(call, { lambdaId: lambda.id, tenantId });
  const { runner, limits } = lambdas;
  const mayShorten = availability.behaves("shortenedTokens");
  return redactOutcome(await executeScript({ runner, lambda, tenantId, arguments: given, limits, host, mayShorten }), redact);
}

function redactOutcome(outcome: BodyOutcome, redact: (text: string) => string): BodyOutcome {
  const console = outcome.console.map(({ level, text }) => ({ level, text: redact(text) }));
  return outcome.kind === "ok" ? { ...outcome, console } : { ...outcome, message: redact(outcome.message), console };
}
