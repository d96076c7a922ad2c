import { generalError } from "../../errors/identity-error.js";
import type { OperationCall } from "../../operations/operation.js";
import type { FormField } from "../../records/form-fields/schema.js";
import { toExpressionSource } from "../../shared/text.js";
import { compileLinearMatch } from "./match-expression.js";

const maxTextLength = 10_000;
const wallClockMilliseconds = 100;

const script = {
  version: "1",
  body: 'function check(result, source, text) { result.matches = new RegExp("^(?:" + source + ")$", "u").test(text); }',
  functionName: "check",
  parameters: ["result", "source", "text"],
  changes: ["result"],
} as const;

/**
 * Whether a text is what the validator of a field wants: the whole text must match (docs/reference/forms.md#validator-expressions). What an
 * automaton can do is done here; the rest is left to the runner of lambdas, whose clock ends it: a text that takes longer does not match.
 * @throws IdentityError 400 `[LambdaFailed]` when a runner is needed and could not do it, as where there is none.
 */
export async function matchesValidator(call: OperationCall, field: FormField, text: string): Promise<boolean> {
  const { enabled, expression } = field.validator;
  if (!enabled || expression === undefined) return true;
  if (text.length > maxTextLength) return false;
  const source = toExpressionSource(expression);
  // A form has many fields: others have their turn between them.
  await call.service.runtime.timers.nextTurn();
  return compileLinearMatch(source)?.(text) ?? runMatch(call, field, { source, text });
}

async function runMatch(
  call: OperationCall,
  { id, key }: FormField,
  given: { readonly source: string; readonly text: string },
): Promise<boolean> {
  const { limits, runner } = call.service.lambdas;
  const tenantId = call.scope.kind === "tenant" ? call.scope.tenantId : undefined;
  const outcome = await runner.run({
    script: { ...script, tenantId, lambdaId: id },
    argumentsJson: JSON.stringify({ ...given, result: { matches: false } }),
    limits: { ...limits, wallClockMilliseconds },
  });
  if (outcome.kind === "ok")
    return (JSON.parse(outcome.changedJson) as { readonly result: { readonly matches: boolean } }).result.matches;
  if (outcome.kind === "timedOut") return false;
  throw generalError("LambdaFailed", `The validator of [${key}] needs a runner of lambdas: ${outcome.message}`);
}
