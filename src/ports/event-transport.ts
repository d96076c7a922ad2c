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

/** The methods that calls may have. */
export const outboundMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** A call over HTTP that the service makes. */
export interface OutboundRequest {
  readonly method: (typeof outboundMethods)[number];
  /** HTTP or HTTPS, without user info. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
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
  /** Closes connections that are kept open. */
  close(): Promise<void>;
}
