import {
  type LambdaArguments,
  type LambdaType,
  type LambdaTypeName,
  lambdaTypes,
  toLambdaType,
} from "../../availability/lambda-types.js";
import type { LambdaTestOutcome, LambdaTestResult } from "../../records/lambdas/schema.js";
import { createRuntime } from "../../shared/default-runtime.js";
import { bundleScript } from "../modules/bundle-script.js";
import { completeArguments } from "../run/complete-arguments.js";
import { type BodyOutcome, executeScript } from "../run/execute-script.js";
import { findBodyFault } from "../run/find-body-fault.js";
import { sampleArguments } from "../types/sample-arguments.js";

interface Trial {
  readonly monotonic: () => number;
  readonly run: (complete: LambdaArguments) => Promise<BodyOutcome>;
}

/**
 * Runs a lambda as a test and measures its duration. Missing arguments are sampled; null makes one absent. A body that could not
 * be saved counts as failed.
 * @throws IdentityError 400 for arguments that the type does not have.
 */
export async function tryOut(
  { type, body }: { readonly type: LambdaType; readonly body: string },
  given: LambdaArguments,
  { monotonic, run }: Trial,
): Promise<LambdaTestResult> {
  const complete = completeArguments(type, { ...sampleArguments(type), ...given });
  const start = monotonic();
  const ended = await run(complete);
  const durationMilliseconds = Math.round((monotonic() - start) * 1_000) / 1_000;
  const outcome = ended.kind === "ok" ? await asSaved(ended, type, body) : ended;
  return { arguments: afterwards(complete, outcome), console: outcome.console, durationMilliseconds, outcome: toShown(outcome) };
}

// An engine runs bodies that saving refuses, such as one with an asynchronous function.
async function asSaved(ended: BodyOutcome, type: LambdaType, body: string): Promise<BodyOutcome> {
  const fault = await findBodyFault(body, lambdaTypes[type]);
  return fault === undefined ? ended : { kind: "syntax", message: `It cannot be saved. ${fault}`, console: ended.console };
}

function afterwards(given: LambdaArguments, outcome: BodyOutcome): LambdaArguments {
  return outcome.kind === "ok" ? { ...given, ...outcome.changed } : given;
}

function toShown(outcome: BodyOutcome): LambdaTestOutcome {
  if (outcome.kind === "ok") return { kind: "ok" };
  const { column, kind, line, message } = outcome;
  return { ...(column !== undefined && { column }), kind, ...(line !== undefined && { line }), message };
}

/** The rules of the service for testing lambdas without one. */
export interface LambdaKit {
  /** Returns a body with the modules that it requires. */
  readonly bundleScript: typeof bundleScript;
  /** Runs a body by the rules of its type; never rejects. */
  readonly executeScript: typeof executeScript;
  /** The name of the function of a lambda type. */
  readonly functionNameOf: (type: LambdaType) => string;
  /** Returns fresh sample arguments of a type. */
  readonly sampleArguments: typeof sampleArguments;
  /** Runs a body on given and sample arguments, and measures the time. */
  readonly tryOut: (lambda: Parameters<typeof tryOut>[0], given: LambdaArguments, run: Trial["run"]) => Promise<LambdaTestResult>;
  /** Returns the type of a type name. */
  readonly typeOf: (name: LambdaTypeName) => LambdaType;
}

/** The kit itself; see {@link LambdaKit}. */
export const lambdaKit: LambdaKit = Object.freeze({
  bundleScript,
  executeScript,
  functionNameOf: (type: LambdaType) => lambdaTypes[type].functionName,
  sampleArguments,
  tryOut: (lambda: Parameters<typeof tryOut>[0], given: LambdaArguments, run: Trial["run"]) =>
    tryOut(lambda, given, { run, monotonic: createRuntime().monotonic }),
  typeOf: toLambdaType,
});
