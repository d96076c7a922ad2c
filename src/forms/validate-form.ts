import { fieldError } from "../errors/identity-error.js";
import { lazySchema, parseWith } from "../http/schema/parse-with.js";
import type { OperationResult } from "../http/transport/write-response.js";
import { toCanonicalJson } from "../json/canonical-json.js";
import type { OperationCall } from "../operations/operation.js";
import { callFormLambda } from "./call-form-lambda.js";
import { findApplication } from "./find-application.js";
import { loadFields, loadForm } from "./load-form.js";
import { matchesValidator } from "./run-validator.js";
import { validateFields } from "./validate-fields.js";

const validateFormRequest = lazySchema(() => import("../resources/forms/schema.js"), "validateFormRequest");

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
