import { IdentityError } from "./identity-error.js";

/** A refusal as OAuth puts it (RFC 6749, 5.2). */
export interface OAuthErrorResponse {
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
  readonly error: string;
  readonly reason: string;
  readonly description: string;

  constructor({ status, error, reason, description }: OAuthErrorResponse, options?: ErrorOptions) {
    super(status, { generalErrors: [{ code: `[${reason}]`, message: description }] }, options);
    this.name = "OAuthError";
    this.error = error;
    this.reason = reason;
    this.description = description;
  }
}
