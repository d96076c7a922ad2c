import type { LookupFunction } from "node:net";

/** How what the service has to say leaves it: calls over HTTP, or functions of the host. */

/** A text message to somebody. May hold a secret: never to be logged. */
export interface SmsMessage {
  /** A UUID that stays the same when the message is tried again: where it left after all, it leaves twice under one id. */
  readonly id: string;
  /** The number, as the user's record has it. */
  readonly to: string;
  /** The complete text to send. */
  readonly text: string;
  /** The code in the text, where there is one, for senders that compose their own text. */
  readonly code?: string | undefined;
  /** The UUID of the recipient's tenant; absent when the message belongs to none. */
  readonly tenantId?: string | undefined;
  /** The UUID of the recipient; absent when the number belongs to no user. */
  readonly userId?: string | undefined;
}

/** What became of something that was sent. A reason is for the log: it must hold nothing of what was sent, and not whom it was for. */
export type SendOutcome = { readonly kind: "ok" } | { readonly kind: "failed"; readonly reason: string };

/** What became of a message. `refused`: to try again is of no use, since nobody is there, say. */
export type MessageOutcome = SendOutcome | { readonly kind: "refused"; readonly reason: string };

/** Sends a text message, in 30 seconds at most: what takes longer counts as failed. */
export type SendSms = (message: SmsMessage) => Promise<MessageOutcome>;

/** The methods that calls may have. */
export const outboundMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
/** An event on its way to a message broker. */
export interface BrokerMessage {
  /** The id of the event: the same each time that it is published. */
  readonly id: string;
  /** The topic to publish to. */
  readonly topic: string;
  /** What the event is about: its object, else its tenant. Brokers keep what has the same key in the order of its arrival. */
  readonly key: string | undefined;
  /** JSON: `{"event":{…}}`, as webhooks get it. */
  readonly value: string;
  /** `event-id`, `event-type`, `sequence` and, for events of a tenant, `tenant-id`. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Publishes messages. */
export interface Broker {
  /** Answers `ok` once the broker has kept the message. May reject, which counts as failed. */
  publish(message: BrokerMessage): Promise<SendOutcome>;
  /** Lets what is under way end, then closes connections. */
  close(): Promise<void>;
}

/** What the integration `broker` says. */
export interface BrokerSettings {
  /** The topic of all events; empty when the integration names none. */
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

/** Makes what publishes with these settings. */
export interface BrokerFactory {
  /** `guard` checks addresses that the settings name. @throws TypeError for settings that it cannot follow. */
  (settings: BrokerSettings, guard: OutboundGuard): Broker;
  /** Why an enabled integration with these settings must not be stored; undefined where it may. Default: all may. */
  readonly findError?: ((producer: BrokerSettings["producer"]) => string | undefined) | undefined;
}

/** A username that somebody is about to get. */
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

/** What is to become of a username. `queue`: somebody will look at it, and its status is `PENDING` until then. */
export type UsernameJudgement =
  | { readonly action: "allow" | "queue" | "reject" }
  | { readonly action: "replace"; readonly replacement: string };

/** Moderates a username; undefined when the service is unavailable, which queues it. A rejection counts as undefined. */
export type ModerateUsername = (content: ModeratedUsername) => Promise<UsernameJudgement | undefined>;
/** Somebody whom a mail is from or to. */
export interface MailAddress {
  /** The address alone, such as `jane@example.com`. */
  readonly address: string;
  /** The display name beside it. Default: none. */
  readonly display?: string | undefined;
}

/** A mail that leaves. Its bodies may hold secrets: never to be logged. */
export interface MailMessage {
  /** A UUID that stays the same when the mail is tried again: where it left after all, it leaves twice under one id. */
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
  /** Absent where the mail is to an address and to nobody in the directory. */
  readonly userId?: string | undefined;
}

/** What became of a mail. */
export type MailOutcome = MessageOutcome;

/** Sends a mail, in 30 seconds at most: what takes longer counts as failed and is tried again later. */
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
  /** How much of the body of the answer is read. Default 64 KiB. */
  readonly maxAnswerBytes?: number | undefined;
  /** Absent: no client certificate, and only the usual ones are trusted. */
  readonly tls?: OutboundTls | undefined;
}

/** With what a call shows who it comes from, and whom it believes. All in PEM. Holds a secret: never to be logged. */
export interface OutboundTls {
  /** The certificate of the client, with its private key. */
  readonly certificate?: string | undefined;
  /** The private key of `certificate`. Secret. */
  readonly privateKey?: string | undefined;
  /** Certificates that are believed beside the usual ones. */
  readonly trusted?: string | undefined;
}

/** Why a call was not answered. `forbiddenAddress`: the URL leads to an address that calls must not go to. */
export type OutboundFailure = "forbiddenAddress" | "timedOut" | "unreachable";

/** The answer of a call, or why there is none. Redirects are answers. */
export type OutboundOutcome =
  | {
      readonly kind: "answered";
      readonly status: number;
      /** Names in lower case; a header that came several times is one text. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      /** Whether there was more of the body than is read. */
      readonly isCut: boolean;
    }
  | { readonly kind: "failed"; readonly reason: OutboundFailure };

/** Makes the service's calls over HTTP. */
export interface HttpClient {
  /** Never rejects. */
  send(request: OutboundRequest): Promise<OutboundOutcome>;
  /** Closes keep-alive connections. */
  close(): Promise<void>;
}
