import { requireSmsSender, sendAtOnce } from "../../delivery/sms/find-sender.js";
import { fieldError, generalError } from "../../errors/identity-error.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import type { SendSms, SmsMessage } from "../../ports/event-transport.js";
import type { StoredRecord } from "../../ports/storage.js";
import type { User } from "../../resources/users/schema.js";
import { isTrustedCaller } from "../flows/flow-call.js";
import { limitInTenant } from "../throttle/rate-limits.js";
import { loadTenant } from "../tokens/sign-token.js";
import { codeOfStep, stepAt } from "./totp.js";
import { loadUser, openKey, saveTwoFactorState, stateOf } from "./user-factor.js";

/** So many text messages in so long a time are sent to one user who asks for them. */
const maxMessages = 5;
const messageWindowMs = 15 * 60_000;

/** A code and whom it is for. */
type CodeMessage = Omit<SmsMessage, "code" | "id" | "text"> & { readonly code: string };

/** The number of a user's mobile phone. @throws IdentityError 400 `[blank]user.mobilePhone`. */
export function mobilePhoneOf(user: StoredRecord): string {
  const { mobilePhone = "" } = parseRecord<User>(user);
  if (mobilePhone === "") throw fieldError("blank", "user.mobilePhone");
  return mobilePhone;
}

/** Sends a user the code of a method, or of a key that was offered: that of the first step whose code can still be used. */
export async function sendCodeTo(
  call: OperationCall,
  user: StoredRecord,
  method: { readonly key: string; readonly lastStep: number },
): Promise<void> {
  const send = await requireSmsSender(call);
  const to = mobilePhoneOf(user);
  const tenant = await loadTenant(call, user.tenantId ?? "");
  await limitInTenant(call, tenant, { name: "sendTwoFactor", subject: user.id });
  // Holders of keys, and the host, are responsible for what they send. Any other caller could flood a phone, or drain an SMS budget.
  if (!isTrustedCaller(call)) await countMessage(call, user.id);
  const step = Math.max(stepAt(call.service.runtime.clock()), method.lastStep + 1);
  const code = await codeOfStep(openKey(call, user.id, method.key), step);
  await sendCode(call, send, { to, code, tenantId: user.tenantId ?? undefined, userId: user.id });
}

async function countMessage(call: OperationCall, userId: string): Promise<void> {
  const now = call.service.runtime.clock();
  await call.write(async (write) => {
    const user = await loadUser(write, userId);
    const state = stateOf(user);
    const { sent = { count: 0, since: now } } = state;
    const { count, since } = sent.since + messageWindowMs <= now ? { count: 0, since: now } : sent;
    if (count >= maxMessages) throw generalError("tooManyMessages");
    await saveTwoFactorState(write, user, { ...state, sent: { count: count + 1, since } });
  });
}

/** Sends a code, unless the call is a dry run. @throws IdentityError 503 `[smsFailed]` when the message was not taken. */
export function sendCode(call: OperationCall, send: SendSms, message: CodeMessage): Promise<void> {
  const text = `Your verification code is ${message.code}`;
  return sendAtOnce(call, send, { ...message, id: call.service.runtime.newId(), text });
}
