import { fieldError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { runLambda } from "../../lambdas/run/run-lambda.js";
import { noValidationErrors, toValidationError, type ValidationErrors } from "../../lambdas/types/validation-errors.js";
import { directoryContext, type OperationCall } from "../../operations/operation.js";
import { findHolderIds } from "../../operations/references/references.js";
import type { DirectoryApplication } from "../../ports/directory.js";
import { formsTable } from "../../records/forms/family.js";
import type { Form, FormObjects } from "../../records/forms/schema.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import { loadTenant } from "../../sessions/tokens/sign-token.js";
import { valueAt } from "../../shared/objects.js";
import { toLambdaContext } from "../../sign-in/steps/lambda-context.js";
import { type LoadedForm, loadFields, loadForm } from "./load-form.js";
import { matchesValidator } from "./run-validator.js";
import { validateFields } from "./validate-fields.js";

const validateFormRequest = lazySchema("forms", "validateFormRequest");

/**
 * Validates a submission of a form or of listed fields, as a whole or for one step; stores nothing. The lambda of the application
 * then checks the accepted values (docs/reference/lambdas.md#validation-lambdas).
 * @throws IdentityError 400 with the errors of all fields at once, or else of the lambda; `[LambdaFailed]` when that failed.
 */
export async function validateForm(call: OperationCall): Promise<OperationResult> {
  call.service.availability.assertLicensed("form");
  const request = await parseWith(validateFormRequest, call.body);
  const { applicationId, consents, fieldIds, submission, step } = request;
  const isForm = fieldIds === undefined || call.params.formId !== undefined;
  const loaded = isForm ? await loadForm(call) : await loadFields(call, fieldIds);
  const { steps } = loaded;
  if (step !== undefined && step > steps.length) throw fieldError("invalid", "step");
  const application = await findApplication(call, loaded.form, applicationId);
  const registration = { ...request.registration, ...(application && { applicationId: application.id }) };
  const objects = structuredClone({ consents, registration, user: request.user });
  const asked = step === undefined ? steps : steps.slice(step - 1, step);
  const fields = asked.flatMap(({ fields }) => fields);
  const matches = matchesValidator.bind(undefined, call);
  (await validateFields(objects, { fields, submission, matches })).throwIfAny();
  if (application !== undefined) await callFormLambda(call, { loaded, application, objects, step: step ?? steps.length });
  const nextStep = step === undefined || step === steps.length ? undefined : step + 1;
  return { status: 200, json: toCanonicalJson({ ...objects, nextStep }) };
}

/**
 * Returns the application of a submission: the given one, else the only one that uses the form; undefined if none does.
 * @throws IdentityError 400 `[invalid]applicationId` for an unknown or inactive one, `[missing]applicationId` when several use
 *   it.
 */
async function findApplication(
  call: OperationCall,
  form: Form | undefined,
  named: string | undefined,
): Promise<DirectoryApplication | undefined> {
  if (named !== undefined) {
    const [application] = await findActive(call, [named]);
    if (application === undefined) throw fieldError("invalid", "applicationId");
    return application;
  }
  const holders = form === undefined ? [] : await findHolderIds(call, formsTable, form.id);
  const [application, another] = holders.length === 0 ? [] : await findActive(call, holders);
  if (another !== undefined) throw fieldError("missing", "applicationId");
  return application;
}

// A host's directory should keep to the scope; the filter makes sure.
async function findActive(call: OperationCall, ids: readonly string[]): Promise<readonly DirectoryApplication[]> {
  const found = await call.service.directory.findApplications(directoryContext(call), ids);
  const isSeen = ({ tenantId }: DirectoryApplication): boolean =>
    call.scope.kind === "global" || tenantId === call.scope.tenantId;
  return found.filter((application) => ids.includes(application.id) && isSeen(application) && application.active !== false);
}

interface FormLambdaCall {
  readonly loaded: LoadedForm;
  readonly application: DirectoryApplication;
  readonly objects: FormObjects;
  /** Counted from one. */
  readonly step: number;
}

/**
 * Validates accepted values with the application's lambda for self-service registrations, if it has one.
 * @throws IdentityError 400 with exactly the errors of the lambda; `[LambdaFailed]` when it failed.
 */
async function callFormLambda(call: OperationCall, { loaded, application, objects, step }: FormLambdaCall): Promise<void> {
  const lambdaId = valueAt(application, "lambdaConfiguration.selfServiceRegistrationValidationId");
  if (typeof lambdaId !== "string") return;
  // The event log stores the console output of lambdas: a lambda must not get the password.
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
