import { object, type Schema, text } from "../../http/schema/fields.js";

/** A refresh token on the wire. Its value appears once, in the response of the login. */
export interface RefreshToken {
  /** Absent for a login without an application. */
  readonly applicationId?: string | undefined;
  /** The UUID of the token, to revoke it. */
  readonly id: string;
  /** When the token was issued, in epoch milliseconds. */
  readonly insertInstant: number;
  /** Metadata of the device, from the login. */
  readonly metaData?: Readonly<Record<string, unknown>> | undefined;
  /** The instant of the login, in epoch milliseconds. */
  readonly startInstant: number;
  /** The tenant of the user. */
  readonly tenantId: string;
  /** The user of the token. */
  readonly userId: string;
}

/** The time and method of an authentication. Later tokens, such as refreshed ones, inherit it. */
export interface Proof {
  /**
   * Epoch milliseconds: the creation of the user, or the latest end of earlier proofs in the user record that the check read.
   * Earlier versions recorded the instant of the proof.
   */
  readonly at: number;
  /** The same for a later second factor. */
  readonly factorAt?: number | undefined;
  /** The latest possible instant of the proof, if an earlier version recorded only seconds, or nothing. */
  readonly until?: number | undefined;
  /** The types of authentication, such as `PASSWORD` and `TWO_FACTOR`. */
  readonly by: readonly string[];
}

/** Hidden members of a stored refresh token. */
export interface HiddenRefreshToken {
  /** The thumbprint of the key that the token is bound to (RFC 9449). */
  readonly jkt?: string | undefined;
  /** The sealed data of the OpenID provider, in its own tokens: only its clients can refresh with them. */
  readonly openId?: string | undefined;
  /** The end of the token, in epoch milliseconds; absent in tokens of earlier versions and of the OpenID provider. */
  readonly until?: number | undefined;
  /** Whether a front end of the service, such as the console, renews the session: only it can refresh with the token. */
  readonly isOfDoor?: boolean | undefined;
  /** Whether the user was registered to the application. */
  readonly isRegistered?: boolean | undefined;
  /** The authentication of the user; absent in tokens of earlier versions. */
  readonly proof?: Proof | undefined;
}

/** The body of POST. Cookies can replace both members. */
export interface RefreshRequest {
  /** The refresh token. Default: the one in the cookie. */
  readonly refreshToken?: string | undefined;
  /** The access token that the new one replaces. Default: the one in the cookie. */
  readonly token?: string | undefined;
}

export const refreshRequest: Schema<RefreshRequest> = object({
  refreshToken: text().max(1_000, { error: "tooLong" }).optional(),
  token: text().optional(),
});
