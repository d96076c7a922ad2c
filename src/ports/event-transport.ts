import type { LookupFunction } from "node:net";

/** Ports for outbound messages: HTTP calls, mail, text messages, message brokers and moderation. */

/** A text message to one number. May hold a secret: never log it. */
export interface SmsMessage {
  /** A UUID that stays the same for each retry. At-least-once delivery: deduplicate by it. */
  readonly id: string;
  /** The phone number, as in the user's record. */
  readonly to: string;
  /** The complete text to send. */
  readonly text: string;
  /** The code in the text, if any, for senders that compose their own text. */
  readonly code?: string | undefined;
  /** The UUID of the tenant's messenger; absent when the tenant has none. */
  readonly messengerId?: string | undefined;
  /** The UUID of the recipient's tenant; absent when the message belongs to none. */
  readonly tenantId?: string | undefined;
  /** The UUID of the recipient; absent when the number belongs to no user. */
  readonly userId?: string | undefined;
}

/** The result of sending. `reason` goes to the log: it must contain neither content nor recipient. */
export type SendOutcome = { readonly kind: "ok" } | { readonly kind: "failed"; readonly reason: string };

/** The result of sending a message. `failed` is retried. `refused` is not, such as for an unknown recipient. */
export type MessageOutcome = SendOutcome | { readonly kind: "refused"; readonly reason: string };

/** Sends a text message. After 30 seconds the attempt counts as failed. */
export type SendSms = (message: SmsMessage) => Promise<MessageOutcome>;

/** The HTTP methods of outbound calls. */
export const outboundMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
/** An event or a text message to publish to a message broker. */
export interface BrokerMessage {
  /** The id of the event or message, the same for each retry. */
  readonly id: string;
  /** The topic to publish to. */
  readonly topic: string;
  /**
   * The partition key: the id of the event's object, else of its tenant; for a text message the id of the user. Brokers preserve
   * the order of messages with the same key.
   */
  readonly key: string | undefined;
  /** JSON: `{"event":{…}}` as for webhooks, or a text message as for generic messengers. */
  readonly value: string;
  /**
   * `event-id`, `event-type` and `sequence` of an event; `message-id` and `message-type` of a text message; `tenant-id` when a
   * tenant owns it.
   */
  readonly headers: Readonly<Record<string, string>>;
}

/** Publishes messages. */
export interface Broker {
  /** Resolves to `ok` once the broker has stored the message. A rejection counts as failed. */
  publish(message: BrokerMessage): Promise<SendOutcome>;
  /** Waits for messages in flight, then closes connections. */
  close(): Promise<void>;
}

/** Publishes to the brokers that records configure. */
export interface Brokers {
  /**
   * Publishes a message with the settings of a record. Never rejects, and resolves within the deadline even if the broker does
   * not.
   */
  publish(owner: string, settings: BrokerSettings, message: BrokerMessage): Promise<SendOutcome>;
  /** Closes all brokers. The next message connects again. */
  close(): Promise<void>;
}

/** The settings of the integration `broker`, or of a messenger of the type `broker`. */
export interface BrokerSettings {
  /** The topic of all messages; empty when the settings have none. */
  readonly defaultTopic: string;
  /** Settings by their names in the reference's client, such as `bootstrap.servers`. */
  readonly producer: Readonly<Record<string, string>>;
}

/** Restricts the connections of the host's adapters, as set by the option `allowPrivateNetwork`. */
export interface OutboundGuard {
  /** Whether a connection may go to an IP address. */
  isAllowed(address: string): boolean;
  /** Resolves a name like `lookup` of `node:net`, and fails if one of its addresses is not allowed. */
  readonly lookup: LookupFunction;
}

/** Creates a {@link Broker} from settings; called again when they change. */
export interface BrokerFactory {
  /** `guard` checks the addresses in the settings. @throws TypeError for unsupported settings. */
  (settings: BrokerSettings, guard: OutboundGuard): Broker;
  /**
   * Returns an error if an enabled integration with these settings must not be stored, else undefined. Default: all may be
   * stored.
   */
  readonly findError?: ((producer: BrokerSettings["producer"]) => string | undefined) | undefined;
}

/** A new username to moderate. */
export interface ModeratedUsername {
  /** The text to check. */
  readonly username: string;
  /** The UUID of the username's owner. */
  readonly userId: string;
  /** The application of a registration's username; undefined for the user's own username. */
  readonly applicationId: string | undefined;
  /** The username's id at the moderation service, stable across later decisions. */
  readonly moderationId: string;
  /** Whether `moderationId` identified an earlier username of the same owner. */
  readonly isEdit: boolean;
}

/** The decision on a username. `queue`: a moderator decides later, and its status is `PENDING` until then. */
export type ModerationResult =
  | { readonly action: "allow" | "queue" | "reject" }
  | { readonly action: "replace"; readonly replacement: string };

/**
 * Moderates a username. Undefined when the service is unavailable, which queues the username; a rejection counts as undefined.
 */
export type ModerateUsername = (content: ModeratedUsername) => Promise<ModerationResult | undefined>;
/** A mail address with its display name. */
export interface MailAddress {
  /** The address alone, such as `jane@example.com`. */
  readonly address: string;
  /** The display name. Default: none. */
  readonly display?: string | undefined;
}

