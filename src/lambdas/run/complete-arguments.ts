import { type LambdaArguments, type LambdaType, lambdaTypes } from "../../availability/lambda-types.js";
import { FieldErrorList } from "../../errors/identity-error.js";
import type { OptionalArgument } from "../types/lambda-arguments.js";
import { noValidationErrors } from "../types/validation-errors.js";

const optional: Readonly<Record<OptionalArgument, true>> = {
  context: true,
  formContext: true,
  id_token: true,
  registration: true,
  result: true,
};

/** The initial `result`, by the function that fills it. */
const results: Readonly<Record<string, object>> = {
  validate: { errors: noValidationErrors },
  checkRequired: { required: false, sendSuspiciousLoginEvent: false },
};

/**
 * The arguments from a caller, with defaults for absent `context` and `result`.
 * @throws IdentityError 400 naming each argument that the type does not have, that is missing, or that is neither an object nor a
 * list.
 */
export function completeArguments(type: LambdaType, given: LambdaArguments): LambdaArguments {
  const { functionName, parameters } = lambdaTypes[type];
  const errors = new FieldErrorList();
  for (const [name, value] of Object.entries(given)) {
    const path = `arguments.${name}`;
    if (!parameters.includes(name)) errors.add("invalid", path, `A ${type} lambda has no argument ${name.slice(0, 100)}.`);
    else if (isAbsent(value)) continue;
    else if (typeof value !== "object") errors.add("invalidJSON", path);
  }
  for (const name of parameters)
    if (isAbsent(given[name]) && !Object.hasOwn(optional, name)) errors.add("missing", `arguments.${name}`);
  errors.throwIfAny();
  const made = { context: {}, ...(parameters.includes("result") && { result: results[functionName] }) };
  return withDefaults(given, made);
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

// Completes a partial result.
function withDefaults(given: LambdaArguments, made: LambdaArguments): LambdaArguments {
  const present = Object.entries(given).filter(([, value]) => !isAbsent(value));
  const defaults = Object.entries(made).map(([name, value]) => [name, { ...Object(value), ...Object(given[name] ?? {}) }]);
  return { ...Object.fromEntries(present), ...Object.fromEntries(defaults) };
}
