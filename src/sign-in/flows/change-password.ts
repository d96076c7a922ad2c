import { fieldError, generalError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { CanonicalText, toCanonicalJson } from "../../json/canonical-json.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import { emptyResult, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { publishEvent } from "../../operations/outbox/publish-event.js";
import { resolveTenant } from "../../operations/references/references.js";
import { type PasswordToStore, preparePassword } from "../../people/passwords/password-rules.js";
import { hasExternalPassword } from "../../people/passwords/policies.js";
import { presentUser } from "../../people/relations/present-user.js";
import { cancelFailedLoginActions } from "../../people/user-action-logs/failed-login-actions.js";
import { type HiddenUser, changePassword as storePassword } from "../../people/users/rules.js";
import { globalScope, type StoredRecord, tenantScope } from "../../ports/storage.js";
import type { ChangePasswordRequest } from "../../records/logins/schema.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import { accountSettingsOf } from "../../records/settings/tenant-settings.js";
import { usersTable } from "../../records/users/family.js";
import type { User } from "../../records/users/schema.js";
import { type FlowData, findId, issueId, type OneTimeId, useId } from "../../sessions/one-time-ids/one-time-ids.js";
import { findUserByLoginId } from "../../sessions/subjects/flow-call.js";
import { findPresented } from "../../sessions/subjects/presented-token.js";
import { findLoginScope, type LoginScope } from "../../sessions/subjects/token-subject.js";
import { isTrustedCaller } from "../../sessions/subjects/trusted-caller.js";
import { throttled } from "../../sessions/throttle/throttle.js";
import { stateOf } from "../factors/user-factor.js";
import { assertReal } from "../steps/assert-usable-login.js";
import { verifyByMessage } from "./verified.js";

const changePasswordRequest = lazySchema("logins", "changePasswordRequest");

/**
 * GET: whether a password can be changed by an id, by the calling user, or, for a caller with a key, by a login id.
 * @throws IdentityError 400 `[TrustTokenRequired]` for a user with a second factor, `[externalPassword]` for a user of a
 * connector; 404 for an unknown id or user.
 */
export async function checkPasswordChange(call: OperationCall): Promise<OperationResult> {
  const { changePasswordId: id, loginId } = call.params;
  const { right, user } =
    id === undefined ? { right: undefined, user: await findCheckedUser(call, loginId) } : await findPasswordChange(call, id);
  assertStoredPassword(user);
  if (stateOf(user).methods.length > 0 && !right?.details.isTrusted) throw generalError("TrustTokenRequired");
  return emptyResult;
}

// A connector's system would not learn of the change.
function assertStoredPassword(user: StoredRecord): void {
  if (hasExternalPassword(parseRecord<User>(user))) throw generalError("externalPassword");
}

async function findCheckedUser(call: OperationCall, loginId: string | undefined): Promise<StoredRecord> {
  if (call.principal?.kind === "user") return loadOwn(call, call.principal.userId);
  if (!isTrustedCaller(call)) throw fieldError("missing", "changePasswordId");
  return findByLoginId(call, { loginId });
}

async function loadOwn(call: OperationCall, userId: string): Promise<StoredRecord> {
  const user = await call.reader.retrieve(call.scope, usersTable, userId);
  if (user === undefined || !parseRecord<User>(user).active) throw generalError("notFound");
  return user;
}

/**
 * POST: changes a password by an id that a flow issued, by the user's own token and current password, or by a key and a login id.
 * @throws IdentityError 400 for a password that breaks the tenant's rules, which leaves the id usable, `[TrustTokenRequired]`,
 * and `[externalPassword]` for a user of a connector; 404 for an unknown id or user, and for a wrong current password.
 */
export async function changePassword(call: OperationCall): Promise<OperationResult> {
  assertReal(call);
  const request = await parseWith(changePasswordRequest, call.body);
  const id = request.changePasswordId ?? call.params.changePasswordId;
  if (id !== undefined) return changeById(call, id, request);
  const { principal } = call;
  return principal?.kind === "user" ? changeOwn(call, principal.userId, request) : changeForTrusted(call, request);
}

async function changeById(call: OperationCall, id: string, request: ChangePasswordRequest): Promise<OperationResult> {
  const { right, user } = await findPasswordChange(call, id);
  await assertTrusted(call, user, { ...request, isTrusted: right.details.isTrusted });
  const chosen = await prepare(call, user, { ...request, isOwn: true });
  return call.write(async (write) => {
    const fresh = await findPasswordChange(write, id);
    await useId(write, fresh.right);
    await assertTrusted(write, fresh.user, { ...request, isTrusted: right.details.isTrusted });
    await useTrustToken(write, user, request);
    const place = await findLoginScope(write, right.tenantId, right.applicationId);
    await store(write, place, { user: fresh.user, chosen, right });
    return answer(write, place, { ...right.details, userId: user.id });
  });
}

async function prepare(
  call: OperationCall,
  stored: StoredRecord,
  { isOwn, password }: Pick<ChangePasswordRequest, "password"> & Pick<Change, "isOwn">,
): Promise<PasswordToStore> {
  assertStoredPassword(stored);
  return preparePassword(call, { password, isOwn, stored, path: "password", user: parseRecord<User>(stored) });
}

async function changeOwn(call: OperationCall, userId: string, request: ChangePasswordRequest): Promise<OperationResult> {
  const user = await loadOwn(call, userId);
  if (request.currentPassword === undefined) throw fieldError("blank", "currentPassword");
  assertStoredPassword(user);
  if (!(await isCurrent(call, user, request.currentPassword))) throw generalError("notFound");
  await assertTrusted(call, user, { ...request, isTrusted: false });
  const session = await findSession(call, userId, request.refreshToken);
  return changeTo(call, user, { ...request, isOwn: true, session });
}

// An ended session, or another user's, is not continued.
async function findSession(call: OperationCall, userId: string, value: string | undefined): Promise<FlowData["session"]> {
  const presented = value === undefined || value === "" ? undefined : await findPresented(call, value);
  if (presented?.token.userId !== userId) return undefined;
  const { applicationId, metaData } = presented.token;
  return { applicationId, metaData };
}

async function changeForTrusted(call: OperationCall, request: ChangePasswordRequest): Promise<OperationResult> {
  if (!isTrustedCaller(call)) throw fieldError("missing", "changePasswordId");
  const user = await findByLoginId(call, request);
  const { currentPassword } = request;
  if (currentPassword !== undefined && !(await isCurrent(call, user, currentPassword)))
    throw fieldError("invalid", "currentPassword");
  await changeTo(call, user, { ...request, isOwn: false });
  return emptyResult;
}

async function findByLoginId(
  call: OperationCall,
  { loginId, loginIdTypes }: Partial<Pick<ChangePasswordRequest, "loginId" | "loginIdTypes">>,
): Promise<StoredRecord> {
  if (loginId === undefined || loginId === "") throw fieldError("missing", "loginId");
  const user = await findUserByLoginId(call, await resolveTenant(call), { loginId, loginIdTypes });
  if (user === undefined) throw generalError("notFound");
  return user;
}

async function isCurrent(call: OperationCall, user: StoredRecord, currentPassword: string): Promise<boolean> {
  const hash = parseHidden<HiddenUser>(user)?.passwordHash;
  const attempt = (): Promise<boolean> => call.service.accounts.passwords.verify(currentPassword, hash);
  return throttled(call, { kind: "login", id: user.id }, attempt, (isRight) => !isRight);
}

interface Change extends ChangePasswordRequest {
  readonly isOwn: boolean;
  readonly session?: FlowData["session"];
}

async function changeTo(call: OperationCall, user: StoredRecord, request: Change): Promise<OperationResult> {
  const chosen = await prepare(call, user, request);
  return call.write(async (write) => {
    const fresh = await loadSame(write, user);
    await useTrustToken(write, user, request);
    const place = await findLoginScope(write, user.tenantId ?? "", request.applicationId);
    await store(write, place, { user: fresh, chosen });
    return answer(write, place, { session: request.session, userId: user.id });
  });
}

// The password may have changed since its proof.
async function loadSame(call: WriteCall, proven: StoredRecord): Promise<StoredRecord> {
  const fresh = await call.reader.retrieve(tenantScope(proven.tenantId ?? ""), usersTable, proven.id);
  if (fresh === undefined || fresh.hidden !== proven.hidden || !parseRecord<User>(fresh).active) throw generalError("notFound");
  return fresh;
}

type Trust = Pick<ChangePasswordRequest, "trustChallenge" | "trustToken"> & Pick<FlowData, "isTrusted">;

// A user with a second factor must show it first; the response to it contains a trust token.
async function assertTrusted(call: OperationCall, user: StoredRecord, trust: Trust): Promise<void> {
  if (stateOf(user).methods.length === 0 || trust.isTrusted) return;
  const { trustChallenge, trustToken } = trust;
  if (trustToken === undefined) throw generalError("TrustTokenRequired");
  const token = await findId(call, "trustToken", trustToken);
  if (token?.userId !== user.id || token.details.trustChallenge !== trustChallenge) throw fieldError("invalid", "trustToken");
}

async function useTrustToken(call: WriteCall, user: StoredRecord, { trustToken }: Trust): Promise<void> {
  const token = trustToken === undefined ? undefined : await findId(call, "trustToken", trustToken);
  if (token?.userId === user.id) await useId(call, token);
}

interface NewPassword {
  readonly user: StoredRecord;
  readonly chosen: PasswordToStore;
  /** The id that permits the change; undefined when the user or an administrator makes it. */
  readonly right?: OneTimeId;
}

/** Stores the password, publishes the events and sends the mails. An id from a mail also verifies the address. */
async function store(call: WriteCall, place: LoginScope, { chosen, right, user }: NewPassword): Promise<void> {
  const isReset = right?.details.isReset === true;
  await storePassword(call, user, chosen, isReset ? "passwordResetSuccessEmailTemplateId" : undefined);
  if (right !== undefined) await verifyByMessage(call, place, { ...right, ends: { password: false } });
  const { failedAuthenticationConfiguration: failures } = accountSettingsOf(place.tenant);
  if (isReset && failures.userActionId !== undefined) await cancelFailedLoginActions(call, failures, user);
  const changed = isReset ? await call.reader.retrieve(globalScope, usersTable, user.id) : undefined;
  if (changed === undefined) return;
  const fields = { user: new CanonicalText(await presentUser(call, changed)) };
  const event = { type: "user.password.reset.success", tenantId: place.tenant.id, linkedObjectId: user.id };
  await publishEvent(call, { ...event, fields });
}

// A one-time password for a login to the application of the change.
async function answer(
  call: WriteCall,
  { tenant }: LoginScope,
  { session, state, userId }: FlowData & { readonly userId: string },
): Promise<OperationResult> {
  const { id: oneTimePassword } = await issueId(call, tenant, { purpose: "oneTimePassword", userId, details: { session } });
  return { status: 200, json: toCanonicalJson({ oneTimePassword, state }) };
}

interface PasswordChange {
  readonly right: OneTimeId;
  readonly user: StoredRecord;
}

/**
 * Finds an id that permits a password change. @throws IdentityError 404 for an id that is unknown, used or expired, and for an
 * inactive user.
 */
async function findPasswordChange(call: OperationCall, changePasswordId: string): Promise<PasswordChange> {
  const right =
    (await findId(call, "changePassword", changePasswordId)) ?? (await findId(call, "setupPassword", changePasswordId));
  const user = right?.userId && (await call.reader.retrieve(tenantScope(right.tenantId), usersTable, right.userId));
  if (right === undefined || !user || !parseRecord<User>(user).active) throw generalError("notFound");
  return { right, user };
}
