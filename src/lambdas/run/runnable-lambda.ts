import { type LambdaType, moduleType } from "../../availability/lambda-types.js";
import { fieldError } from "../../errors/identity-error.js";
import type { OperationCall } from "../../operations/operation.js";
import type { LambdaFailure } from "../../ports/lambda-runner.js";
import type { ScriptBundle } from "../modules/bundle-script.js";
import { type LoadedScript, loadScript, maxModules } from "../modules/load-script.js";
import type { FoundLambda } from "./find-lambda.js";

/** A lambda that is ready to run. */
export interface RunnableLambda extends Omit<FoundLambda, "chain" | "modules" | "type"> {
  readonly type: LambdaType;
  /** The script, with the modules that it requires. */
  readonly body: string;
  readonly locate: ScriptBundle["locate"];
  /** Changes with every change of the lambda and of its modules. */
  readonly version: string;
}

const unusable: Readonly<Record<Exclude<LoadedScript["kind"], "ok">, LambdaFailure>> = {
  missing: refused("A module that it requires is gone."),
  tooMany: refused(`It requires more than ${maxModules} modules.`),
  tooLarge: { kind: "tooLarge", message: "The body and its modules are larger than a body may be.", console: [] },
};

/** A lambda with its script, or the reason why it cannot run. */
export async function toRunnable(call: OperationCall, lambda: FoundLambda): Promise<RunnableLambda | LambdaFailure> {
  if (lambda.type === moduleType) return refused("It is a module, which only runs where a lambda requires it.");
  const script = await loadScript(call, lambda);
  if (script.kind !== "ok") return unusable[script.kind];
  const { body, locate, version } = script;
  return { ...lambda, type: lambda.type, body, locate, version: `${lambda.version} ${version}`.trimEnd() };
}

/**
 * The script of a lambda that runs on its own, outside of a place.
 * @throws IdentityError 400 `[invalid]lambda.type` for a module, and for unusable modules.
 */
export async function loadRunnable(call: OperationCall, lambda: FoundLambda): Promise<RunnableLambda> {
  const runnable = await toRunnable(call, lambda);
  if (!("kind" in runnable)) return runnable;
  throw fieldError("invalid", lambda.type === moduleType ? "lambda.type" : "lambda.modules", runnable.message);
}

function refused(message: string): LambdaFailure {
  return { kind: "refused", message, console: [] };
}
