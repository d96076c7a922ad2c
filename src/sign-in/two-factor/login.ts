import { generalError, IdentityError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { withMembers } from "../../operations/family/record-steps.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { type StoredRecord, tenantScope } from "../../ports/storage.js";
import { loadTotp } from "../../records/factors/totp.js";
import type { TwoFactorState } from "../../records/factors/two-factor-state.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import type { CodeLoginRequest, SecondPasskeyRequest } from "../../records/two-factor/schema.js";
import { issueId } from "../../sessions/one-time-ids/one-time-ids.js";
import { issueTrust } from "../../sessions/one-time-ids/trusts.js";
import { findLoginScope } from "../../sessions/subjects/token-subject.js";
import { throttledWrite } from "../../sessions/throttle/throttled-write.js";
import { proofOf } from "../../sessions/validity/proof.js";
import { isObject } from "../../shared/objects.js";
import { showThreats } from "../factors/finish-login.js";
import { useCode } from "../factors/one-time-codes.js";
import { acceptCode, attemptCode, attemptFactor, loadUser, saveTwoFactorState, stateOf } from "../factors/user-factor.js";
import { canStartWithin, startSession } from "../issuing/start-session.js";
import { assertReal } from "../steps/assert-usable-login.js";
import { loadUnchanged, type NewSession } from "../steps/new-session.js";
import { loadPendingLogin, type PendingLogin, removePendingLogin } from "../steps/pending-logins.js";
import { publishSecondFactor } from "../steps/record-login.js";
import { checkSecondPasskey, startSecondPasskey } from "../web-authn/second-factor.js";

const wrongCodeStatus = 421;

const schemas = {
  code: lazySchema("logins", "twoFactorLoginRequest"),
  passkey: lazySchema("logins", "passkeyLoginRequest"),
};

/**
 * POST: returns the options to finish a login with a passkey.
 * @throws IdentityError 404 for an unknown `twoFactorId`; 400 when the settings or the user's passkeys do not allow it.
 */
export async function startPasskey(call: OperationCall): Promise<OperationResult> {
  const login = await loadPendingLogin(call, call.params.twoFactorId ?? "");
  const options = await startSecondPasskey(call, login);
  return { status: 200, json: toCanonicalJson({ options }) };
}

/**
 * POST: finishes a login with a second factor (docs/reference/tokens.md#login).
 * @throws IdentityError 404 for a `twoFactorId` that is unknown, expired or used; 421 for a wrong code; 400.
 */
export async function logInWithTwoFactor(call: OperationCall): Promise<OperationResult> {
  assertReal(call);
  const hasPasskey = isObject(call.body) && call.body.credential !== undefined;
  const given = await parseWith<CodeLoginRequest | SecondPasskeyRequest>(hasPasskey ? schemas.passkey : schemas.code, call.body);
  const finished = "code" in given ? await logInAtOnce(call, given) : undefined;
  return finished ?? logInInSteps(call, given);
}

/** A login with a correct second factor, and its session in the same transaction. */
interface StartedLogin extends UsedLogin {
  /** The response, or the refusal of the session. Absent when the session begins in a separate transaction. */
  readonly answer?: OperationResult | IdentityError | undefined;
}

// Code and session in one transaction. Undefined when the attempt must wait first.
async function logInAtOnce(call: OperationCall, given: CodeLoginRequest): Promise<OperationResult | undefined> {
  await loadTotp();
  const attempted = await throttledWrite<PendingLogin, StartedLogin>(call, {
    find: (write) => loadPendingLogin(write, given.twoFactorId),
    subjectOf: ({ userId: id }) => ({ kind: "twoFactor", id }),
    run: (write, login) => startLogin(write, login, given),
  });
  if (attempted === undefined) return undefined;
  const { found: login, result } = attempted;
  if (result === undefined) return reportFailure(call, login, generalError("wrongCode"));
  const { answer, members } = result;
  if (answer === undefined) return finishLogin(call, login, { given, ...result });
  if (answer instanceof IdentityError) throw answer;
  return withMembers(showThreats(answer, login.recognition), members);
}

// A refused session still uses up the code.
async function startLogin(write: WriteCall, login: PendingLogin, given: CodeLoginRequest): Promise<StartedLogin | undefined> {
  const used = await useLogin(write, given);
  if (used === undefined) return undefined;
  const place = await findLoginScope(write, login.tenantId, login.applicationId);
  if (!(await canStartWithin(write, place))) return used;
  const newSession = toNewSession(login, used.user, given);
  try {
    return { ...used, answer: await write.tx.savepoint(() => startSession(write, newSession, place)) };
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    return { ...used, answer: error };
  }
}

async function logInInSteps(call: OperationCall, given: CodeLoginRequest | SecondPasskeyRequest): Promise<OperationResult> {
  const login = await loadPendingLogin(call, given.twoFactorId);
  const attempt =
    "code" in given
      ? attemptCode(call, login.userId, (write) => useLogin(write, given))
      : attemptFactor(call, login.userId, () => usePasskey(call, login, given));
  const used = await attempt.catch((error: unknown) => reportFailure(call, login, error));
  return finishLogin(call, login, { given, ...used });
}

async function finishLogin(
  call: OperationCall,
  login: PendingLogin,
  { given, members, user }: UsedLogin & { readonly given: CodeLoginRequest | SecondPasskeyRequest },
): Promise<OperationResult> {
  const answer = await startSession(call, toNewSession(login, user, given));
  return withMembers(showThreats(answer, login.recognition), members);
}

function toNewSession(
  { applicationId, changeReason, identityProvider, metaData, noJwt, proof: first, recognition }: PendingLogin,
  user: StoredRecord,
  given: CodeLoginRequest | SecondPasskeyRequest,
): NewSession {
  const { at: factorAt } = proofOf(user, []);
  const by = [...first.by, "TWO_FACTOR", ...("code" in given ? [] : ["WEBAUTHN"])];
  const how = { authenticationType: "TWO_FACTOR", changeReason, identityProvider, noJwt: given.noJWT ?? noJwt };
  return { user, applicationId, metaData, recognition, ...how, proof: { ...first, by, factorAt } };
}

/** The factor that finishes a login; without a code for a passkey, which was checked before. */
interface UsedFactor {
  readonly code?: string | undefined;
  readonly trustComputer?: boolean | undefined;
  readonly twoFactorId: string;
}

/** A login with a correct second factor, and members of its response. */
interface UsedLogin {
  readonly members: Readonly<Record<string, unknown>>;
  readonly user: StoredRecord;
}

// The challenge is used up in a separate transaction, even if the response is refused.
async function usePasskey(
  call: OperationCall,
  login: PendingLogin,
  { credential, origin, rpId, ...given }: SecondPasskeyRequest,
): Promise<UsedLogin | undefined> {
  const user = await checkSecondPasskey(call, login, { credential, origin, rpId });
  if (user === undefined) return undefined;
  return call.write(async (write) => {
    // The passkey may have been removed since.
    await loadUnchanged(write, { user, authenticationType: "WEBAUTHN" });
    return useLogin(write, given);
  });
}

// Code and id are used up together: of two calls with the same ones, the second finds neither.
async function useLogin(
  call: WriteCall,
  { code, trustComputer = false, twoFactorId }: UsedFactor,
): Promise<UsedLogin | undefined> {
  const login = await loadPendingLogin(call, twoFactorId);
  const user = await loadUser({ ...call, scope: tenantScope(login.tenantId) }, login.userId);
  const state = await acceptFactor(call, user, { code, recordId: login.id });
  if (state === undefined) return undefined;
  await removePendingLogin(call, login);
  const kept = await saveTwoFactorState(call, user, state);
  await publishSecondFactor(call, "success", { user: kept, applicationId: login.applicationId });
  return { members: await issueProofs(call, login, trustComputer), user: kept };
}

// A passkey was checked before, and leaves the codes unchanged.
async function acceptFactor(
  call: WriteCall,
  user: StoredRecord,
  { code, recordId }: { readonly code: string | undefined; readonly recordId: string },
): Promise<TwoFactorState | undefined> {
  if (code === undefined) return stateOf(user);
  return (await acceptCode(call, user, code)) ?? useCode(call, user, { code, purpose: { kind: "login", recordId } });
}

// Issues proofs of the second factor for later: the device's trust, and a token for a password change.
async function issueProofs(
  call: WriteCall,
  { applicationId, started, tenantId, trustRecordId, userId }: PendingLogin,
  trustComputer: boolean,
): Promise<Readonly<Record<string, unknown>>> {
  if (!trustComputer && started === undefined) return {};
  const place = await findLoginScope(call, tenantId, applicationId);
  const twoFactorTrustId = trustComputer ? await issueTrust(call, place, { replacedId: trustRecordId, userId }) : undefined;
  if (started === undefined) return { twoFactorTrustId };
  const { state, trustChallenge } = started;
  const { id: trustToken } = await issueId(call, place.tenant, { purpose: "trustToken", userId, details: { trustChallenge } });
  return { state, trustToken, twoFactorTrustId };
}

// After the attempt was counted: an event receiver that refuses must not undo the count.
async function reportFailure(call: OperationCall, login: PendingLogin, error: unknown): Promise<never> {
  const { applicationId, tenantId, userId } = login;
  if (error instanceof IdentityError && error.status === wrongCodeStatus)
    await call.write(async (write) => {
      const user = await loadUser({ ...write, scope: tenantScope(tenantId) }, userId);
      await publishSecondFactor(write, "failed-attempt", { user, applicationId });
    });
  throw error;
}
