import { fieldError, generalError } from "../errors/identity-error.js";
import { parseRecord } from "../operations/family.js";
import type { OperationCall } from "../operations/operation.js";
import { createSmsSender, type SmsProvider } from "../outbound/sms-over-http.js";
import type { SendOutcome, SendSms, SmsMessage } from "../ports/event-transport.js";
import type { StoredRecord } from "../ports/storage.js";
import { loadIntegrations } from "../resources/integrations/rules.js";
import type { User } from "../resources/users/schema.js";
import { codeOfStep, stepAt } from "./totp.js";
import { keepState, loadUser, openKey, stateOf } from "./user-factor.js";

/** So many text messages in so long a time are sent to one user who asks for them. */
const maxMessages = 5;
const messageWindowMs = 15 * 60_000;

/**
 * How this service sends text messages: by the host's function, else over HTTP as the integration says.
 * @throws IdentityError 400 `[notConfigured]` when there is neither (facts.md 11).
 */
export async function findSmsSender(call: OperationCall): Promise<SendSms> {
  const { service } = call;
  if (service.sendSms !== undefined) return service.sendSms;
  const { enabled, accountSID, authToken, url, ...sender } = (await loadIntegrations(call.service, call.reader)).sms;
  if (!enabled || accountSID === undefined || authToken === undefined || url === undefined || !isKnown(call))
    throw fieldError("notConfigured", `integrations.${service.names.sms}`);
  const provider: SmsProvider = { ...sender, accountSID, authToken, url };
  return createSmsSender(service.http, provider);
}

function isKnown({ service }: OperationCall): boolean {
  return !service.availability.absentFields("integrations").some(([name]) => name === "sms");
}

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
  const send = await findSmsSender(call);
  const to = mobilePhoneOf(user);
  if (!isTrusted(call)) await countMessage(call, user.id);
  const step = Math.max(stepAt(call.service.runtime.clock()), method.lastStep + 1);
  const code = await codeOfStep(openKey(call, user.id, method.key), step);
  await sendCode(call, send, { to, code, tenantId: user.tenantId ?? undefined, userId: user.id });
}

// Holders of keys, and the host, answer for what they send. Whoever else asks could fill a phone with messages, or empty an account.
function isTrusted({ principal }: OperationCall): boolean {
  return principal !== undefined && principal.kind !== "user";
}

async function countMessage(call: OperationCall, userId: string): Promise<void> {
  const now = call.service.runtime.clock();
  await call.write(async (write) => {
    const user = await loadUser(write, userId);
    const state = stateOf(user);
    const { sent = { count: 0, since: now } } = state;
    const { count, since } = sent.since + messageWindowMs <= now ? { count: 0, since: now } : sent;
    if (count >= maxMessages) throw generalError("tooManyMessages");
    await keepState(write, user, { ...state, sent: { count: count + 1, since } });
  });
}

/** Sends a code, unless the call is a dry run. @throws IdentityError 503 `[smsFailed]` when the message was not taken. */
export async function sendCode(call: OperationCall, send: SendSms, message: Omit<SmsMessage, "text">): Promise<void> {
  if (call.isDryRun) return;
  const outcome = await trySend(send, { ...message, text: `Your verification code is ${message.code}` });
  if (outcome.kind === "ok") return;
  throw generalError("smsFailed", undefined, { cause: new Error(`The text message was not sent: ${outcome.reason}`) });
}

// What a host's function throws may quote the message, so nothing but its name is told.
async function trySend(send: SendSms, message: SmsMessage): Promise<SendOutcome> {
  try {
    return await send(message);
  } catch (error) {
    return { kind: "failed", reason: error instanceof Error ? error.name : "unknown" };
  }
}
