import { eventTypes } from "../../availability/event-types.js";
import type { FieldErrorKind } from "../../errors/codes.js";
import { data, flag, id, idSet, integer, map, namedMap, object, type Schema, text } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";
import { isCertificatePem, isFreeHeaderName, isHeaderValue, isHttpUrl } from "../../shared/http.js";

/** Writable fields of a webhook (docs/reference/webhooks.md#fields). */
export interface WebhookFields {
  /** The URL that receives events: http or https, without a user name; at most 8,000 characters. */
  readonly url: string;
  /** The timeout of the connection with TLS, in milliseconds: 1 to 600,000. */
  readonly connectTimeout: number;
  /** The timeout of the complete response after that, in milliseconds: 1 to 600,000. */
  readonly readTimeout: number;
  /** Free text for people: at most 1,000 characters. */
  readonly description?: string | undefined;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Record<string, unknown>;
  /** The event types to send, by name (docs/reference/events.md#event-types). */
  readonly eventsEnabled: Record<string, boolean>;
  /** Whether to send the events of all tenants; `tenantIds` is empty then. */
  readonly global: boolean;
  /** The tenants of the events to send; empty when `global`. Since 1.37.0. Default `[]`. */
  readonly tenantIds: readonly string[];
  /** Used instead of tenants until 1.37.0. */
  readonly applicationIds?: readonly string[] | undefined;
  /** Headers of each request. */
  readonly headers: Record<string, string>;
  /** The user name for HTTP Basic: at most 1,000 characters, no colon. */
  readonly httpAuthenticationUsername?: string | undefined;
  /** The password for HTTP Basic: at most 1,000 characters. Sealed in the storage; searches never show it. */
  readonly httpAuthenticationPassword?: string | undefined;
  /** Whether to sign events (default false), and the signing key. Since 1.48.0. */
  readonly signatureConfiguration: { readonly enabled: boolean; readonly signingKeyId?: string | undefined };
  /** A key with certificate and private key for mutual TLS. */
  readonly sslCertificateKeyId?: string | undefined;
  /** The API keys, users and entities with excluded events; an extension of the reference. */
  readonly excludeActors?: readonly string[] | undefined;
  /** A certificate in PEM; deprecated, and not beside `sslCertificateKeyId`. */
  readonly sslCertificate?: string | undefined;
}

/** A webhook on the wire (docs/reference/webhooks.md#fields). */
export interface Webhook extends BaseRecord, WebhookFields {}

/** Settings with defaults for each member. */
type WebhookSettings = "signatureConfiguration";

/** The body of POST and PUT. */
export interface WebhookRequest {
  /** The fields of the webhook; `url` and both timeouts are required. */
  readonly webhook: Partial<Omit<WebhookFields, WebhookSettings>> & {
    readonly [Name in WebhookSettings]?: Partial<WebhookFields[Name]> | undefined;
  } & Pick<WebhookFields, "url" | "connectTimeout" | "readTimeout">;
}

export type ParsedWebhookRequest = { readonly webhook: WebhookFields };

/** The maximum of configured timeouts, in milliseconds. */
export const maxTimeoutMs = 600_000;
const maxHeaders = 100;
const maxHeaderCharacters = 8_000;

const eventNames: ReadonlySet<string> = new Set(eventTypes.map((event) => event.name));

const url = (): Schema<string> =>
  text()
    .refine((value) => value.trim() !== "", { error: "blank", abort: true })
    .max(maxHeaderCharacters, { error: "tooLong" })
    .refine(isHttpUrl, { error: "invalid" });

/** Headers for a receiver: not reserved ones, at most 100, at most 8,000 characters in total. */
export const requestHeaders = (): Schema<Record<string, string>> =>
  map(text().trim().refine(isHeaderValue, { error: "invalid" })).superRefine((entries, context) => {
    const names = Object.keys(entries);
    const characters = Object.entries(entries).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
    const refuse = (kind: FieldErrorKind, ...path: string[]): void => context.addIssue({ code: "custom", message: kind, path });
    if (names.length > maxHeaders) refuse("tooMany");
    else if (characters > maxHeaderCharacters) refuse("tooLong");
    else for (const name of names) if (!isFreeHeaderName(name)) refuse("invalid", name);
  });

/** A part of HTTP Basic credentials (RFC 7617, 2): no control characters, and no colon in the name, which a colon ends. */
export const credentialText = (part: "name" | "password"): Schema<string> =>
  text()
    .trim()
    .max(1_000, { error: "tooLong" })
    .regex(part === "name" ? /^[^\p{Cc}:]*$/u : /^\P{Cc}*$/u, { error: "invalid" });

/** A certificate in PEM, or a blank text. */
export const certificatePem = (): Schema<string> =>
  text()
    .trim()
    .refine((value) => value === "" || isCertificatePem(value), { error: "invalid" });

const signatureConfiguration = (): Schema<WebhookFields["signatureConfiguration"]> =>
  object({ enabled: flag().default(false), signingKeyId: id().optional() }).refine(
    (signature) => signature?.enabled !== true || signature.signingKeyId !== undefined,
    { error: "missing", path: ["signingKeyId"], when: always },
  );

// Runs even if other members are invalid, so that one response reports all errors.
const always = (): boolean => true;

const oneCertificate = {
  error: "invalid",
  path: ["sslCertificate"],
  when: always,
  params: { explanation: "[webhook.sslCertificate] cannot be given beside [webhook.sslCertificateKeyId]." },
};

export const webhookRequest: Schema<ParsedWebhookRequest> = object({
  webhook: object({
    url: url(),
    connectTimeout: integer(1, maxTimeoutMs),
    readTimeout: integer(1, maxTimeoutMs),
    description: text().max(1_000, { error: "tooLong" }).optional(),
    data: data().default({}),
    eventsEnabled: namedMap(eventNames, flag()).default({}),
    global: flag().default(false),
    tenantIds: idSet().default([]),
    applicationIds: idSet().default([]),
    headers: requestHeaders().default({}),
    httpAuthenticationUsername: credentialText("name").optional(),
    httpAuthenticationPassword: credentialText("password").optional(),
    signatureConfiguration: signatureConfiguration().prefault({ enabled: false }),
    excludeActors: idSet().optional(),
    sslCertificateKeyId: id().optional(),
    sslCertificate: certificatePem().optional(),
  }).refine((webhook) => !webhook?.sslCertificate || webhook.sslCertificateKeyId === undefined, oneCertificate),
});
