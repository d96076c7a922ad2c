import { fieldError, generalError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseRecord } from "../../operations/family/family.js";
import { optionalId, requireId } from "../../operations/family/record-steps.js";
import type { OperationCall } from "../../operations/operation.js";
import type { StoredRecord } from "../../ports/storage.js";
import { presentMethod } from "../../records/factors/two-factor-state.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import type { StartTwoFactorRequest, TwoFactorStatusRequest } from "../../records/two-factor/schema.js";
import type { User } from "../../records/users/schema.js";
import { findTrust, trustsOf } from "../../sessions/one-time-ids/trusts.js";
import { findFlowScope, findUserByLoginId, findUserScope } from "../../sessions/subjects/flow-call.js";
import { checkSecondFactor } from "../factors/check-factor.js";
import { addCode, createCode } from "../factors/one-time-codes.js";
import { loadUser, saveTwoFactorState, stateOf } from "../factors/user-factor.js";
import { assertReal } from "../steps/assert-usable-login.js";
import { savePendingLogin } from "../steps/pending-logins.js";

const startRequest = lazySchema("logins", "startTwoFactorRequest");
const statusRequest = lazySchema("logins", "twoFactorStatusRequest");

/**
 * POST: starts a second factor without a login; sends nothing.
 * @throws IdentityError 400 `[notConfigured]userId` for a user without methods; 404 for an unknown or inactive user.
 */
export async function startTwoFactor(call: OperationCall): Promise<OperationResult> {
  assertReal(call);
  const request = await parseWith(startRequest, call.body);
  const { applicationId, state, trustChallenge } = request;
  const user = await findStarted(call, request);
  if (user === undefined || !parseRecord<User>(user).active) throw generalError("notFound");
  const { methods } = stateOf(user);
  if (methods.length === 0) throw fieldError("notConfigured", "userId");
  const { tenant } = await findUserScope(call, user, applicationId);
  const code = request.code ?? createCode(call, tenant);
  const seconds = tenant.externalIdentifierConfiguration.twoFactorIdTimeToLiveInSeconds;
  const session = { user, applicationId, authenticationType: "TWO_FACTOR", noJwt: false };
  const twoFactorId = await call.write(async (write) => {
    const saved = await savePendingLogin(write, { ...session, started: { state, trustChallenge } }, seconds);
    const fresh = await loadUser(write, user.id);
    const purpose = { kind: "login", recordId: saved.recordId } as const;
    await saveTwoFactorState(write, fresh, addCode(write, fresh, { code, purpose, tenant }));
    return saved.twoFactorId;
  });
  return { status: 200, json: toCanonicalJson({ code, methods: methods.map(presentMethod), twoFactorId }) };
}

async function findStarted(
  call: OperationCall,
  { applicationId, loginId, loginIdTypes, userId }: StartTwoFactorRequest,
): Promise<StoredRecord | undefined> {
  if (userId !== undefined) return loadUser(call, userId);
  if (loginId === undefined) throw fieldError("blank", "loginId");
  const { tenant } = await findFlowScope(call, applicationId);
  return findUserByLoginId(call, tenant.id, { loginId, loginIdTypes });
}

/**
 * GET: whether a login of a user needs a second factor (242) or not (200), and the applications that trust the user's device.
 * @throws IdentityError 404 for an unknown user; 400.
 */
export function readTwoFactorStatus(call: OperationCall): Promise<OperationResult> {
  const { twoFactorTrustId } = call.params;
  const request = { applicationId: optionalId(call, "applicationId"), twoFactorTrustId, userId: requireId(call, "userId") };
  return answerStatus(call, request);
}

/**
 * POST: as {@link readTwoFactorStatus}, for any action. @throws IdentityError also 400 `[invalid]accessToken` for another user's
 * token.
 */
export async function checkTwoFactorStatus(call: OperationCall): Promise<OperationResult> {
  return answerStatus(call, await parseWith(statusRequest, call.body));
}

async function answerStatus(
  call: OperationCall,
  { accessToken, action = "login", applicationId, twoFactorTrustId, userId }: TwoFactorStatusRequest,
): Promise<OperationResult> {
  const user = await loadUser(call, userId);
  const place = await findUserScope(call, user, applicationId);
  const subject = accessToken === undefined ? undefined : await call.service.verifyToken(accessToken);
  if (accessToken !== undefined && !(subject?.kind === "user" && subject.userId === userId))
    throw fieldError("invalid", "accessToken");
  const trust = await findTrust(call, user, twoFactorTrustId);
  const { required } = await checkSecondFactor(call, { accessToken, action, authenticationThreats: [], trust, user }, place);
  const trusts = trustsOf(call, trust);
  const json = toCanonicalJson({ trusts, twoFactorTrustId: trusts.length === 0 ? undefined : twoFactorTrustId });
  return { status: required ? 242 : 200, json };
}
