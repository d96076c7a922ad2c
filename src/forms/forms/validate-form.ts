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
 * Validates a submission of a form, or of fields without one, as a whole or one step of it; stores nothing. What the fields accept is
 * shown to the lambda of the application (docs/reference/lambdas.md#validation-lambdas).
 * @throws IdentityError 400 with the refusals of all fields at once, or else of the lambda; `[LambdaFailed]` when that failed.
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
 * The application that a submission is for: the one that is named, else the only one that uses the form; undefined where none does.
 * @throws IdentityError 400 `[invalid]applicationId` for one that is not there or inactive, `[missing]applicationId` where several use it.
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

// The directory is asked for these, within the scope; that it keeps to it is checked all the same.
async function findActive(call: OperationCall, ids: readonly string[]): Promise<readonly DirectoryApplication[]> {
  const found = await call.service.directory.findApplications(directoryContext(call), ids);
  const isSeen = ({ tenantId }: DirectoryApplication): boolean =>
    call.scope.kind === "global" || tenantId === call.scope.tenantId;
  return found.filter((application) => ids.includes(application.id) && isSeen(application) && application.active !== false);
}

/** What the lambda of an application is asked about. */
interface FormLambdaCall {
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
async function callFormLambda(call: OperationCall, { loaded, application, objects, step }: FormLambdaCall): Promise<void> {
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
