import { assertUsableLogin } from "../../accounts/login/assert-usable-login.js";
import { findPresentedUser, recordLoginFailure } from "../../accounts/login/record-login.js";
import { assertReal, openSession, startSession } from "../../accounts/login/start-session.js";
import { completePasswordChange } from "../../accounts/passwords/new-password.js";
import { revokeTokens } from "../../accounts/sessions/revoke-tokens.js";
import { throttled } from "../../accounts/throttle/throttle.js";
import { findPresented } from "../../accounts/tokens/presented-token.js";
import { loadTenant } from "../../accounts/tokens/sign-token.js";
import { findSecondFactor } from "../../accounts/two-factor/second-factor.js";
import { fieldError, generalError } from "../../errors/identity-error.js";
import { clearedCookies } from "../../http/authenticate/cookies.js";
import { lazySchema, parseWith } from "../../http/schema/parse-with.js";
import { withBodyParameters } from "../../http/transport/read-parameters.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { FamilyRulesModule } from "../../operations/family/family-row.js";
import { optionalId, requireId } from "../../operations/family/record-steps.js";
import { emptyResult, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { resolveTenant } from "../../operations/references/references.js";
import { type Filter, type StoredRecord, tenantScope } from "../../ports/storage.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { verifyPassword } from "../../security/password.js";
import { valueAt } from "../../shared/objects.js";
import { foldText, parseUuid } from "../../shared/text.js";
import { applicationsTable } from "../applications/family.js";
import type { Application } from "../applications/schema.js";
import type { RefreshToken } from "../refresh-tokens/schema.js";
import { usersTable } from "../users/family.js";
import type { User } from "../users/schema.js";
import type { ParsedLoginRequest } from "./schema.js";

const loginRequest = lazySchema(() => import("./schema.js"), "loginRequest");
const logoutRequest = lazySchema(() => import("./schema.js"), "logoutRequest");
const changePasswordRequest = lazySchema(() => import("./schema.js"), "changePasswordRequest");

/**
 * POST of a login (docs/reference/tokens.md#login).
 * @throws IdentityError 401 for a caller without a credential where the application wants one; 404 for a wrong login id or password and for
 * an inactive user, all alike; 410 past the user's expiry; 400 with what a lambda has against the login.
 */
async function logIn(call: OperationCall): Promise<OperationResult> {
  if (call.principal === undefined) await assertOpenToAll(call);
  assertReal(call);
  const request = await parseWith(loginRequest, call.body);
  const application = await findApplication(call, request.applicationId);
  const tenantId = await resolveTenant(call, application && { tenantId: application.tenantId, path: "applicationId" });
  const user = await proveUser(call, tenantId, request);
  await assertUsableLogin(call, { applicationId: application?.id, user });
  const { metaData, noJWT } = request;
  const newSession = { user, applicationId: application?.id, authenticationType: "PASSWORD", noJwt: noJWT, metaData };
  const place = { tenant: await loadTenant(call, tenantId), application };
  return (await findSecondFactor(call, newSession, place)) ?? startSession(call, newSession, place);
}

// Checked before the rest of the request: an unauthorized caller learns nothing, not even the shape of a valid call.
async function assertOpenToAll(call: OperationCall): Promise<void> {
  const named = valueAt(call.body, "applicationId");
  const id = typeof named === "string" ? parseUuid(named) : undefined;
  const stored = id === undefined ? undefined : await call.reader.retrieve(call.scope, applicationsTable, id);
  const application = stored && parseRecord<Application>(stored);
  if (application?.active !== true || application.loginConfiguration.requireAuthentication) throw generalError("unauthorized");
}

async function findApplication(call: OperationCall, id: string | undefined): Promise<Application | undefined> {
  if (id === undefined) return undefined;
  const stored = await call.reader.retrieve(call.scope, applicationsTable, id);
  const application = stored && parseRecord<Application>(stored);
  if (application?.active !== true) throw fieldError("invalid", "applicationId");
  return application;
}

// An unknown user costs the same work as a known one, so that neither response nor time reveals which users exist.
async function proveUser(call: OperationCall, tenantId: string, request: ParsedLoginRequest): Promise<StoredRecord> {
  const user = await findUser(call, tenantId, request);
  const { password } = request;
  const hash = user && password !== undefined ? parseHidden<{ readonly passwordHash?: string }>(user)?.passwordHash : undefined;
  const isActive = user !== undefined && parseRecord<User>(user).active;
  const attempt = async (): Promise<boolean> => (await verifyPassword(password ?? "", hash)) && isActive;
  const subject = { kind: "login", id: user?.id ?? foldText(request.loginId.trim()) } as const;
  const isProven = await throttled(call, subject, attempt, (isRight) => !isRight);
  if (user !== undefined && isProven) return user;
  const { applicationId } = request;
  const reason = { code: "credentials" };
  await recordLoginFailure(call, { tenantId, applicationId, authenticationType: "PASSWORD", user, reason });
  throw generalError("notFound");
}

const columnOf: Readonly<Record<string, string>> = { email: "email", username: "usernameFolded" };

// One user's name may be another's address: the address counts.
async function findUser(call: OperationCall, tenantId: string, request: ParsedLoginRequest): Promise<StoredRecord | undefined> {
  const loginId = foldText(request.loginId.trim());
  const types = request.loginIdTypes ?? ["email", "username"];
  const filters: Filter[] = types.flatMap((type) => {
    const column = columnOf[type];
    return column === undefined ? [] : [equalsFilter(column, loginId)];
  });
  const found = await call.reader.find(tenantScope(tenantId), usersTable, { op: "or", filters }, { limit: 2 });
  return found.find((user) => foldText(parseRecord<User>(user).email ?? "") === loginId) ?? found[0];
}

/**
 * PUT of a login: counts a login of a user whom the caller knows already, and issues no tokens.
 * @throws IdentityError 404 when there is no such user or he is inactive; 410 past his expiry.
 */
async function ping(given: OperationCall): Promise<OperationResult> {
  const call = { ...given, params: withBodyParameters(["applicationId", "userId"], given.params, given.body) };
  const user = await call.reader.retrieve(call.scope, usersTable, requireId(call, "userId"));
  if (user === undefined || !parseRecord<User>(user).active) throw generalError("notFound");
  const within = { ...call, scope: tenantScope(user.tenantId ?? "") };
  const application = await findApplication(within, optionalId(call, "applicationId"));
  await assertUsableLogin(call, { applicationId: application?.id, user });
  return openSession(call, { user, applicationId: application?.id, authenticationType: "PING", noJwt: true });
}

/** POST of a new password, by an id that a login issued. @throws IdentityError 404 when the id is unknown, used or expired. */
async function changePassword(call: OperationCall): Promise<OperationResult> {
  assertReal(call);
  const { password } = await parseWith(changePasswordRequest, call.body);
  await completePasswordChange(call, call.params.changePasswordId ?? "", password);
  return { status: 200, json: "{}" };
}

/** POST of a logout: revokes the refresh token that is presented, or all of its user, and takes the cookies away; without one there is nothing to end. */
async function logOut(call: OperationCall): Promise<OperationResult> {
  const request = await parseWith(logoutRequest, call.body);
  const isGlobal = request.global || call.params.global === "true";
  const presented = await findPresented(call, request.refreshToken ?? call.params.refreshToken);
  if (presented !== undefined) await call.write((write) => endSession(write, presented.token, isGlobal));
  return { ...emptyResult, headers: { "set-cookie": clearedCookies(call.service.cookies) } };
}

async function endSession(call: WriteCall, token: RefreshToken, isGlobal: boolean): Promise<void> {
  const { applicationId, id, tenantId, userId } = token;
  const user = await findPresentedUser(call, userId);
  const all = { tenantId, filter: equalsFilter("userId", userId), fields: { user, userId } };
  const one = { tenantId, filter: equalsFilter("id", id), fields: { applicationId, refreshToken: token, user, userId } };
  await revokeTokens(call, isGlobal ? all : one);
}

/** The operations of its own. */
export const operations: FamilyRulesModule["operations"] = { login: logIn, ping, logout: logOut, changePassword };
