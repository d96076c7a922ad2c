import { openRecord } from "../operations/sealed-fields.js";
import type { ServiceContext } from "../operations/service-context.js";
import type { OutboundTls } from "../ports/event-transport.js";
import { globalScope, type StoredRecord } from "../ports/storage.js";
import type { Webhook } from "../resources/webhooks/schema.js";
import { webhooksTable } from "../resources/webhooks/table.js";
import type { CallResult } from "./deliverer.js";
import { type SignedMessage, signEvent } from "./sign-event.js";

/** Where headers and passwords of webhooks are sealed. */
const family = { name: "webhooks", sealedPaths: ["headers", "httpAuthenticationPassword"] };

/** An event as it is sent. */
export interface SentEvent {
  readonly id: string;
  /** `{"event":{…}}`, the bytes that are signed. */
  readonly body: string;
}

/** Sends events to webhooks (facts.md 3.1). Any status from 200 to 299 means that one is delivered. Never rejects. */
export type CallWebhook = (webhookId: string, sent: SentEvent) => Promise<CallResult>;

/** What sends many events: a webhook is opened once, until somebody changes it. */
export function createWebhookCaller(service: ServiceContext): CallWebhook {
  const opened = new Map<string, { readonly version: number; readonly webhook: Webhook }>();
  const open = (stored: StoredRecord): Webhook => {
    const known = opened.get(stored.id);
    if (known?.version === stored.version) return known.webhook;
    const webhook = openRecord<Webhook>(service.sealer, family, stored);
    opened.set(stored.id, { version: stored.version, webhook });
    return webhook;
  };
  return async (webhookId, sent) => {
    try {
      const stored = await service.storage.retrieve(globalScope, webhooksTable, webhookId);
      if (stored !== undefined) return await send(service, open(stored), sent);
      opened.delete(webhookId);
      return { isDelivered: false, isGone: true };
    } catch (error) {
      service.runtime.logger.error({ err: error, webhookId }, "an event could not be sent");
      return { isDelivered: false, exception: "internal" };
    }
  };
}

async function send(service: ServiceContext, webhook: Webhook, { body, id }: SentEvent): Promise<CallResult> {
  const { connectTimeout, readTimeout, url } = webhook;
  const timestamp = Math.floor(service.runtime.clock() / 1_000);
  const headers = {
    ...(await toHeaders(service, webhook, { id, timestamp, body })),
    "content-type": "application/json; charset=utf-8",
  };
  const outcome = await service.http.send({
    method: "POST",
    url,
    headers,
    body,
    connectTimeoutMs: connectTimeout,
    readTimeoutMs: readTimeout,
    tls: await toTls(service, webhook),
    timeoutMs: connectTimeout + readTimeout,
  });
  if (outcome.kind === "failed") return { isDelivered: false, url, exception: outcome.reason };
  const { status: statusCode } = outcome;
  return { isDelivered: statusCode >= 200 && statusCode < 300, statusCode, url };
}

// A certificate of the webhook's own is one that it trusts; that of a key shows the receiver who calls (facts.md 3.4).
async function toTls(
  { openKeys }: ServiceContext,
  { sslCertificate = "", sslCertificateKeyId }: Webhook,
): Promise<OutboundTls | undefined> {
  if (sslCertificateKeyId === undefined) return sslCertificate === "" ? undefined : { trusted: sslCertificate };
  const key = await openKeys.byId(sslCertificateKeyId);
  if (key?.certificate === undefined || key.signingKey === undefined) throw new Error("The certificate of the client is gone.");
  return { certificate: key.certificate, privateKey: key.signingKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

async function toHeaders(
  service: ServiceContext,
  webhook: Webhook,
  message: SignedMessage,
): Promise<Readonly<Record<string, string>>> {
  const { enabled, signingKeyId } = webhook.signatureConfiguration;
  const signature = enabled ? await toSignature(service, signingKeyId, message) : {};
  return { ...webhook.headers, ...toBasic(webhook), ...signature };
}

function toBasic({
  httpAuthenticationPassword: password = "",
  httpAuthenticationUsername: name = "",
}: Webhook): Readonly<Record<string, string>> {
  if (name === "" && password === "") return {};
  return { authorization: `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}` };
}

async function toSignature(
  service: ServiceContext,
  keyId: string | undefined,
  message: SignedMessage,
): Promise<Readonly<Record<string, string>>> {
  const key = keyId === undefined ? undefined : await service.openKeys.byId(keyId);
  if (key === undefined) throw new Error("The key that signs events is gone.");
  return signEvent(key, `X-${service.names.service}-Signature-JWT`, message);
}
