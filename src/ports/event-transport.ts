/** How what the service has to say leaves it: calls over HTTP, or functions of the host. */

/** A text message to somebody. Holds a secret: never to be logged. */
export interface SmsMessage {
  /** The number, as the user's record has it. */
  readonly to: string;
  readonly text: string;
  /** The code that the text tells, for senders that have a text of their own. */
  readonly code: string;
  readonly tenantId?: string | undefined;
  readonly userId?: string | undefined;
}

/** What became of a message. A reason is for the log: it must hold neither the number nor the code. */
export type SendOutcome = { readonly kind: "ok" } | { readonly kind: "failed"; readonly reason: string };

/** Sends a text message. */
export type SendSms = (message: SmsMessage) => Promise<SendOutcome>;

/** Somebody whom a mail is from or to. */
export interface MailAddress {
  readonly address: string;
  readonly display?: string | undefined;
}

/** A mail that leaves. Its bodies may hold secrets: never to be logged. */
export interface MailMessage {
  /** A UUID that stays the same when the mail is tried again: where it left after all, it leaves twice under one id. */
  readonly id: string;
  readonly from: MailAddress;
  readonly to: MailAddress;
  /** Addresses. */
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  /** One line. */
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly emailTemplateId: string;
  readonly tenantId: string;
  /** Absent where the mail is to an address and to nobody in the directory. */
  readonly userId?: string | undefined;
}

/** What became of a mail. `refused`: to try again is of no use, since nobody is there, say. A reason is for the log and holds no address. */
export type MailOutcome = SendOutcome | { readonly kind: "refused"; readonly reason: string };

/** Sends a mail, in 30 seconds at most: what takes longer counts as failed and is tried again later. */
export type MailTransport = (message: MailMessage) => Promise<MailOutcome>;

/** A call over HTTP that the service makes. */
export interface OutboundRequest {
  readonly method: "POST" | "PUT" | "GET";
  /** HTTP or HTTPS, without user info. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** How long a connection may take, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** How long all of the call may take, in milliseconds. */
  readonly timeoutMs: number;
}

/** Why a call was not answered. `forbiddenAddress`: the URL leads to an address that calls must not go to. */
export type OutboundFailure = "forbiddenAddress" | "timedOut" | "unreachable";

/** The answer of a call, its body cut off at 64 KiB, or why there is none. Redirects are answers. */
export type OutboundOutcome =
  | { readonly kind: "answered"; readonly status: number; readonly body: string }
  | { readonly kind: "failed"; readonly reason: OutboundFailure };

/** Makes the service's calls over HTTP. */
export interface HttpClient {
  /** Never rejects. */
  send(request: OutboundRequest): Promise<OutboundOutcome>;
  /** Closes connections that are kept open. */
  close(): Promise<void>;
}
