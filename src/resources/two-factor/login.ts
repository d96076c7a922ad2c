import { issueId } from "../../accounts/flows/one-time-ids.js";
import { assertReal } from "../../accounts/login/assert-usable-login.js";
import { showThreats } from "../../accounts/login/finish-login.js";
import { assertUnchanged, loadPendingLogin, type PendingLogin, removePendingLogin } from "../../accounts/login/pending-logins.js";
import { publishSecondFactor } from "../../accounts/login/record-login.js";
import { startSession } from "../../accounts/login/start-session.js";
import { findLoginScope } from "../../accounts/tokens/token-subject.js";
import { useCode } from "../../accounts/two-factor/one-time-codes.js";
import { issueTrust } from "../../accounts/two-factor/trusts.js";
import { acceptCode, attemptCode, loadUser, saveTwoFactorState } from "../../accounts/two-factor/user-factor.js";
import { IdentityError } from "../../errors/identity-error.js";
import { lazySchema, parseWith } from "../../http/schema/parse-with.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { withMembers } from "../../operations/family/record-steps.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { type StoredRecord, tenantScope } from "../../ports/storage.js";
import type { TwoFactorLoginRequest } from "./schema.js";

const wrongCodeStatus = 421;

const request = lazySchema(() => import("./schema.js"), "twoFactorLoginRequest");

/**
 * POST: finishes a login with a second factor (docs/reference/tokens.md#login).
 * @throws IdentityError 404 for a `twoFactorId` that is unknown, too old or used; 421 for a wrong code; 400.
 */
export async function logInWithTwoFactor(call: OperationCall): Promise<OperationResult> {
  assertReal(call);
  const { noJWT, ...given } = await parseWith(request, call.body);
  const login = await loadPendingLogin(call, given.twoFactorId);
  const attempt = attemptCode(call, login.userId, (write) => useLogin(write, given));
  const { members, user } = await attempt.catch((error: unknown) => reportFailure(call, login, error));
  const { applicationId, changeReason, identityProvider, metaData, noJwt, recognition } = login;
  const how = { authenticationType: "TWO_FACTOR", changeReason, identityProvider, noJwt: noJWT ?? noJwt };
  const newSession = { user, applicationId, metaData, recognition, ...how };
  const answer = showThreats(await startSession(call, newSession), recognition);
  return withMembers(answer, members);
}

/** A login whose second factor was right, and members of its answer. */
interface UsedLogin {
  readonly members: Readonly<Record<string, unknown>>;
  readonly user: StoredRecord;
}

// Code and id are used up together: of two calls with the same ones, the second finds neither.
async function useLogin(
  call: WriteCall,
  { code, trustComputer = false, twoFactorId }: TwoFactorLoginRequest,
): Promise<UsedLogin | undefined> {
  const login = await loadPendingLogin(call, twoFactorId);
  const user = await loadUser({ ...call, scope: tenantScope(login.tenantId) }, login.userId);
  await assertUnchanged(call, login, user);
  const purpose = { kind: "login", recordId: login.id } as const;
  const state = (await acceptCode(call, user, code)) ?? useCode(call, user, purpose, code);
  if (state === undefined) return undefined;
  await removePendingLogin(call, login);
  const kept = await saveTwoFactorState(call, user, state);
  await publishSecondFactor(call, "success", { user: kept, applicationId: login.applicationId });
  return { members: await issueProofs(call, login, trustComputer), user: kept };
}

// What proves later that the second factor was shown: on this device, or to a change of the password.
async function issueProofs(
  call: WriteCall,
  { applicationId, started, tenantId, trustRecordId, userId }: PendingLogin,
  trustComputer: boolean,
): Promise<Readonly<Record<string, unknown>>> {
  if (!trustComputer && started === undefined) return {};
  const place = await findLoginScope(call, tenantId, applicationId);
  const twoFactorTrustId = trustComputer ? await issueTrust(call, place, userId, trustRecordId) : undefined;
  if (started === undefined) return { twoFactorTrustId };
  const { state, trustChallenge } = started;
  const { id: trustToken } = await issueId(call, place.tenant, { purpose: "trustToken", userId, details: { trustChallenge } });
  return { state, trustToken, twoFactorTrustId };
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
