import { IdentityError } from "./identity-error.js";

/** A refusal as OAuth puts it (RFC 6749, 5.2). */
export interface OAuthErrorResponse {
  /** The HTTP status: 400 or 401. */
  readonly status: number;
  /** One of a few words that every client knows. */
  readonly error: string;
  /** What exactly is wrong (docs/reference/oauth.md). */
  readonly reason: string;
  /** An English sentence; not part of the contract. */
  readonly description: string;
}

/** A refusal of the token endpoint or of introspection: over HTTP it has the body that OAuth wants; in process `reason` says what is wrong. */
export class OAuthError extends IdentityError {
  /** The error code of RFC 6749, such as `invalid_client`. */
  readonly error: string;
  /** What exactly is wrong; stable (docs/reference/oauth.md). */
  readonly reason: string;
  /** An English sentence; not part of the contract. */
  readonly description: string;

  constructor({ status, error, reason, description }: OAuthErrorResponse, options?: ErrorOptions) {
    super(status, { generalErrors: [{ code: `[${reason}]`, message: description }] }, options);
    this.name = "OAuthError";
    this.error = error;
    this.reason = reason;
    this.description = description;
  }
}
