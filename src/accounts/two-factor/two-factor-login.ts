import { IdentityError } from "../../errors/identity-error.js";
import { lazySchema, parseWith } from "../../http/schema/parse-with.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { type StoredRecord, tenantScope } from "../../ports/storage.js";
import { assertReal } from "../login/assert-usable-login.js";
import { showThreats } from "../login/finish-login.js";
import { assertUnchanged, loadPendingLogin, type PendingLogin, removePendingLogin } from "../login/pending-logins.js";
import { publishSecondFactor } from "../login/record-login.js";
import { startSession } from "../login/start-session.js";
import { acceptCode, attemptCode, loadUser, saveTwoFactorState } from "./user-factor.js";

const wrongCodeStatus = 421;

const request = lazySchema(() => import("../../resources/two-factor/schema.js"), "twoFactorLoginRequest");

/**
 * POST: finishes a login with a second factor (docs/reference/tokens.md#login).
 * @throws IdentityError 404 for a `twoFactorId` that is unknown, too old or used; 421 for a wrong code; 400.
 */
export async function logInWithTwoFactor(call: OperationCall): Promise<OperationResult> {
  assertReal(call);
  const { code, twoFactorId, noJWT } = await parseWith(request, call.body);
  const login = await loadPendingLogin(call, twoFactorId);
  const attempt = attemptCode(call, login.userId, (write) => useLogin(write, twoFactorId, code));
  const user = await attempt.catch((error: unknown) => reportFailure(call, login, error));
  const { applicationId, changeReason, metaData, noJwt, recognition } = login;
  const how = { authenticationType: "TWO_FACTOR", changeReason, noJwt: noJWT ?? noJwt };
  const newSession = { user, applicationId, metaData, recognition, ...how };
  return showThreats(await startSession(call, newSession), recognition);
}

// Code and id are used up together: of two calls with the same ones, the second finds neither.
async function useLogin(call: WriteCall, twoFactorId: string, code: string): Promise<StoredRecord | undefined> {
  const login = await loadPendingLogin(call, twoFactorId);
  const user = await loadUser({ ...call, scope: tenantScope(login.tenantId) }, login.userId);
  await assertUnchanged(call, login, user);
  const state = await acceptCode(call, user, code);
  if (state === undefined) return undefined;
  await removePendingLogin(call, login);
  const kept = await saveTwoFactorState(call, user, state);
  await publishSecondFactor(call, "success", { user: kept, applicationId: login.applicationId });
  return kept;
}

// After the attempt was counted: receivers that are asked about it must not make it count for nothing.
async function reportFailure(call: OperationCall, login: PendingLogin, error: unknown): Promise<never> {
  const { applicationId, tenantId, userId } = login;
  if (error instanceof IdentityError && error.status === wrongCodeStatus)
    await call.write(async (write) => {
      const user = await loadUser({ ...write, scope: tenantScope(tenantId) }, userId);
      await publishSecondFactor(write, "failed-attempt", { user, applicationId });
    });
  throw error;
}
