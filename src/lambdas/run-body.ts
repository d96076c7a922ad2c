import type { OperationCall } from "../operations/operation.js";
import type { ConsoleLine, LambdaFailure, LambdaOutcome } from "../ports/lambda-runner.js";
import { hostOfRun } from "./host-functions.js";
import { type LambdaType, lambdaTypes } from "./lambda-types.js";
import { calledBack, isMadeByLambda } from "./made-by-lambda.js";
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

type EndedRun = Extract<LambdaOutcome, { readonly kind: "ok" }>;

/**
 * Runs the body of a lambda; what its kind may not change is as it was given. Never rejects; nothing is recorded. The secrets that it
 * asked for are in no line of its console and in no message.
 */
export async function runBody(call: OperationCall, run: BodyRun): Promise<BodyOutcome> {
  if (isMadeByLambda(call)) return calledBack;
  const { lambda, tenantId, arguments: given } = run;
  const { lambdas } = call.service;
  const { functionName, parameters, changes: paths } = lambdaTypes[lambda.type];
  const changes = [...new Set(paths.map((path) => path.split(".")[0] ?? ""))];
  const { id: lambdaId, version, body } = lambda;
  const { host, redact } = hostOfRun(call, { lambdaId, tenantId });
  const outcome = await lambdas.runner.run({
    script: { tenantId, lambdaId, version, body, functionName, parameters, changes },
    argumentsJson: JSON.stringify(given),
    limits: lambdas.limits,
    host,
  });
  return redactOutcome(outcome.kind === "ok" ? readOutcome(call, run, outcome) : outcome, redact);
}

function readOutcome(call: OperationCall, { lambda, arguments: given }: BodyRun, outcome: EndedRun): BodyOutcome {
  const mayShorten = call.service.availability.behaves("shortenedTokens");
  return { ...readChanges({ row: lambdaTypes[lambda.type], given, mayShorten }, outcome.changedJson), console: outcome.console };
}

function redactOutcome(outcome: BodyOutcome, redact: (text: string) => string): BodyOutcome {
  const console = outcome.console.map(({ level, text }) => ({ level, text: redact(text) }));
  return outcome.kind === "ok" ? { ...outcome, console } : { ...outcome, message: redact(outcome.message), console };
}
