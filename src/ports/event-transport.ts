import type { LookupFunction } from "node:net";

/** Ports for outbound messages: HTTP calls, mail, text messages, message brokers and moderation. */

/** A text message to one number. May hold a secret: never log it. */
export interface SmsMessage {
  /** A UUID that stays the same for each retry. At-least-once delivery: deduplicate by it. */
  readonly id: string;
  /** The number, as the user's record has it. */
  readonly to: string;
  /** The complete text to send. */
  readonly text: string;
  /** The code in the text, where there is one, for senders that compose their own text. */
  readonly code?: string | undefined;
  /** The UUID of the messenger that the tenant names; absent where it names none. */
  readonly messengerId?: string | undefined;
  /** The UUID of the recipient's tenant; absent when the message belongs to none. */
  readonly tenantId?: string | undefined;
  /** The UUID of the recipient; absent when the number belongs to no user. */
  readonly userId?: string | undefined;
}

/** The result of sending. `reason` goes to the log: it must contain neither content nor recipient. */
export type SendOutcome = { readonly kind: "ok" } | { readonly kind: "failed"; readonly reason: string };

/** The result of sending a message. `failed`: it is retried. `refused`: it is not, such as for an unknown recipient. */
export type MessageOutcome = SendOutcome | { readonly kind: "refused"; readonly reason: string };

/** Sends a text message. After 30 seconds the attempt counts as failed. */
export type SendSms = (message: SmsMessage) => Promise<MessageOutcome>;