/** A mail to send. Its bodies may hold secrets: never log them. */
export interface MailMessage {
  /** A UUID that stays the same for each retry. At-least-once delivery: deduplicate by it. */
  readonly id: string;
  /** The sender. */
  readonly from: MailAddress;
  /** The recipient. */
  readonly to: MailAddress;
  /** The addresses of further recipients. */
  readonly cc: readonly string[];
  /** The addresses of hidden recipients. */
  readonly bcc: readonly string[];
  /** The subject, in one line. */
  readonly subject: string;
  /** The HTML body; empty when the template has none. */
  readonly html: string;
  /** The plain-text body; empty when the template has none. */
  readonly text: string;
  /** The UUID of the template that rendered it. */
  readonly emailTemplateId: string;
  /** The UUID of the tenant that sends it. */
  readonly tenantId: string;
  /** The UUID of the recipient; absent for an address without a user. */
  readonly userId?: string | undefined;
}

/** The result of sending a mail. */
export type MailOutcome = MessageOutcome;

/** Sends a mail. After 30 seconds the attempt counts as failed and is retried later. */
export type MailTransport = (message: MailMessage) => Promise<MailOutcome>;

/** An outbound HTTP call of the service. */
export interface OutboundRequest {
  /** The HTTP method. */
  readonly method: (typeof outboundMethods)[number];
  /** An HTTP or HTTPS URL, without user info. */
  readonly url: string;
  /** Header values by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, sent as UTF-8. Default: none. */
  readonly body?: string | undefined;
  /** Timeout of connecting, including name lookup and TLS, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** Timeout from the start of writing the request to the end of the response, in milliseconds. Default `timeoutMs`. */
  readonly readTimeoutMs?: number | undefined;
  /** Timeout of the whole call, in milliseconds. */
  readonly timeoutMs: number;
  /** How much of the response body is read, in bytes. Default 64 KiB. */
  readonly maxAnswerBytes?: number | undefined;
  /** Absent: no client certificate, and only the system's authorities are trusted. */
  readonly tls?: OutboundTls | undefined;
}

/** TLS settings of a call, in PEM. Holds a secret: never log it. */
export interface OutboundTls {
  /** The client certificate, for `privateKey`. */
  readonly certificate?: string | undefined;
  /** The private key of `certificate`. Secret. */
  readonly privateKey?: string | undefined;
  /** Trusted certificates besides the system's. */
  readonly trusted?: string | undefined;
}

/** The reason for a missing response. `forbiddenAddress`: the URL resolves to an address that the outbound guard forbids. */
export type OutboundFailure = "forbiddenAddress" | "timedOut" | "unreachable";

/** The response of a call, or the reason for its absence. Redirects are returned, not followed. */
export type OutboundOutcome =
  | {
      readonly kind: "answered";
      readonly status: number;
      /** Names in lower case; the values of a repeated header are joined into one string. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      /** Whether the body was cut at `maxAnswerBytes`. */
      readonly isCut: boolean;
    }
  | { readonly kind: "failed"; readonly reason: OutboundFailure };

/** Sends the service's outbound HTTP calls. */
export interface HttpClient {
  /** Sends a call; never rejects. */
  send(request: OutboundRequest): Promise<OutboundOutcome>;
  /** Closes keep-alive connections. */
  close(): Promise<void>;
}

/** Options for the delivery of events, mails and text messages. */
export interface DeliveryOptions {
  /**
   * Whether this process starts delivery by itself. `false`: delivery starts with `identity.start()`, or runs once with
   * `identity.settle()`. Default true.
   */
  readonly autoStart?: boolean | undefined;
  /** How long `identity.close()` waits for attempts in flight, in milliseconds. Default 10,000. */
  readonly closeTimeoutMilliseconds?: number | undefined;
  /**
   * The delays before retries of a failed delivery, in milliseconds, each lengthened by `jitter`. After the last retry the
   * delivery is a dead letter. Default: ten attempts over about 75 hours.
   */
  readonly retryDelaysMilliseconds?: readonly number[] | undefined;
  /** The largest random share by which a delay is lengthened, 0 to 1. Default 0.1. */
  readonly jitter?: number | undefined;
  /** How many events are in flight to one receiver. Default 16. */
  readonly concurrency?: number | undefined;
  /**
   * `subject`: each receiver gets a tenant's events with the same `linkedObjectId` one at a time, in the order of their
   * `sequence`. The next event waits until the one before is delivered or has exhausted its retries. Default `none`.
   */
  readonly order?: "none" | "subject" | undefined;
}

/** When a failed attempt is repeated. */
export interface RetryPolicy {
  /** The delays between attempts, in milliseconds. After the last retry the delivery is a dead letter. */
  readonly delaysMilliseconds: readonly number[];
  /** The largest random share by which a delay is lengthened, so that a recovering receiver does not get all retries at once. */
  readonly jitter: number;
}

/** {@link DeliveryOptions} with every default filled in. */
export interface DeliverySettings {
  readonly autoStart: boolean;
  readonly closeTimeoutMilliseconds: number;
  readonly retry: RetryPolicy;
  readonly concurrency: number;
  readonly order: "none" | "subject";
}
