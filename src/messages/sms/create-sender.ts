import { toMessageOutcome } from "../../delivery/http-client/message-outcome.js";
import { credentialHeaders } from "../../delivery/webhooks/call-webhook.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import type { Brokers, HttpClient, SendSms, SmsMessage } from "../../ports/event-transport.js";
import type { Messenger } from "../../records/messengers/schema.js";

/** The URL and account of a provider of text messages (docs/reference/integrations.md#text-messages). */
export interface SmsProvider {
  /** The base URL of the provider. */
  readonly url: string;
  readonly accountSID: string;
  readonly authToken: string;
  readonly fromPhoneNumber?: string | undefined;
  /** Used instead of the number if given. */
  readonly messagingServiceSid?: string | undefined;
}

const connectTimeoutMs = 5_000;
const timeoutMs = 10_000;

/** Sends text messages in the format of the provider (docs/reference/integrations.md#text-messages). */
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
        ...credentialHeaders({ name: accountSID, password: authToken }),
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams({ To: to, Body: text, [name]: sender }).toString(),
      connectTimeoutMs,
      timeoutMs,
    });
    return toMessageOutcome(outcome);
  };
}

/** Sends text messages to a URL of the host, as JSON (docs/messengers.md#request-to-a-generic-messenger). */
export function createJsonSender(client: HttpClient, messenger: Messenger): SendSms {
  const { connectTimeout = connectTimeoutMs, headers = {}, readTimeout = timeoutMs, sslCertificate = "", url = "" } = messenger;
  const { httpAuthenticationPassword: password, httpAuthenticationUsername: name } = messenger;
  return async (message) => {
    const outcome = await client.send({
      method: "POST",
      url,
      headers: {
        ...headers,
        ...credentialHeaders({ name, password }),
        "content-type": "application/json; charset=utf-8",
        "idempotency-key": message.id,
      },
      body: toMessageJson(message),
      connectTimeoutMs: connectTimeout,
      readTimeoutMs: readTimeout,
      timeoutMs: connectTimeout + readTimeout,
      tls: sslCertificate === "" ? undefined : { trusted: sslCertificate },
    });
    return toMessageOutcome(outcome);
  };
}

/** Publishes text messages to the topic of a messenger (docs/messengers.md#messages-of-a-broker). */
export function createBrokerSender(brokers: Brokers, messenger: Messenger): SendSms {
  const { defaultTopic: topic = "", id: owner, producer = {} } = messenger;
  return (message) => {
    const { id, tenantId, userId: key } = message;
    const headers = { "message-id": id, "message-type": "SMS", ...(tenantId !== undefined && { "tenant-id": tenantId }) };
    return brokers.publish(owner, { defaultTopic: topic, producer }, { id, topic, key, value: toMessageJson(message), headers });
  };
}

function toMessageJson({ code, text, to, userId }: SmsMessage): string {
  return toCanonicalJson({ code, phoneNumber: to, textMessage: text, type: "SMS", userId });
}
