import { storedDirectory } from "../../directory/stored-directory.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { deviceEvents } from "../../people/users/login-history.js";
import { findLoginScope, type LoginScope } from "../../sessions/subjects/token-subject.js";
import { assertReal, assertUsableLogin } from "../steps/assert-usable-login.js";
import type { NewSession } from "../steps/new-session.js";
import { loginEvent } from "../steps/record-login.js";
import { openSession } from "./open-session.js";
import { findRequiredStep } from "./required-step.js";

/**
 * Answers a user after all factors (docs/reference/tokens.md#login): 200; 202 for a user who is not registered to the
 * application; 203 when the password must be changed first; 212 and 213 when the email or the registration must be verified
 * first. `place` is the tenant and application of the login, if already read.
 * @throws IdentityError 401 `[invalidCredentials]` when the user was locked out, or got another password, since the check of the
 * proof; 410 past the user's expiry; 409 while an action prevents it; 400 with the errors of a lambda that refuses the login.
 */
export async function startSession(call: OperationCall, newSession: NewSession, place?: LoginScope): Promise<OperationResult> {
  assertReal(call);
  await assertUsableLogin(call, newSession);
  const known = place ?? (await findLoginScope(call, newSession.user.tenantId ?? "", newSession.applicationId));
  const required = await findRequiredStep(call, newSession, known);
  return required ?? openSession(call, newSession, known);
}

/**
 * Whether {@link startSession} can run in the transaction of the proof: the session needs no lambda, no host directory and no
 * event receiver, and binds its tokens to no key.
 */
export async function canStartWithin(call: WriteCall, { application, tenant }: LoginScope): Promise<boolean> {
  const { asking, request, service, tx } = call;
  const lambdas = [tenant.lambdaConfiguration.loginValidationId, application?.lambdaConfiguration.accessTokenPopulateId];
  if (lambdas.some((id) => id !== undefined) || request?.headers.dpop !== undefined) return false;
  if (service.directory !== storedDirectory || asking === undefined) return false;
  for (const type of [loginEvent, ...deviceEvents]) {
    const event = { tenantId: tenant.id, type };
    if ((await service.eventSettings.transactionTypeOf(tx, asking.settings, event)) !== "None") return false;
  }
  return true;
}
