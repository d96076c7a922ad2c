import { createHmac, hash, sign } from "node:crypto";
import { openRecord } from "../../operations/family/wire-records.js";
import type { ServiceContext } from "../../operations/service-context.js";
import type { OutboundTls } from "../../ports/event-transport.js";
import { globalScope } from "../../ports/storage.js";
import { webhooksTable } from "../../records/webhooks/family.js";
import type { Webhook } from "../../records/webhooks/schema.js";
import { signJws } from "../../security/compact-jws.js";
import type { LoadedKey } from "../../security/keys/loaded-keys.js";
import { type AttemptResult, receiverRemoved } from "../engine/delivery-state.js";

/** Identifies sealed headers and passwords of webhooks. */
const family = { name: "webhooks", sealedPaths: ["headers", "httpAuthenticationPassword"] };

/** An event to send. */
export interface SentEvent {
  readonly id: string;
  /** The event type, for a webhook that must still have it enabled. */
  readonly type?: string;
  /** `{"event":{…}}`, the signed bytes. */
  readonly body: string;
}

/**
 * Sends events to webhooks (docs/reference/webhooks.md#request-to-the-receiver). Any status from 200 to 299 means delivered;
 * `onRefusal` gets the whole body of an answer with another status. Never rejects.
 */
export type CallWebhook = (webhookId: string, sent: SentEvent, onRefusal?: OnRefusal) => Promise<AttemptResult>;

type OnRefusal = (body: string) => void;

interface OpenedWebhook {
  readonly version: number;
  readonly webhook: Webhook;
  readonly readInstant: number;
  /** The same by the clock of the service, which hosts and tests move. */
  readonly clockInstant: number;
}

/** Calls that start within this time read their webhook once. */
const togetherMilliseconds = 20;

/** Creates a sender of many events: it opens a webhook once, until it changes. */
export function createWebhookCaller(service: ServiceContext): CallWebhook {
  const opened = new Map<string, OpenedWebhook>();
  return async (webhookId, sent, onRefusal) => {
    try {
      const webhook = await findWebhook(service, opened, webhookId);
      return webhook === undefined || !wants(webhook, sent) ? receiverRemoved : await send(service, webhook, sent, onRefusal);
    } catch (error) {
      service.runtime.logger.error({ err: error, webhookId }, "an event could not be sent");
      return { isDelivered: false, exception: "internal" };
    }
  };
}

function wants({ eventsEnabled }: Webhook, { type }: SentEvent): boolean {
  return type === undefined || eventsEnabled[type] === true;
}

async function findWebhook(
  { runtime, sealer, storage }: ServiceContext,
  opened: Map<string, OpenedWebhook>,
  id: string,
): Promise<Webhook | undefined> {
  const readInstant = runtime.monotonic();
  const clockInstant = runtime.clock();
  const known = opened.get(id);
  const isTogether = (instant: number, before: number): boolean => Math.abs(instant - before) < togetherMilliseconds;
  if (known && isTogether(readInstant, known.readInstant) && isTogether(clockInstant, known.clockInstant)) return known.webhook;
  const stored = await storage.retrieve(globalScope, webhooksTable, id);
  opened.delete(id);
  if (stored === undefined) return undefined;
  const { version } = stored;
  const webhook = version === known?.version ? known.webhook : openRecord<Webhook>(sealer, family, stored);
  opened.set(id, { version, webhook, readInstant, clockInstant });
  return webhook;
}

async function send(
  service: ServiceContext,
  webhook: Webhook,
  { body, id }: SentEvent,
  onRefusal?: OnRefusal,
): Promise<AttemptResult> {
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
  const isDelivered = statusCode >= 200 && statusCode < 300;
  if (!isDelivered && !outcome.isCut) onRefusal?.(outcome.body);
  return { isDelivered, statusCode, url };
}

// A certificate of the webhook is a trusted one; that of a key authenticates the service to the receiver
// (docs/reference/webhooks.md#signature).
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
  const { headers: own, httpAuthenticationPassword: password, httpAuthenticationUsername: name } = webhook;
  return { ...own, ...credentialHeaders({ name, password }), ...signature };
}

/** The header of HTTP basic credentials (RFC 7617); none where both parts are empty. */
export function credentialHeaders({ name = "", password = "" }: BasicCredentials): Readonly<Record<string, string>> {
  if (name === "" && password === "") return {};
  return { authorization: `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}` };
}

interface BasicCredentials {
  readonly name?: string | undefined;
  readonly password?: string | undefined;
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

/** A message to sign: the exact bytes to send. */
export interface SignedMessage {
  readonly id: string;
  /** Epoch seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * The headers that sign a message: a JWS over the digest of the body in `headerName` and, where the key fits, those of Standard
 * Webhooks (docs/reference/webhooks.md#signature). @throws Error when the key does not sign.
 */
export async function signEvent(
  key: LoadedKey,
  headerName: string,
  message: SignedMessage,
): Promise<Readonly<Record<string, string>>> {
  if (key.alg === undefined || key.signingKey === undefined) throw new Error("The key does not sign.");
  const claims = { iat: message.timestamp, request_body_sha256: hash("sha256", message.body, "base64") };
  const jws = await signJws(key.alg, key.signingKey, { kid: key.kid, typ: "JWT" }, claims);
  return { [headerName]: jws, ...toStandardHeaders(key, message) };
}

// Standard Webhooks supports only a shared secret (v1) and Ed25519 (v1a).
function toStandardHeaders(key: LoadedKey, { id, timestamp, body }: SignedMessage): Readonly<Record<string, string>> {
  const content = `${id}.${timestamp}.${body}`;
  const signature = toStandardSignature(key, content);
  if (signature === undefined) return {};
  return { "webhook-id": id, "webhook-signature": signature, "webhook-timestamp": String(timestamp) };
}

function toStandardSignature({ signingKey, type }: LoadedKey, content: string): string | undefined {
  if (signingKey === undefined) return undefined;
  if (type === "HMAC") return `v1,${createHmac("sha256", signingKey).update(content).digest("base64")}`;
  if (type === "OKP") return `v1a,${sign(null, Buffer.from(content), signingKey).toString("base64")}`;
  return undefined;
}
