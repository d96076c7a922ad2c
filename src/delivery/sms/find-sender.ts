import { fieldError, generalError } from "../../errors/identity-error.js";
import type { OperationCall } from "../../operations/operation.js";
import type { ServiceContext } from "../../operations/service-context.js";
import type { HttpClient, SendSms, SmsMessage } from "../../ports/event-transport.js";
import type { StorageReader } from "../../ports/storage.js";
import { loadIntegrations } from "../../resources/integrations/rules.js";
import { trySend } from "../engine/try-send.js";

/** Whether text messages could leave this process: by the host's function, or in a version that has the integration. */
export function canSendSms({ availability, sendSms }: ServiceContext): boolean {
  return sendSms !== undefined || !availability.absentFields("integrations").some(([name]) => name === "sms");
}

/** How this service sends text messages: by the host's function, else over HTTP as the integration says; undefined when there is neither. */
async function findSmsSender(service: ServiceContext, reader: StorageReader): Promise<SendSms | undefined> {
  if (service.sendSms !== undefined || !canSendSms(service)) return service.sendSms;
  const { enabled, accountSID, authToken, url, ...sender } = (await loadIntegrations(service, reader)).sms;
  if (!enabled || accountSID === undefined || authToken === undefined || url === undefined) return undefined;
  const provider: SmsProvider = { ...sender, accountSID, authToken, url };
  return createSmsSender(service.http, provider);
}

/** How this service sends text messages. @throws IdentityError 400 `[notConfigured]` when it has no way to (docs/reference/two-factor.md). */
export async function requireSmsSender({ reader, service }: OperationCall): Promise<SendSms> {
  const send = await findSmsSender(service, reader);
  if (send === undefined) throw fieldError("notConfigured", `integrations.${service.names.sms}`);
  return send;
}

/** Sends a message as the service does by then: what was configured when it was queued may be another account. */
export function sendByGateway(service: ServiceContext): SendSms {
  return async (message) => {
    const send = await findSmsSender(service, service.storage);
    return send === undefined ? { kind: "failed", reason: "notConfigured" } : send(message);
  };
}

/** Sends a text message for somebody who waits, unless the call is a dry run. @throws IdentityError 503 `[smsFailed]` when it was not taken. */
export async function sendAtOnce(call: OperationCall, send: SendSms, message: SmsMessage): Promise<void> {
  if (call.isDryRun) return;
  const outcome = await trySend(send, () => message);
  if (outcome.kind === "ok") return;
  throw generalError("smsFailed", undefined, { cause: new Error(`The text message was not sent: ${outcome.reason}`) });
}

/** Where text messages are taken and on whose account (docs/reference/integrations.md#object, docs/reference/integrations.md#text-messages). */
export interface SmsProvider {
  /** The base URL of the provider. */
  readonly url: string;
  readonly accountSID: string;
  readonly authToken: string;
  readonly fromPhoneNumber?: string | undefined;
  /** Used instead of a number where it is given. */
  readonly messagingServiceSid?: string | undefined;
}

const connectTimeoutMs = 5_000;
const timeoutMs = 10_000;

/** Sends text messages in the provider's form (docs/reference/integrations.md#text-messages). Any status of 200 to 299 means that a message was taken, 400 that it never will be. */
export function createSmsSender(client: HttpClient, provider: SmsProvider): SendSms {
  const { url, accountSID, authToken, fromPhoneNumber, messagingServiceSid } = provider;
  const base = url.replace(/\/+$/, "");
  const service = messagingServiceSid?.trim() ?? "";
  const [name, sender] = service === "" ? ["From", fromPhoneNumber ?? ""] : ["MessagingServiceSid", service];
  return async ({ to, text }) => {
    const outcome = await client.send({
      method: "POST",
      url: `${base}/2010-04-01/Accounts/${encodeURIComponent(accountSID)}/Messages.json`,
      headers: {
        accept: "application/json",
        authorization: `Basic ${Buffer.from(`${accountSID}:${authToken}`).toString("base64")}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams({ To: to, Body: text, [name]: sender }).toString(),
      connectTimeoutMs,
      timeoutMs,
    });
    if (outcome.kind === "failed") return { kind: "failed", reason: outcome.reason };
    const isTaken = outcome.status >= 200 && outcome.status < 300;
    return isTaken ? { kind: "ok" } : { kind: outcome.status === 400 ? "refused" : "failed", reason: `status ${outcome.status}` };
  };
}
