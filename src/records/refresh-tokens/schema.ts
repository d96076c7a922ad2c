import { object, type Schema, text } from "../../http/schema/fields.js";

/** A refresh token on the wire. Its value is shown once, to the user who logs in. */
export interface RefreshToken {
  /** Absent for a login to no application. */
  readonly applicationId?: string | undefined;
  /** The UUID of the token, by which you can revoke it. */
  readonly id: string;
  /** When the token was issued, in epoch milliseconds. */
  readonly insertInstant: number;
  /** What the login said about the device. */
  readonly metaData?: Readonly<Record<string, unknown>> | undefined;
  /** When the user logged in. */
  readonly startInstant: number;
  /** The tenant of the user. */
  readonly tenantId: string;
  /** The user whom the token was issued to. */
  readonly userId: string;
}

/** When and how a user authenticated. Tokens that are issued later, such as refreshed ones, keep it. */
export interface Proof {
  /**
   * Epoch milliseconds: the latest end of earlier proofs that the checked record knew, or its beginning. Earlier versions recorded the moment
   * of the proof. Later ends have later instants.
   */
  readonly at: number;
  /** The same of a second factor that was shown later. */
  readonly factorAt?: number | undefined;
  /** The latest instant that the proof may be of, where an earlier version recorded less: seconds, or nothing. */
  readonly until?: number | undefined;
  /** The types of authentication, such as `PASSWORD` and `TWO_FACTOR`. */
  readonly by: readonly string[];
}

/** Members of a stored refresh token that the wire does not show. */
export interface HiddenRefreshToken {
  /** The thumbprint of the key that the token is bound to (RFC 9449). */
  readonly jkt?: string | undefined;
  /** What the OpenID provider stores with a token of its own, sealed: its clients alone refresh by it. */
  readonly openId?: string | undefined;
  /** When the token ends, in epoch milliseconds; absent in tokens of earlier versions and in those of the OpenID provider. */
  readonly until?: number | undefined;
  /** Whether a front door, such as the console, renews the session: it alone refreshes by the token. */
  readonly isOfDoor?: boolean | undefined;
  /** Whether the user was registered to the application. */
  readonly isRegistered?: boolean | undefined;
  /** How the user proved who they are; absent in tokens of earlier versions. */
  readonly proof?: Proof | undefined;
}

/** The body of POST. Both may come as cookies; `token` is the access token that the new one takes the place of. */
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
