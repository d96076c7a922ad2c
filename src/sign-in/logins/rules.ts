import { generalError } from "../../errors/identity-error.js";
import { clearedCookies } from "../../http/authenticate/cookies.js";
import { withBodyParameters } from "../../http/transport/read-parameters.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { FamilyRulesModule } from "../../operations/family/family-row.js";
import { optionalId, requireId } from "../../operations/family/record-steps.js";
import { emptyResult, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { brokenRules, isTooOld } from "../../people/passwords/password-rules.js";
import { hasBuiltInOnly, hasExternalPassword } from "../../people/passwords/policies.js";
import { findPresentedUser } from "../../people/relations/present-user.js";
import { endSessions } from "../../people/user-action-logs/end-sessions.js";
import { type StoredRecord, tenantScope } from "../../ports/storage.js";
import { applicationsTable } from "../../records/applications/family.js";
import type { Application } from "../../records/applications/schema.js";
import type { ParsedLoginRequest } from "../../records/logins/schema.js";
import type { RefreshToken } from "../../records/refresh-tokens/schema.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import { accountSettingsOf } from "../../records/settings/tenant-settings.js";
import { usersTable } from "../../records/users/family.js";
import type { User } from "../../records/users/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { revokeTokens } from "../../sessions/ending/revoke-tokens.js";
import { type FlowData, findId, useId } from "../../sessions/one-time-ids/one-time-ids.js";
import { findActiveApplication, findFlowScope, findUserByLoginId } from "../../sessions/subjects/flow-call.js";
import { findLoginScope, type LoginScope } from "../../sessions/subjects/token-subject.js";
import { limitSubjectOf } from "../../sessions/throttle/limit-subject.js";
import { limitInTenant, resetRate } from "../../sessions/throttle/rate-limits.js";
import { type AttemptSubject, throttled } from "../../sessions/throttle/throttle.js";
import { valueAt } from "../../shared/objects.js";
import { parseUuid } from "../../shared/text.js";
import { checkByPolicies, findCheckedUser } from "../connectors/check-password.js";
import { type CheckedLogin, checkStored, type PasswordLogin } from "../connectors/check-stored.js";
import { finishLogin } from "../factors/finish-login.js";
import { changePassword, checkPasswordChange } from "../flows/change-password.js";
import { type CheckedPassword, checkBreach } from "../flows/check-breach.js";
import { forgotPassword } from "../flows/forgot-password.js";
import { rehashPassword } from "../flows/rehash-password.js";
import { openSession } from "../issuing/open-session.js";
import { findTokenToEnd } from "../issuing/replaced-token.js";
import { assertReal, assertUsableLogin } from "../steps/assert-usable-login.js";
import { countFailedLogin, resetFailedLogins } from "../steps/failed-logins.js";
import { recordLoginFailure } from "../steps/record-login.js";
import type { PasswordChangeReason } from "../steps/require-password-change.js";

const loginRequest = lazySchema("logins", "loginRequest");
const logoutRequest = lazySchema("logins", "logoutRequest");

/**
 * POST of a login (docs/reference/tokens.md#login).
 * @throws IdentityError 401 for a caller without a credential when the application requires one; 401 `[invalidCredentials]`, over
 * HTTP 404, for a wrong login id or password and for an inactive user, all alike; 410 past the user's expiry; 400 with the errors
 * of a lambda that refuses the login.
 */
async function logIn(call: OperationCall): Promise<OperationResult> {
  if (call.principal === undefined) await assertOpenToAll(call);
  assertReal(call);
  const request = await parseWith(loginRequest, call.body);
  const { noJWT, oneTimePassword = "", password = "" } = request;
  const asked = await findFlowScope(call, request.applicationId);
  const isOneTime = oneTimePassword !== "";
  const { place, session, user } = isOneTime
    ? await useOneTimePassword(call, asked, oneTimePassword)
    : { place: asked, session: undefined, user: await proveUser(call, asked, request) };
  const applicationId = place.application?.id;
  await assertUsableLogin(call, { applicationId, user });
  const newSession = {
    user,
    applicationId,
    authenticationType: isOneTime ? "ONE_TIME_PASSWORD" : "PASSWORD",
    changeReason: isOneTime ? undefined : await findChangeReason(call, place, { password, user }),
    noJwt: noJWT,
    metaData: request.metaData ?? session?.metaData,
    twoFactorTrustId: request.twoFactorTrustId,
  };
  return finishLogin(call, newSession, place);
}

// Checked while the password is at hand. Passwords that another system checks cannot be changed here.
async function findChangeReason(
  call: OperationCall,
  place: LoginScope,
  proven: CheckedPassword,
): Promise<PasswordChangeReason | undefined> {
  const settings = accountSettingsOf(place.tenant);
  const { breachDetection, validateOnLogin } = settings.passwordValidationRules;
  const user = parseRecord<User>(proven.user);
  if (hasExternalPassword(user)) return undefined;
  if (isTooOld(settings, user, call.service.runtime.clock())) return "Expired";
  if (validateOnLogin && brokenRules(settings.passwordValidationRules, proven.password, user).length > 0) return "Validation";
  if (!breachDetection.enabled || breachDetection.onLogin === "Off") return undefined;
  return (await checkBreach(call, place, proven)) ? "Breached" : undefined;
}

// Checked before the rest of the request: an unauthorized caller learns nothing, not even the shape of a valid call.
async function assertOpenToAll(call: OperationCall): Promise<void> {
  const named = valueAt(call.body, "applicationId");
  const id = typeof named === "string" ? parseUuid(named) : undefined;
  const stored = id === undefined ? undefined : await call.reader.retrieve(call.scope, applicationsTable, id);
  const application = stored && parseRecord<Application>(stored);
  if (application?.active !== true || application.loginConfiguration.requireAuthentication) throw generalError("unauthorized");
}

interface OneTimeLogin {
  readonly place: LoginScope;
  readonly session: FlowData["session"];
  readonly user: StoredRecord;
}

// A password change returns this one-time password for one login, which continues the session of the change.
async function useOneTimePassword(call: OperationCall, asked: LoginScope, id: string): Promise<OneTimeLogin> {
  const scope = tenantScope(asked.tenant.id);
  const found = await findId({ ...call, scope }, "oneTimePassword", id);
  if (found === undefined) throw generalError("notFound");
  const user = await call.write(async (write) => {
    await useId(write, found);
    const stored = await write.reader.retrieve(scope, usersTable, found.userId ?? "");
    if (stored === undefined || !parseRecord<User>(stored).active) throw generalError("notFound");
    return stored;
  });
  const { session } = found.details;
  const before = asked.application ?? (await findLoginScope(call, asked.tenant.id, session?.applicationId)).application;
  return { place: { tenant: asked.tenant, application: before?.active ? before : undefined }, session, user };
}

// Unknown users cost the same work as known ones, so that neither response nor time reveals which users exist.
async function proveUser(call: OperationCall, place: LoginScope, request: ParsedLoginRequest): Promise<StoredRecord> {
  const { tenant } = place;
  const { applicationId, loginId = "", loginIdTypes, password = "" } = request;
  const limited = { name: "failedLogin", subject: { loginId, loginIdTypes } } as const;
  await limitInTenant(call, tenant, limited);
  const user = await findUserByLoginId(call, tenant.id, { loginId, loginIdTypes });
  const subject = { kind: "login", id: user?.id ?? limitSubjectOf(limited.subject) } as const;
  const proven = await checkPassword(call, { place, loginId, password, user }, subject);
  const takesAction = accountSettingsOf(tenant).failedAuthenticationConfiguration.userActionId !== undefined;
  const isActive = user !== undefined && parseRecord<User>(user).active;
  const attempted = { tenant, subject: subject.id, user: isActive ? user : undefined };
  if (proven !== undefined) {
    await resetRate(call, tenant, limited);
    if (takesAction) await resetFailedLogins(call, attempted);
    return proven;
  }
  const failed = { tenantId: tenant.id, applicationId, authenticationType: "PASSWORD", user };
  await recordLoginFailure(call, { ...failed, reason: { code: "credentials" } });
  if (takesAction) await countFailedLogin(call, attempted);
  throw generalError("invalidCredentials");
}

/**
 * The user of a correct password, checked by this service unless a policy of the tenant names a connector; undefined for a wrong
 * one.
 */
async function checkPassword(
  call: OperationCall,
  login: PasswordLogin,
  subject: AttemptSubject,
): Promise<StoredRecord | undefined> {
  const check = hasBuiltInOnly(login.place.tenant) ? checkStored : checkByPolicies;
  const hasFailed = ({ kind }: CheckedLogin): boolean | undefined => (kind === "unavailable" ? undefined : kind === "wrong");
  const checked = await throttled(call, subject, () => check(call, login), hasFailed);
  if (checked.kind !== "stored") return findCheckedUser(call, login, checked);
  const hash = parseHidden<{ readonly passwordHash?: string }>(checked.user)?.passwordHash;
  const isReplaced = hash !== undefined && call.service.accounts.passwords.isReplaceable(hash, login.password);
  return isReplaced ? rehashPassword(call, checked.user, login.password) : checked.user;
}

/**
 * PUT of a login: counts a login of a user whom the caller authenticated, and issues no tokens.
 * @throws IdentityError 404 for an unknown or inactive user; 410 past the user's expiry.
 */
async function ping(given: OperationCall): Promise<OperationResult> {
  const call = { ...given, params: withBodyParameters(["applicationId", "userId"], given.params, given.body) };
  const user = await call.reader.retrieve(call.scope, usersTable, requireId(call, "userId"));
  if (user === undefined || !parseRecord<User>(user).active) throw generalError("notFound");
  const within = { ...call, scope: tenantScope(user.tenantId ?? "") };
  const application = await findActiveApplication(within, optionalId(call, "applicationId"));
  await assertUsableLogin(call, { applicationId: application?.id, user });
  return openSession(call, { user, applicationId: application?.id, authenticationType: "PING", noJwt: true });
}

/**
 * POST of a logout: revokes the presented refresh token, or all of its user, and clears the cookies. Without a token, only clears
 * the cookies.
 */
async function logOut(call: OperationCall): Promise<OperationResult> {
  const request = await parseWith(logoutRequest, call.body);
  const isGlobal = request.global || call.params.global === "true";
  const token = await findTokenToEnd(call, request.refreshToken ?? call.params.refreshToken);
  if (token !== undefined) await call.write((write) => endSession(write, token, isGlobal));
  return { ...emptyResult, headers: { "set-cookie": clearedCookies(call.service.cookies) } };
}

async function endSession(call: WriteCall, token: RefreshToken, isGlobal: boolean): Promise<void> {
  const { applicationId, id, tenantId, userId } = token;
  const user = await findPresentedUser(call, userId);
  const all = { tenantId, filter: equalsFilter("userId", userId), fields: { user, userId } };
  const one = { tenantId, filter: equalsFilter("id", id), fields: { applicationId, refreshToken: token, user, userId } };
  await revokeTokens(call, isGlobal ? all : one);
  if (isGlobal) await endSessions(call, { id: userId, tenantId });
}

/** The operations of this family. */
export const operations: FamilyRulesModule["operations"] = {
  login: logIn,
  ping,
  logout: logOut,
  forgotPassword: async (call) => forgotPassword(call),
  checkPasswordChange: async (call) => checkPasswordChange(call),
  changePassword: async (call) => changePassword(call),
};
