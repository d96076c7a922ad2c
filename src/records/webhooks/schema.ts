import { eventTypes } from "../../availability/event-types.js";
import type { FieldErrorKind } from "../../errors/codes.js";
import { data, flag, id, idSet, integer, map, namedMap, object, type Schema, text } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";
import { isCertificatePem, isFreeHeaderName, isHeaderValue, isHttpUrl } from "../../shared/http.js";

/** What a caller may say about a webhook (docs/reference/webhooks.md#fields). Timeouts are in milliseconds. */
export interface WebhookFields {
  /** The address that receives events: http or https, without a user name; at most 8,000 characters. */
  readonly url: string;
  /** How long to wait for the connection with TLS, in milliseconds: 1 to 600,000. */
  readonly connectTimeout: number;
  /** How long to wait for the whole answer after that, in milliseconds: 1 to 600,000. */
  readonly readTimeout: number;
  /** Free text for people: at most 1,000 characters. */
  readonly description?: string | undefined;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Record<string, unknown>;
  /** Which events are sent, by their names (docs/reference/events.md#event-types). */
  readonly eventsEnabled: Record<string, boolean>;
  /** Whether the events of all tenants are sent; then no tenants are listed. */
  readonly global: boolean;
  /** The tenants whose events are sent; empty when `global`. Since 1.37.0. Default `[]`. */
  readonly tenantIds: readonly string[];
  /** In place of tenants until 1.37.0. */
  readonly applicationIds?: readonly string[] | undefined;
  /** Sent with each event. */
  readonly headers: Record<string, string>;
  /** The user name for HTTP Basic: at most 1,000 characters, no colon. */
  readonly httpAuthenticationUsername?: string | undefined;
  /** The password for HTTP Basic: at most 1,000 characters. Sealed in the storage; searches never show it. */
  readonly httpAuthenticationPassword?: string | undefined;
  /** Whether events are signed (default false), and with which key. Since 1.48.0. */
  readonly signatureConfiguration: { readonly enabled: boolean; readonly signingKeyId?: string | undefined };
  /** A key with certificate and private key that the service shows to the receiver (mutual TLS). */
  readonly sslCertificateKeyId?: string | undefined;
  /** The API keys, users and entities whose own events are not sent; an extension of the reference. */
  readonly excludeActors?: readonly string[] | undefined;
  /** In PEM; deprecated, and not beside `sslCertificateKeyId`. */
  readonly sslCertificate?: string | undefined;
}

/** A webhook on the wire (docs/reference/webhooks.md#fields). */
export interface Webhook extends BaseRecord, WebhookFields {}

/** Settings whose members are filled in one by one. */
type WebhookSettings = "signatureConfiguration";

/** The body of POST and PUT. */
export interface WebhookRequest {
  /** The fields of the webhook; `url` and both timeouts are required. */
  readonly webhook: Partial<Omit<WebhookFields, WebhookSettings>> & {
    readonly [Name in WebhookSettings]?: Partial<WebhookFields[Name]> | undefined;
  } & Pick<WebhookFields, "url" | "connectTimeout" | "readTimeout">;
}

/** A request whose defaults are filled in. */
export interface ParsedWebhookRequest {
  readonly webhook: WebhookFields;
}

/** The longest timeout of a call that is configured, in milliseconds. */
export const maxTimeoutMs = 600_000;
const maxHeaders = 100;
const maxHeaderCharacters = 8_000;

const eventNames: ReadonlySet<string> = new Set(eventTypes.map((event) => event.name));

const url = (): Schema<string> =>
  text()
    .refine((value) => value.trim() !== "", { error: "blank", abort: true })
    .max(maxHeaderCharacters, { error: "tooLong" })
    .refine(isHttpUrl, { error: "invalid" });

/** Headers that a receiver is sent: names that are free, at most 100, at most 8,000 characters in all. */
export const requestHeaders = (): Schema<Record<string, string>> =>
  map(text().trim().refine(isHeaderValue, { error: "invalid" })).superRefine((entries, context) => {
    const names = Object.keys(entries);
    const characters = Object.entries(entries).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
    const refuse = (kind: FieldErrorKind, ...path: string[]): void => context.addIssue({ code: "custom", message: kind, path });
    if (names.length > maxHeaders) refuse("tooMany");
    else if (characters > maxHeaderCharacters) refuse("tooLong");
    else for (const name of names) if (!isFreeHeaderName(name)) refuse("invalid", name);
  });

/** A part of HTTP basic credentials (RFC 7617, 2): no control characters, and in the name no colon, which ends it. */
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

// Validation across fields runs even when one of them is refused by itself, so that all refusals are reported at once.
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
