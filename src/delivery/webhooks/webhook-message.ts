import type { PublicJwk } from "../../security/keys/public-key-data.js";

/** A request that claims to be an event of the service, as a receiver got it. */
export interface WebhookMessage {
  /** Names in any case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it arrived: parsing and writing it again changes it. */
  readonly body: string | Uint8Array;
}

/** Distinguishes the service's events from forged ones: the shared secret, or the public keys of `/.well-known/jwks.json`. */
export interface WebhookKeys {
  /** The secret of the HMAC key that signs. */
  readonly secret?: string | undefined;
  /** The keys by the members of RFC 7517. */
  readonly jwks?: { readonly keys: readonly PublicJwk[] } | undefined;
  /** Default `X-Service-Signature-JWT`; the middle word is the one of the service's `names`. */
  readonly headerName?: string | undefined;
  /** How old a signature may be, in seconds. Default 300. */
  readonly toleranceSeconds?: number | undefined;
  /** Epoch milliseconds. Default `Date.now`. */
  readonly clock?: (() => number) | undefined;
}

/** A request that is no event of the service: unsigned, signed by somebody else, too old, or changed on its way. */
export class WebhookVerificationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "WebhookVerificationError";
  }
}
