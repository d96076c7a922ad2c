import type { HttpClient, SendSms } from "../../ports/event-transport.js";

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
