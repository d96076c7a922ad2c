import { fieldError, generalError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseRecord } from "../../operations/family/family.js";
import type { FamilyRulesModule } from "../../operations/family/family-row.js";
import { emptyResult, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { hasExternalPassword } from "../../people/passwords/policies.js";
import { assertSent, type UnsentReason } from "../../people/verification/flow-mail.js";
import { messageTypeOf, queueFlowMessage, runWithoutUser } from "../../people/verification/flow-message.js";
import { type StoredRecord, tenantScope } from "../../ports/storage.js";
import type { PasswordlessSendRequest, PasswordlessStartRequest } from "../../records/passwordless/schema.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import { applicationSettingsOf } from "../../records/settings/application-settings.js";
import { usersTable } from "../../records/users/family.js";
import type { User } from "../../records/users/schema.js";
import type { VerifiedType } from "../../records/verifications/schema.js";
import {
  type FlowData,
  findId,
  findIdWithCode,
  type IssuedId,
  issueId,
  useId,
} from "../../sessions/one-time-ids/one-time-ids.js";
import { findFlowScope, findUserByLoginId, type LoginIdInput } from "../../sessions/subjects/flow-call.js";
import { findLoginScope, type LoginScope } from "../../sessions/subjects/token-subject.js";
import { isTrustedCaller } from "../../sessions/subjects/trusted-caller.js";
import { limitRate, limitStarts } from "../../sessions/throttle/rate-limits.js";
import { finishLogin } from "../factors/finish-login.js";
import { stateOf } from "../factors/user-factor.js";
import { recordMessage, verifyByMessage } from "../flows/verified.js";
import { assertReal, assertUsableLogin } from "../steps/assert-usable-login.js";

const startRequest = lazySchema("logins", "passwordlessStartRequest");
const sendRequest = lazySchema("logins", "passwordlessSendRequest");
const loginRequest = lazySchema("logins", "passwordlessLoginRequest");

/**
 * POST: starts a login without a password; sends nothing.
 * @throws IdentityError 400 `[disabled]applicationId` when the application does not allow it; 404 for an unknown user.
 */
async function start(call: OperationCall): Promise<OperationResult> {
  const request = await parseWith(startRequest, call.body);
  await limitStarts(call);
  const place = await findEnabledPlace(call, request.applicationId);
  const user = await findActiveUser(call, place, request);
  if (user === undefined) throw generalError("notFound");
  const asked = { ...request, type: messageTypeOf(request, user), user };
  const { id: code, oneTimeCode } = await call.write((write) => issue(write, place, asked));
  return { status: 200, json: toCanonicalJson({ code, oneTimeCode }) };
}

async function findEnabledPlace(call: OperationCall, applicationId: string): Promise<LoginScope> {
  const place = await findFlowScope(call, applicationId);
  if (!applicationSettingsOf(place.application).passwordlessConfiguration.enabled) throw fieldError("disabled", "applicationId");
  return place;
}

async function findActiveUser(call: OperationCall, { tenant }: LoginScope, who: LoginIdInput): Promise<StoredRecord | undefined> {
  const user = await findUserByLoginId(call, tenant.id, who);
  return user !== undefined && canLogIn(parseRecord<User>(user)) ? user : undefined;
}

// A connector decides whether its user may still log in, and only checks passwords.
function canLogIn(user: User): boolean {
  return user.active && !hasExternalPassword(user);
}

/** A login to start, its user, and the login id for its message. */
type NewLogin = Pick<PasswordlessStartRequest, "loginStrategy" | "state"> &
  FlowData & { readonly type: VerifiedType; readonly user: StoredRecord };

function issue(
  call: WriteCall,
  { application, tenant }: LoginScope,
  { isMailed, loginStrategy, state, type, user }: NewLogin,
): Promise<IssuedId> {
  const { emailLoginStrategy, phoneLoginStrategy } = applicationSettingsOf(application).passwordlessConfiguration;
  const strategy = loginStrategy ?? (type === "email" ? emailLoginStrategy : phoneLoginStrategy);
  const owner = { applicationId: application?.id, userId: user.id };
  const details = { isMailed, loginId: parseRecord<User>(user)[type], loginIdType: type, state };
  return issueId(call, tenant, { purpose: "passwordless", ...owner, details, hasCode: strategy === "FormField" });
}

/**
 * POST: sends the mail with the link or the code of a started login. Without a `code`, starts the login of a `loginId` and sends
 * its mail; a caller without a key gets the same empty response for known and unknown users.
 * @throws IdentityError 400; 404 for an unknown code; 429. With a key also 403 without a template, 422 for a user without an
 * address.
 */
async function send(call: OperationCall): Promise<OperationResult> {
  const request = await parseWith(sendRequest, call.body);
  await (request.code === undefined ? startAndSend(call, request) : sendStarted(call, request.code));
  return emptyResult;
}

async function sendStarted(call: OperationCall, code: string): Promise<void> {
  const started = await findId(call, "passwordless", code);
  if (started?.userId === undefined) throw generalError("notFound");
  const { applicationId, details, oneTimeCode, tenantId, userId } = started;
  const place = await findLoginScope(call, tenantId, applicationId);
  const type = details.loginIdType === "phoneNumber" ? "phoneNumber" : "email";
  await limitRate(call, place.tenant, { name: limitOf(type), subject: { userId } });
  await call.write(async (write) => {
    const user = await loadActive(write, tenantId, userId);
    const unsent = await sendMessage(write, place, { id: code, oneTimeCode, state: details.state, type, user });
    if (unsent === undefined) await recordMessage(write, { id: code, purpose: "passwordless", tenantId });
    if (isTrustedCaller(call)) assertSent(unsent);
  });
}

async function startAndSend(call: OperationCall, request: PasswordlessSendRequest): Promise<void> {
  const { applicationId, loginId, loginIdTypes, state } = request;
  if (loginId === undefined) throw fieldError("blank", "code");
  if (applicationId === undefined) throw fieldError("missing", "applicationId");
  const place = await findEnabledPlace(call, applicationId);
  const who = { loginId, loginIdTypes };
  await limitRate(call, place.tenant, { name: limitOf(messageTypeOf(who, undefined)), subject: who });
  const user = await findActiveUser(call, place, who);
  await call.write(async (write) => {
    if (user === undefined) {
      await runWithoutUser(write, place, { ...who, name: "passwordless" });
      return;
    }
    const type = messageTypeOf(who, user);
    const issued = await issue(write, place, { ...request, isMailed: true, type, user });
    const unsent = await sendMessage(write, place, { ...issued, state, type, user });
    if (isTrustedCaller(call)) assertSent(unsent);
  });
}

function limitOf(type: VerifiedType): "sendPasswordless" | "sendPasswordlessPhone" {
  return type === "email" ? "sendPasswordless" : "sendPasswordlessPhone";
}

function sendMessage(
  call: WriteCall,
  place: LoginScope,
  { id: code, oneTimeCode, state, type, user }: IssuedId & Pick<NewLogin, "state" | "type" | "user">,
): Promise<UnsentReason | undefined> {
  const variables = { code, oneTimeCode, state };
  return queueFlowMessage(call, { name: "passwordless", code: oneTimeCode, place, type, user, variables });
}

/**
 * POST: finishes a login without a password; responds like any login.
 * @throws IdentityError 404 for a code that is unknown, used or expired, and for a wrong one-time code, alike.
 */
async function login(call: OperationCall): Promise<OperationResult> {
  assertReal(call);
  const { code, metaData, noJWT, oneTimeCode, twoFactorTrustId } = await parseWith(loginRequest, call.body);
  const started = await findIdWithCode(call, "passwordless", { id: code, oneTimeCode });
  const { applicationId = "", tenantId, userId = "" } = started;
  const place = await findEnabledPlace({ ...call, scope: tenantScope(tenantId) }, applicationId);
  const user = await call.write(async (write) => {
    await useId(write, started);
    const found = await loadActive(write, tenantId, userId);
    // The second factor is still open: access to the mail alone must not remove the owner's password.
    if (stateOf(found).methods.length > 0) return found;
    await verifyByMessage(write, place, { ...started, ends: { password: true } });
    return loadActive(write, tenantId, userId);
  });
  await assertUsableLogin(call, { applicationId, user });
  const session = { user, applicationId, authenticationType: "PASSWORDLESS", noJwt: noJWT, metaData, twoFactorTrustId };
  return finishLogin(call, session, place);
}

async function loadActive(call: WriteCall, tenantId: string, userId: string): Promise<StoredRecord> {
  const user = await call.reader.retrieve(tenantScope(tenantId), usersTable, userId);
  if (user === undefined || !canLogIn(parseRecord<User>(user))) throw generalError("notFound");
  return user;
}

/** The operations of this family. */
export const operations: FamilyRulesModule["operations"] = { start, send, login };
