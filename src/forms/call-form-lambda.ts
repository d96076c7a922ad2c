import { loadTenant } from "../accounts/tokens/sign-token.js";
import { toLambdaContext } from "../lambdas/run/lambda-context.js";
import { runLambda } from "../lambdas/run/run-lambda.js";
import { noValidationErrors, toValidationError, type ValidationErrors } from "../lambdas/validation-errors.js";
import type { OperationCall } from "../operations/operation.js";
import type { DirectoryApplication } from "../ports/directory.js";
import type { FormObjects } from "../resources/forms/schema.js";
import { valueAt } from "../shared/objects.js";
import type { LoadedForm } from "./load-form.js";

/** What the lambda of an application is asked about. */
export interface FormLambdaCall {
  readonly loaded: LoadedForm;
  readonly application: DirectoryApplication;
  readonly objects: FormObjects;
  /** Counted from one. */
  readonly step: number;
}

/**
 * Asks the lambda of an application for self-service registrations, where it has one, what it thinks of values that the fields accept.
 * @throws IdentityError 400 with exactly what the lambda refuses; `[LambdaFailed]` when it failed.
 */
export async function callFormLambda(call: OperationCall, { loaded, application, objects, step }: FormLambdaCall): Promise<void> {
  const lambdaId = valueAt(application, "lambdaConfiguration.selfServiceRegistrationValidationId");
  if (typeof lambdaId !== "string") return;
  // What a lambda writes goes to the event log: a password must not be there to write.
  const { password: _password, ...user } = objects.user;
  const { registration } = objects;
  const formContext = toFormContext(loaded, step);
  const { tenantId } = application;
  const { data = {}, id, name } = application;
  const shown = { data: data as Record<string, unknown>, id, name };
  const context = toLambdaContext(call, { tenant: await loadTenant(call, tenantId), application: shown }, {});
  const result = { errors: noValidationErrors };
  const given = { context, formContext, registration, result, user };
  const changed = await runLambda(call, { lambdaId, type: "SelfServiceRegistrationValidation", tenantId, arguments: given });
  const refusal = toValidationError((changed.result as { readonly errors: ValidationErrors }).errors);
  if (refusal !== undefined) throw refusal;
}

function toFormContext({ form, steps }: LoadedForm, step: number): object {
  const fields = steps.flatMap(({ fields }) => fields.map(({ field }) => [field.key, field] as const));
  return { fields: Object.fromEntries(fields), form, step, stepIndex: step - 1, totalSteps: steps.length };
}
