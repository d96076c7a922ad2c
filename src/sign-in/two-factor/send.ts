import { fieldError, generalError } from "../../errors/identity-error.js";
import { isMailAddress } from "../../http/schema/mail-address.js";
import { isPhone } from "../../http/schema/phone-number.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { parseRecord } from "../../operations/family/family.js";
import { emptyResult, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { assertSent, queueFlowMail, type UnsentReason } from "../../people/verification/flow-mail.js";
import { secondFactorRequirement } from "../../people/verification/flow-requirements.js";
import { queueFlowText } from "../../people/verification/flow-text.js";
import type { StoredRecord } from "../../ports/storage.js";
import type { FactorKind, TwoFactorMethodState } from "../../records/factors/two-factor-state.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import type { SendCodeRequest } from "../../records/two-factor/schema.js";
import type { User } from "../../records/users/schema.js";
import { findUserScope } from "../../sessions/subjects/flow-call.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";
import { limitRate } from "../../sessions/throttle/rate-limits.js";
import { enabledKinds } from "../factors/check-factor.js";
import { addCode, type CodePurpose, createCode } from "../factors/one-time-codes.js";
import { loadUser, saveTwoFactorState, stateOf } from "../factors/user-factor.js";
import { loadPendingLogin } from "../steps/pending-logins.js";
import { defaultTextOf, sendCodeTo, sendLegacyCode } from "./legacy-send.js";

const sendRequest = lazySchema("logins", "sendCodeRequest");
const sendPendingRequest = lazySchema("logins", "sendPendingCodeRequest");

/**
 * POST: sends a code to a user's method to remove, or to an address or number to add as one.
 * @throws IdentityError 400; 403, 422 for a mail that cannot be made; 429.
 */
export async function sendVerificationCode(call: OperationCall): Promise<OperationResult> {
  const request = await parseWith(sendRequest, call.body);
  if (call.service.availability.behaves("legacyTwoFactor")) return sendLegacyCode(call, request);
  const userId = call.principal?.kind === "user" ? call.principal.userId : request.userId;
  if (userId === undefined) throw fieldError("missing", "userId");
  const user = await loadUser(call, userId).catch(() => undefined);
  if (user === undefined) throw fieldError("invalid", "userId");
  const place = await findUserScope(call, user, request.applicationId);
  if (request.methodId !== undefined) {
    const { id: methodId, ...method } = findMethod(user, request.methodId);
    await sendNewCode(call, { userId, place, method, methodId, purpose: { kind: "removal", methodId } });
    return emptyResult;
  }
  if (request.method === undefined) throw fieldError("missing", "method");
  const { method } = request;
  const target = findTarget(place, { ...request, method });
  const purpose = { kind: "method", method, to: target.email ?? target.mobilePhone ?? "" } as const;
  await sendNewCode(call, { userId, place, method: { ...target, method }, purpose });
  return emptyResult;
}

/**
 * The address or number for codes of a new method. @throws IdentityError 400 for a kind that the tenant does not allow, and
 * without an address or number.
 */
export function findTarget(
  place: LoginScope,
  { email = "", method, mobilePhone = "" }: Pick<SendCodeRequest, "email" | "mobilePhone"> & { readonly method: FactorKind },
): Pick<TwoFactorMethodState, "email" | "mobilePhone"> {
  if (!enabledKinds(place).includes(method)) throw fieldError("disabled", "method");
  if (method === "authenticator") return {};
  const [path, to] = method === "email" ? (["email", email.trim()] as const) : (["mobilePhone", mobilePhone.trim()] as const);
  if (to === "") throw fieldError("blank", path);
  if (path === "email" && !isMailAddress(to)) throw fieldError("notEmail", path);
  if (path === "mobilePhone" && !isPhone(to)) throw fieldError("invalid", path);
  return { [path]: to };
}

/**
 * POST: sends the code of a pending login.
 * @throws IdentityError 404 for an unknown `twoFactorId`; 400; 403, 422 for a mail that cannot be made; 429; before 1.26.0 also
 * 503 `[smsFailed]`.
 */
export async function sendPendingCode(call: OperationCall): Promise<OperationResult> {
  const login = await loadPendingLogin(call, call.params.twoFactorId ?? "");
  const user = await loadUser(call, login.userId);
  if (call.service.availability.behaves("legacyTwoFactor")) {
    const [method] = stateOf(user).methods;
    if (method === undefined) throw generalError("notFound");
    await sendCodeTo(call, user, method);
    return emptyResult;
  }
  const { methodId } = await parseWith(sendPendingRequest, call.body);
  if (methodId === undefined) throw fieldError("missing", "methodId");
  const method = findMethod(user, methodId);
  const place = await findUserScope(call, user, login.applicationId);
  await sendNewCode(call, { userId: user.id, place, method, methodId, purpose: { kind: "login", recordId: login.id } });
  return emptyResult;
}

function findMethod(user: StoredRecord, methodId: string): TwoFactorMethodState {
  const method = stateOf(user).methods.find(({ id }) => id === methodId);
  if (method === undefined) throw fieldError("invalid", "methodId");
  if (method.method === "authenticator") throw fieldError("cannotSend", "methodId");
  return method;
}

interface CodeToSend {
  readonly userId: string;
  readonly place: LoginScope;
  readonly method: Pick<TwoFactorMethodState, "email" | "method" | "mobilePhone">;
  /** The id of an existing method. */
  readonly methodId?: string | undefined;
  readonly purpose: CodePurpose;
}

/**
 * Creates a code, stores its digest and queues its mail or text message, which is sent after the commit.
 * @throws IdentityError 429 beyond the limits; 403, 422 without a template or an address; 400 without a way to send text
 * messages.
 */
async function sendNewCode(call: OperationCall, { method, methodId, place, purpose, userId }: CodeToSend): Promise<void> {
  await limitRate(call, place.tenant, { name: "sendTwoFactor", subject: { userId } });
  const code = createCode(call, place.tenant);
  await call.write(async (write) => {
    const user = await loadUser(write, userId);
    await saveTwoFactorState(write, user, addCode(write, user, { code, methodId, purpose, tenant: place.tenant }));
    const unsent = await queueCode(write, place, { code, method, user });
    if (unsent === "noMessenger") throw fieldError("notConfigured", "tenant.multiFactorConfiguration.sms.messengerId");
    assertSent(unsent);
  });
}

// The template of the application takes precedence over the tenant's.
function queueCode(
  call: WriteCall,
  place: LoginScope,
  { code, method, user }: Pick<CodeToSend, "method"> & { readonly code: string; readonly user: StoredRecord },
): Promise<UnsentReason | undefined> {
  if (method.method === "email")
    return queueFlowMail(call, {
      requirement: secondFactorRequirement(place, "email"),
      place,
      user,
      to: method.email,
      variables: { code },
    });
  const to = method.mobilePhone ?? parseRecord<User>(user).mobilePhone;
  const defaultText = defaultTextOf(code);
  return queueFlowText(call, { requirement: secondFactorRequirement(place, "sms"), place, user, to, code, defaultText });
}
