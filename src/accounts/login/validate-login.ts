import { runForUser } from "../../lambdas/run-for-user-on-demand.js";
import { noValidationErrors, toValidationError, type ValidationErrors } from "../../lambdas/validation-errors.js";
import type { OperationCall } from "../../operations/operation.js";
import type { TokenSubject } from "../tokens/token-subject.js";
import { recordLoginFailure } from "./record-login.js";

/**
 * Asks the lambda of the tenant, where it names one, whether a user who proved who he is may log in (docs/reference/lambdas.md#validation-lambdas).
 * @throws IdentityError 400 with exactly the errors of the lambda; 400 `[LambdaFailed]`.
 */
export async function validateLogin(call: OperationCall, subject: TokenSubject, authenticationType: string): Promise<void> {
  const { tenant, application, stored: user } = subject;
  const lambdaId = tenant.lambdaConfiguration.loginValidationId;
  if (lambdaId === undefined) return;
  const given = { result: { errors: noValidationErrors } };
  const context = { authenticationType };
  const { result } = await runForUser(call, subject, { lambdaId, type: "LoginValidation", arguments: given, context });
  const refusal = toValidationError((result as { readonly errors: ValidationErrors }).errors);
  if (refusal === undefined) return;
  const { fieldErrors, generalErrors } = refusal;
  const reason = { code: "lambdaValidation", lambdaId, lambdaResult: { fieldErrors, generalErrors } };
  await recordLoginFailure(call, { tenantId: tenant.id, applicationId: application?.id, authenticationType, user, reason });
  throw refusal;
}