/** The HTTP methods of outbound calls. */
export const outboundMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
/** An event, or a text message, to publish to a message broker. */
export interface BrokerMessage {
  /** The id of the event or message: the same each time that it is published. */
  readonly id: string;
  /** The topic to publish to. */
  readonly topic: string;
  /**
   * The partition key: the id of the event's object, else of its tenant; for a text message the id of the user. Brokers preserve the order of
   * messages with one key.
   */
  readonly key: string | undefined;
  /** JSON: `{"event":{…}}`, as webhooks get it, or a text message as generic messengers get it. */
  readonly value: string;
  /**
   * `event-id`, `event-type` and `sequence` of an event, `message-id` and `message-type` of a text message, and the `tenant-id` of what belongs
   * to a tenant.
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

/** Publishes to the brokers that records name. */
export interface Brokers {
  /** Publishes a message of a record with these settings. Never rejects, and resolves within the deadline regardless of the broker. */
  publish(owner: string, settings: BrokerSettings, message: BrokerMessage): Promise<SendOutcome>;
  /** Closes all brokers. The next message opens its own again. */
  close(): Promise<void>;
}

/** The settings of the integration `broker`, or of a messenger of the type `broker`. */
export interface BrokerSettings {
  /** The topic of all messages; empty when the integration names none. */
  readonly defaultTopic: string;
  /** Settings by their names in the reference's client, such as `bootstrap.servers`. */
  readonly producer: Readonly<Record<string, string>>;
}

/** Where connections of the host's adapters may go: what the option `allowPrivateNetwork` says. */
export interface OutboundGuard {
  /** Whether a connection may go to an IP address. */
  isAllowed(address: string): boolean;
  /** Looks a name up, as `lookup` of `node:net` does, and fails where one of its addresses is not allowed. */
  readonly lookup: LookupFunction;
}

/** Creates a {@link Broker} from settings; called again when they change. */
export interface BrokerFactory {
  /** `guard` checks addresses that the settings name. @throws TypeError for settings that it cannot follow. */
  (settings: BrokerSettings, guard: OutboundGuard): Broker;
  /** Why an enabled integration with these settings must not be stored; undefined where it may. Default: all may. */
  readonly findError?: ((producer: BrokerSettings["producer"]) => string | undefined) | undefined;
}

/** A new username to moderate. */
export interface ModeratedUsername {
  /** The text to check. */
  readonly username: string;
  /** The UUID of the user who gets the username. */
  readonly userId: string;
  /** Where the user is registered with it; undefined for the user's own. */
  readonly applicationId: string | undefined;
  /** The username's id at the moderation service, stable across later decisions. */
  readonly moderationId: string;
  /** Whether `moderationId` named an earlier username of the same owner. */
  readonly isEdit: boolean;
}

/** The decision on a username. `queue`: a moderator decides later, and its status is `PENDING` until then. */
export type ModerationResult =
  | { readonly action: "allow" | "queue" | "reject" }
  | { readonly action: "replace"; readonly replacement: string };

/** Moderates a username; undefined when the service is unavailable, which queues it. A rejection counts as undefined. */
export type ModerateUsername = (content: ModeratedUsername) => Promise<ModerationResult | undefined>;
/** A mail address with its display name. */
export interface MailAddress {
  /** The address alone, such as `jane@example.com`. */
  readonly address: string;
  /** The display name beside it. Default: none. */
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
  /** Addresses. */
  readonly cc: readonly string[];
  /** Addresses of hidden recipients. */
  readonly bcc: readonly string[];
  /** One line. */
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

/** A call over HTTP that the service makes. */
export interface OutboundRequest {
  /** The HTTP method. */
  readonly method: (typeof outboundMethods)[number];
  /** HTTP or HTTPS, without user info. */
  readonly url: string;
  /** Header values by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, sent as UTF-8. Default: none. */
  readonly body?: string | undefined;
  /** How long a connection may take, with the look-up of the name and TLS, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** How long the whole answer may take once the request is being written, in milliseconds. Default `timeoutMs`. */
  readonly readTimeoutMs?: number | undefined;
  /** How long all of the call may take, in milliseconds. */
  readonly timeoutMs: number;
  /** How much of the response's body is read, in bytes. Default 64 KiB. */
  readonly maxAnswerBytes?: number | undefined;
  /** Absent: no client certificate, and only the usual ones are trusted. */
  readonly tls?: OutboundTls | undefined;
}

/** TLS settings of a call: client certificate and trusted authorities, in PEM. Holds a secret: never log it. */
export interface OutboundTls {
  /** The certificate of the client, with its private key. */
  readonly certificate?: string | undefined;
  /** The private key of `certificate`. Secret. */
  readonly privateKey?: string | undefined;
  /** Certificates that are trusted besides the system's. */
  readonly trusted?: string | undefined;
}

/** Why a call got no response. `forbiddenAddress`: the URL resolves to an address that the outbound guard forbids. */
export type OutboundFailure = "forbiddenAddress" | "timedOut" | "unreachable";

/** The response of a call, or why there is none. Redirects are returned, not followed. */
export type OutboundOutcome =
  | {
      readonly kind: "answered";
      readonly status: number;
      /** Names in lower case; a header that came several times is one text. */
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

/** How events, mails and text messages are delivered. */
export interface DeliveryOptions {
  /**
   * Whether this process begins to deliver by itself. `false`: it delivers once `identity.start()` is called, or what
   * `identity.settle()` finds due. Default true.
   */
  readonly autoStart?: boolean | undefined;
  /** How long `identity.close()` waits for attempts that are under way, in milliseconds. Default 10,000. */
  readonly closeTimeoutMilliseconds?: number | undefined;
  /**
   * The pauses before a delivery that failed is tried again, in milliseconds, each somewhat longer at random; after the last the
   * receiver is given up. Default: ten attempts over about 75 hours.
   */
  readonly retryDelaysMilliseconds?: readonly number[] | undefined;
  /** By which share of itself a pause may be longer, at random: 0 to 1. Default 0.1. */
  readonly jitter?: number | undefined;
  /** How many events are sent to one receiver at a time. Default 16. */
  readonly concurrency?: number | undefined;
  /**
   * `subject`: each receiver is sent the events of a tenant with the same `linkedObjectId` one after the other, in the order of their
   * `sequence`; the next one leaves once the one before was delivered or given up. Default `none`.
   */
  readonly order?: "none" | "subject" | undefined;
}

/** When an attempt that failed is repeated. */
export interface RetryPolicy {
  /** The pauses between attempts, in milliseconds; after the last the receiver is given up. */
  readonly delaysMilliseconds: readonly number[];
  /** By which share a pause may be longer, at random, so that receivers that come back are not met by everything at once. */
  readonly jitter: number;
}

/** Options of deliveries with every default filled in. */
export interface DeliverySettings {
  readonly autoStart: boolean;
  readonly closeTimeoutMilliseconds: number;
  readonly retry: RetryPolicy;
  readonly concurrency: number;
  readonly order: "none" | "subject";
}
