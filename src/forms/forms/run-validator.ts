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
 * Whether the whole text matches the validator of a field (docs/reference/forms.md#validator-expressions). An automaton matches
 * most expressions; the lambda runner matches the rest, and counts a timeout as no match.
 * @throws IdentityError 400 `[LambdaFailed]` when a runner is needed but is missing or fails.
 */
export async function matchesValidator(call: OperationCall, field: FormField, text: string): Promise<boolean> {
  const { enabled, expression } = field.validator;
  if (!enabled || expression === undefined) return true;
  if (text.length > maxTextLength) return false;
  const source = toExpressionSource(expression);
  // A form has many fields: do not block the event loop.
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
