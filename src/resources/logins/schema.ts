import {
  data,
  flag,
  id,
  list,
  maxNameLength,
  object,
  option,
  requiredText,
  type Schema,
  text,
} from "../../http/schema/fields.js";
import { parseIpAddress } from "../../shared/ip-address.js";
import { loginIdTypes } from "../users/family.js";
import { type LoginIdType, newPassword, type User } from "../users/schema.js";

export type { LoginIdType };

/** The body of a login (docs/reference/tokens.md#login). */
export interface LoginRequest {
  /** Whose tenant, keys and lifetimes count; the token says what the user may do there. */
  readonly applicationId?: string | undefined;
  /** An email address or a user name. */
  readonly loginId: string;
  /** Default: email and username. */
  readonly loginIdTypes?: readonly LoginIdType[] | undefined;
  /** The password, at most 256 characters; required. */
  readonly password?: string | undefined;
  /** Taken and never right: this service hands none out. */
  readonly oneTimePassword?: string | undefined;
  /** Where the user is, when the caller is somebody between; believed from callers with a credential. */
  readonly ipAddress?: string | undefined;
  /** Kept with the refresh token: what device it is for. */
  readonly metaData?: Readonly<Record<string, unknown>> | undefined;
  /** Only check, and hand no tokens out. */
  readonly noJWT?: boolean | undefined;
}

/** A login request whose defaults are filled in. */
export type ParsedLoginRequest = LoginRequest & { readonly noJWT: boolean };

/** The answer of a login that is complete. Without tokens when none were wanted. */
export interface LoginResponse {
  /** The access token, a JWT; absent with `noJWT`. */
  readonly token?: string;
  /** Epoch milliseconds. */
  readonly tokenExpirationInstant?: number;
  /** The refresh token; absent unless the application generates them. */
  readonly refreshToken?: string;
  /** The id of the refresh token, by which you can revoke it. */
  readonly refreshTokenId?: string;
  /** The user who logged in. */
  readonly user: User;
}

/** The answer of a login whose password must be changed first (203). */
export interface PasswordChangeResponse {
  /** Names the right to choose a new one: `POST /api/user/change-password/{changePasswordId}`. Good for ten minutes. */
  readonly changePasswordId: string;
  /** Why: an administrator set `passwordChangeRequired`. */
  readonly changePasswordReason: "Administrative";
}

/** The answer of a login that needs a second factor (242). */
export interface SecondFactorResponse {
  /** Names the login that waits for a code: valid once, by default for 300 s. */
  readonly twoFactorId: string;
  readonly [member: string]: unknown;
}

/** The body of a password change. */
export interface ChangePasswordRequest {
  /** The new password: 8 to 256 characters. */
  readonly password: string;
}

/** The body of a logout. */
export interface LogoutRequest {
  /** End all sessions of the user, not this one alone. */
  readonly global?: boolean | undefined;
  /** Default: the one in the cookie. */
  readonly refreshToken?: string | undefined;
}

/** A logout request whose defaults are filled in. */
export type ParsedLogoutRequest = LogoutRequest & { readonly global: boolean };

export const loginRequest: Schema<ParsedLoginRequest> = object({
  applicationId: id().optional(),
  loginId: requiredText(maxNameLength),
  loginIdTypes: list(option(loginIdTypes)).min(1, { error: "empty" }).max(3, { error: "tooMany" }).optional(),
  password: text().max(256, { error: "tooLong" }).optional(),
  oneTimePassword: text().max(256, { error: "tooLong" }).optional(),
  ipAddress: text()
    .refine((value) => value === "" || parseIpAddress(value) !== undefined, { error: "invalid" })
    .optional(),
  metaData: data().optional(),
  noJWT: flag().default(false),
}).superRefine(
  // Also when a field is of the wrong type, so that all errors are reported at once.
  ({ password, oneTimePassword }, context) => {
    if ((password ?? "") === "" && (oneTimePassword ?? "") === "")
      context.addIssue({ code: "custom", path: ["password"], message: "blank" });
  },
  { when: () => true },
);

export const changePasswordRequest: Schema<ChangePasswordRequest> = object({ password: newPassword() });

export const logoutRequest: Schema<ParsedLogoutRequest> = object({
  global: flag().default(false),
  refreshToken: text().max(1_000, { error: "tooLong" }).optional(),
});
