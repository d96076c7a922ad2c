import type { LambdaArguments, LambdaType } from "../../availability/lambda-types.js";
import { type LambdaCall, recordLambdaFailure, runLambda } from "../../lambdas/run/run-lambda.js";
import { noValidationErrors, toValidationError, type ValidationErrors } from "../../lambdas/types/validation-errors.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { presentUser } from "../../people/relations/present-user.js";
import type { Registration } from "../../records/users/schema.js";
import type { TokenSubject } from "../../sessions/subjects/token-subject.js";
import { toLambdaContext } from "./lambda-context.js";
import type { NewSession } from "./new-session.js";
import { recordLoginFailure } from "./record-login.js";

interface UserLambdaCall {
  readonly lambdaId: string;
  readonly type: LambdaType;
  /** The arguments beside `user`, `registration` and `context`. */
  readonly arguments: LambdaArguments;
  /** Members of the context for this type of lambda. */
  readonly context: Readonly<Record<string, unknown>>;
}

/**
 * Runs a lambda with the user in wire format; returns the arguments after its changes.
 * @throws IdentityError as `runLambda`.
 */
export async function runForUser(
  call: OperationCall,
  subject: TokenSubject,
  { lambdaId, type, ...lambdaCall }: UserLambdaCall,
): Promise<LambdaArguments> {
  const user: unknown = JSON.parse(await presentUser(call, subject.stored));
  const registration = subject.registration && parseRecord<Registration>(subject.registration);
  const context = toLambdaContext(call, subject, lambdaCall.context);
  const given = { ...lambdaCall.arguments, user, registration, context };
  return runLambda(call, { lambdaId, type, tenantId: subject.tenant.id, arguments: given });
}

/** Records that the output of a lambda was discarded as too large. */
export async function recordUnusedOutput(
  call: OperationCall,
  lambdaCall: Omit<LambdaCall, "arguments">,
  message: string,
): Promise<void> {
  await recordLambdaFailure(call, { ...lambdaCall, arguments: {} }, { kind: "tooLarge", message });
}

/**
 * Runs the tenant's login validation lambda, if any, for an authenticated user (docs/reference/lambdas.md#validation-lambdas).
 * @throws IdentityError 400 with exactly the errors of the lambda; 400 `[LambdaFailed]`.
 */
export async function validateLogin(
  call: OperationCall,
  subject: TokenSubject,
  { authenticationType, identityProvider }: Pick<NewSession, "authenticationType" | "identityProvider">,
): Promise<void> {
  const { tenant, application, stored: user } = subject;
  const lambdaId = tenant.lambdaConfiguration.loginValidationId;
  if (lambdaId === undefined) return;
  const given = { result: { errors: noValidationErrors } };
  const context = { authenticationType, identityProvider };
  const { result } = await runForUser(call, subject, { lambdaId, type: "LoginValidation", arguments: given, context });
  const refusal = toValidationError((result as { readonly errors: ValidationErrors }).errors);
  if (refusal === undefined) return;
  const { fieldErrors, generalErrors } = refusal;
  const reason = { code: "lambdaValidation", lambdaId, lambdaResult: { fieldErrors, generalErrors } };
  await recordLoginFailure(call, { tenantId: tenant.id, applicationId: application?.id, authenticationType, user, reason });
  throw refusal;
}
