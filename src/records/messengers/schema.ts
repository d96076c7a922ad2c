import type * as z from "zod";
import { data, flag, integer, list, name, object, option, type Schema, serviceUrl, text } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";
import { isObject } from "../../shared/objects.js";
import { brokerTopic, producerSettings } from "../integrations/schema.js";
import { certificatePem, credentialText, maxTimeoutMs, requestHeaders } from "../webhooks/schema.js";

/** What a messenger can send. The service sends `SMS`; `Voice` is stored and shown. */
export type MessageType = "SMS" | "Voice";

/**
 * How a messenger sends: `Generic` calls your own address, `sms` the provider, `broker` publishes to a message broker. The option `names` has
 * other words for `broker` and `sms`.
 */
export type MessengerType = "Generic" | "broker" | "sms";

/** What a caller may say about a messenger (docs/messengers.md). Members of another type are not stored. */
export interface MessengerFields {
  /** Unique in the service, compared without case; 1 to 191 characters. */
  readonly name: string;
  /** How it sends. It cannot be changed. */
  readonly type: MessengerType;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Whether each attempt is an entry of the event log. Default false. */
  readonly debug: boolean;
  /** What it may send. Default `["SMS"]`. */
  readonly messageTypes: readonly MessageType[];
  /** A word for people: stored and shown. */
  readonly transport?: string | undefined;
  /** Where messages are sent: http or https, without a user name. Required for `Generic`; default of `sms`: `https://api.<word for sms>.com`. */
  readonly url?: string | undefined;
  /** `Generic`: how long to wait for the connection with TLS, in milliseconds: 1 to 600,000. Required. */
  readonly connectTimeout?: number | undefined;
  /** `Generic`: how long to wait for the answer after that, in milliseconds: 1 to 600,000. Required. */
  readonly readTimeout?: number | undefined;
  /** `Generic`: headers that are sent with each message. Sealed in the storage. Default `{}`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** `Generic`: the user name for HTTP Basic: at most 1,000 characters, no colon. */
  readonly httpAuthenticationUsername?: string | undefined;
  /** `Generic`: the password for HTTP Basic: at most 1,000 characters. Sealed in the storage. */
  readonly httpAuthenticationPassword?: string | undefined;
  /** `Generic`: a certificate in PEM that is trusted besides the system's. */
  readonly sslCertificate?: string | undefined;
  /** `broker`: the topic to publish to. Required. */
  readonly defaultTopic?: string | undefined;
  /** `broker`: settings of the producer, as of the integration `broker`. Required. Sealed in the storage. */
  readonly producer?: Readonly<Record<string, string>> | undefined;
  /** `sms`: the account at the provider. Required. */
  readonly accountSID?: string | undefined;
  /** `sms`: the secret of the account. Required. Sealed in the storage. */
  readonly authToken?: string | undefined;
  /** `sms`: required, unless there is a `messagingServiceSid`. */
  readonly fromPhoneNumber?: string | undefined;
  /** `sms`: the messaging service that sends, instead of `fromPhoneNumber`. */
  readonly messagingServiceSid?: string | undefined;
}

/** A messenger on the wire (docs/messengers.md). */
export interface Messenger extends BaseRecord, MessengerFields {}

/** The body of POST and PUT. */
export interface MessengerRequest {
  /** The fields of the messenger; the name, the type and what the type needs are required. */
  readonly messenger: Partial<MessengerFields> & Pick<MessengerFields, "name" | "type">;
}

/** A request whose defaults are filled in. */
export interface ParsedMessengerRequest {
  readonly messenger: MessengerFields;
}

/** The members that one type cannot do without, each with the kind of error that says so. */
const required = new Map<unknown, Readonly<Record<string, "blank" | "empty" | "missing">>>([
  ["broker", { defaultTopic: "blank", producer: "empty" }],
  ["Generic", { url: "blank", connectTimeout: "missing", readTimeout: "missing" }],
  ["sms", { accountSID: "blank", authToken: "blank" }],
]);

// Called for values of any kind: what is of the wrong type has an error of its own.
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
