import type * as z from "zod";
import { data, flag, integer, list, name, object, option, type Schema, serviceUrl, text } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";
import { isObject } from "../../shared/objects.js";
import { brokerTopic, producerSettings } from "../integrations/schema.js";
import { certificatePem, credentialText, maxTimeoutMs, requestHeaders } from "../webhooks/schema.js";

/** The type of a message. The service sends `SMS`; it stores and returns `Voice`. */
export type MessageType = "SMS" | "Voice";

/**
 * The transport of a messenger: `Generic` calls your own URL, `sms` the provider, `broker` publishes to a message broker. The
 * option `names` can rename `broker` and `sms`.
 */
export type MessengerType = "Generic" | "broker" | "sms";

/** Writable fields of a messenger (docs/messengers.md). Members of other types are not stored. */
export interface MessengerFields {
  /** Unique in the service, compared without case; 1 to 191 characters. */
  readonly name: string;
  /** The transport. Fixed after creation. */
  readonly type: MessengerType;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Whether each attempt writes to the event log. Default false. */
  readonly debug: boolean;
  /** The types of messages that it sends. Default `["SMS"]`. */
  readonly messageTypes: readonly MessageType[];
  /** Free text, stored and returned. */
  readonly transport?: string | undefined;
  /**
   * The URL that receives messages: http or https, without a user name. Required for `Generic`; default of `sms`:
   * `https://api.<word for sms>.com`.
   */
  readonly url?: string | undefined;
  /** `Generic`: the timeout of the connection with TLS, in milliseconds: 1 to 600,000. Required. */
  readonly connectTimeout?: number | undefined;
  /** `Generic`: the timeout of the response after that, in milliseconds: 1 to 600,000. Required. */
  readonly readTimeout?: number | undefined;
  /** `Generic`: headers of each request. Sealed in the storage. Default `{}`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** `Generic`: the user name for HTTP Basic: at most 1,000 characters, no colon. */
  readonly httpAuthenticationUsername?: string | undefined;
  /** `Generic`: the password for HTTP Basic: at most 1,000 characters. Sealed in the storage. */
  readonly httpAuthenticationPassword?: string | undefined;
  /** `Generic`: a certificate in PEM that is trusted beside those of the system. */
  readonly sslCertificate?: string | undefined;
  /** `broker`: the topic to publish to. Required. */
  readonly defaultTopic?: string | undefined;
  /** `broker`: settings of the producer, as in the integration `broker`. Required. Sealed in the storage. */
  readonly producer?: Readonly<Record<string, string>> | undefined;
  /** `sms`: the account at the provider. Required. */
  readonly accountSID?: string | undefined;
  /** `sms`: the secret of the account. Required. Sealed in the storage. */
  readonly authToken?: string | undefined;
  /** `sms`: the sender's number; required, unless there is a `messagingServiceSid`. */
  readonly fromPhoneNumber?: string | undefined;
  /** `sms`: the sending service, instead of `fromPhoneNumber`. */
  readonly messagingServiceSid?: string | undefined;
}

/** A messenger on the wire (docs/messengers.md). */
export interface Messenger extends BaseRecord, MessengerFields {}

/** The body of POST and PUT. */
export interface MessengerRequest {
  /** The fields of the messenger; the name, the type and the required fields of the type are required. */
  readonly messenger: Partial<MessengerFields> & Pick<MessengerFields, "name" | "type">;
}

export type ParsedMessengerRequest = { readonly messenger: MessengerFields };

/** The required members of each type, with the error of a missing one. */
const required = new Map<unknown, Readonly<Record<string, "blank" | "empty" | "missing">>>([
  ["broker", { defaultTopic: "blank", producer: "empty" }],
  ["Generic", { url: "blank", connectTimeout: "missing", readTimeout: "missing" }],
  ["sms", { accountSID: "blank", authToken: "blank" }],
]);

// Runs for values of any type (`when`): a wrong type has its own error.
function refuseMissing(messenger: Readonly<Record<string, unknown>> | null, context: z.RefinementCtx): void {
  const { type } = messenger ?? {};
  const isBlank = (field: string): boolean => {
    const value = messenger?.[field];
    if (isObject(value)) return Object.keys(value).length === 0;
    return value === undefined || (typeof value === "string" && value.trim() === "");
  };
  const refuse = (field: string, message: string): void => context.addIssue({ code: "custom", path: [field], message });
  for (const [field, kind] of Object.entries(required.get(type) ?? {})) if (isBlank(field)) refuse(field, kind);
  const hasSender = !isBlank("fromPhoneNumber") || !isBlank("messagingServiceSid");
  if (type === "sms" && !hasSender) refuse("fromPhoneNumber", "blank");
}

export const messengerRequest: Schema<ParsedMessengerRequest> = object({
  messenger: object({
    name: name().trim(),
    type: option(["Generic", "broker", "sms"]),
    data: data().default({}),
    debug: flag().default(false),
    messageTypes: list(option(["SMS", "Voice"]))
      .min(1, { error: "empty" })
      .max(2, { error: "tooMany" })
      .default(["SMS"]),
    transport: text().max(191, { error: "tooLong" }).optional(),
    url: serviceUrl().max(8_000, { error: "tooLong" }).optional(),
    connectTimeout: integer(1, maxTimeoutMs).optional(),
    readTimeout: integer(1, maxTimeoutMs).optional(),
    headers: requestHeaders().optional(),
    httpAuthenticationUsername: credentialText("name").optional(),
    httpAuthenticationPassword: credentialText("password").optional(),
    sslCertificate: certificatePem().optional(),
    defaultTopic: brokerTopic().optional(),
    producer: producerSettings().optional(),
    accountSID: text().max(1_000, { error: "tooLong" }).optional(),
    authToken: text().max(1_000, { error: "tooLong" }).optional(),
    fromPhoneNumber: text().max(1_000, { error: "tooLong" }).optional(),
    messagingServiceSid: text().max(1_000, { error: "tooLong" }).optional(),
  }).superRefine(refuseMissing, { when: () => true }),
});
