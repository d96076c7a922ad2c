import { FieldErrorList, fieldError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { requireSmsSender, sendAtOnce } from "../../messages/sms/find-sender.js";
import { parseRecord } from "../../operations/family/family.js";
import { emptyResult, type OperationCall } from "../../operations/operation.js";
import type { SendSms, SmsMessage } from "../../ports/event-transport.js";
import type { StoredRecord } from "../../ports/storage.js";
import { sealKey } from "../../records/factors/seal-factor.js";
import { codeOfStep, createSecret, secretBytes, stepAt } from "../../records/factors/totp.js";
import type { SendCodeRequest } from "../../records/two-factor/schema.js";
import type { User } from "../../records/users/schema.js";
import { limitRate } from "../../sessions/throttle/rate-limits.js";
import { loadTenant } from "../../sessions/tokens/sign-token.js";
import { loadUser, openKey, saveTwoFactorState, stateOf } from "../factors/user-factor.js";

type CodeMessage = Omit<SmsMessage, "code" | "id" | "text"> & { readonly code: string };

/** The number of a user's mobile phone. @throws IdentityError 400 `[blank]user.mobilePhone`. */
export function mobilePhoneOf(user: StoredRecord): string {
  const { mobilePhone = "" } = parseRecord<User>(user);
  if (mobilePhone === "") throw fieldError("blank", "user.mobilePhone");
  return mobilePhone;
}

/** Sends a user the code of a method or of an offered key: that of the first time step that is still unused. Before 1.26.0. */
export async function sendCodeTo(
  call: OperationCall,
  user: StoredRecord,
  method: { readonly key?: string | undefined; readonly lastStep: number },
): Promise<void> {
  const send = await requireSmsSender(call);
  const to = mobilePhoneOf(user);
  const tenant = await loadTenant(call, user.tenantId ?? "");
  await limitRate(call, tenant, { name: "sendTwoFactor", subject: { userId: user.id } });
  const step = Math.max(stepAt(call.service.runtime.clock()), method.lastStep + 1);
  const code = await codeOfStep(openKey(call, user.id, method.key ?? ""), step);
  await sendCode(call, send, { to, code, tenantId: user.tenantId ?? undefined, userId: user.id });
}

/** Sends a code, unless the call is a dry run. @throws IdentityError 503 `[smsFailed]` when the message was refused. */
function sendCode(call: OperationCall, send: SendSms, message: CodeMessage): Promise<void> {
  return sendAtOnce(call, send, { ...message, id: call.service.runtime.newId(), text: defaultTextOf(message.code) });
}

/** The default text of a code, without a template. */
export function defaultTextOf(code: string): string {
  return `Your verification code is ${code}`;
}

/**
 * Sends a code by text message: to a user, or to a number with the code of a secret. A calling user gets a code of the user's own
 * method. Before 1.26.0.
 * @throws IdentityError 400; 503 `[smsFailed]`.
 */
export async function sendLegacyCode(
  call: OperationCall,
  { mobilePhone = "", secret = "", userId }: SendCodeRequest,
): Promise<OperationResult> {
  if (call.principal?.kind === "user") return sendToUser(call, call.principal.userId, true);
  if (userId !== undefined) return sendToUser(call, userId, false);
  const errors = new FieldErrorList();
  if (mobilePhone === "" && secret === "") errors.add("missing", "userId");
  if (mobilePhone.trim() === "") errors.add("blank", "mobilePhone");
  if (secret === "") errors.add("blank", "secret");
  errors.throwIfAny();
  return sendToNumber(call, mobilePhone.trim(), Buffer.from(secret));
}

async function sendToNumber(call: OperationCall, to: string, key: Uint8Array): Promise<OperationResult> {
  if (key.length < secretBytes.min) throw fieldError("tooShort", "secret");
  if (key.length > secretBytes.max) throw fieldError("tooLong", "secret");
  const send = await requireSmsSender(call);
  const code = await codeOfStep(key, stepAt(call.service.runtime.clock()));
  await sendCode(call, send, { to, code });
  return emptyResult;
}

async function sendToUser(call: OperationCall, userId: string, isOfferedOne: boolean): Promise<OperationResult> {
  const user = await loadUser(call, userId).catch(() => undefined);
  if (user === undefined) throw fieldError("invalid", "userId");
  const [method] = stateOf(user).methods;
  const isOffered = isOfferedOne && call.service.availability.behaves("offeredTwoFactorSecret");
  if (method === undefined && !isOffered) throw fieldError("notConfigured", "userId");
  await sendCodeTo(call, user, method ?? (await offerKey(call, userId)));
  return emptyResult;
}

// Stores a key before the user enables codes: only the reader of the messages can prove possession of it.
async function offerKey(call: OperationCall, userId: string): Promise<{ readonly key: string; readonly lastStep: number }> {
  mobilePhoneOf(await loadUser(call, userId));
  await requireSmsSender(call);
  const { secret } = await createSecret(call.service.runtime.random);
  return call.write(async (write) => {
    const user = await loadUser(write, userId);
    const state = stateOf(user);
    const key = state.offeredKey ?? sealKey(call, userId, Buffer.from(secret));
    if (state.offeredKey === undefined) await saveTwoFactorState(write, user, { ...state, offeredKey: key });
    return { key, lastStep: -1 };
  });
}
