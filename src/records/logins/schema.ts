import {
  data,
  flag,
  id,
  ipAddress,
  list,
  maxNameLength,
  newPassword,
  object,
  option,
  password,
  requiredText,
  type Schema,
  text,
  type WithDefaults,
} from "../../http/schema/fields.js";
import { loginIdTypes } from "../users/login-id-types.js";
import type { LoginIdType, User } from "../users/schema.js";

export type { LoginIdType };

/** The body of a login (docs/reference/tokens.md#login). */
export interface LoginRequest {
  /** The application that provides the tenant, keys and lifetimes; the token holds the rights of the user there. */
  readonly applicationId?: string | undefined;
  /** An email address or a user name. Needed with a password. */
  readonly loginId?: string | undefined;
  /** Default: email and username. */
  readonly loginIdTypes?: readonly LoginIdType[] | undefined;
  /** The password, at most 4,096 characters; required. */
  readonly password?: string | undefined;
  /** Replaces the password: the value that a password change returned. */
  readonly oneTimePassword?: string | undefined;
  /** The IP address of the user, for callers in between. Ignored from callers without a credential. */
  readonly ipAddress?: string | undefined;
  /** Metadata of the device, stored with the refresh token. */
  readonly metaData?: Readonly<Record<string, unknown>> | undefined;
  /** Whether the device is new, if the caller knows. Ignored from callers without a credential. Default: by the cookie. */
  readonly newDevice?: boolean | undefined;
  /** Whether to check the credentials only, without tokens. */
  readonly noJWT?: boolean | undefined;
  /** Replaces the second factor on a trusted device: the value that a login with `trustComputer` returned. */
  readonly twoFactorTrustId?: string | undefined;
}

export type ParsedLoginRequest = WithDefaults<LoginRequest, "noJWT">;

/** The response of a complete login; without tokens if the request asked for none. */
export interface LoginResponse {
  /** Detected threats (docs/reference/login-security.md#threats); absent without any. */
  readonly threatsDetected?: readonly string[];
  /** The access token, a JWT; absent with `noJWT`. */
  readonly token?: string;
  /** Epoch milliseconds. */
  readonly tokenExpirationInstant?: number;
  /** The refresh token; absent unless the application generates them. */
  readonly refreshToken?: string;
  /** The id of the refresh token, to revoke it. */
  readonly refreshTokenId?: string;
  /** The `state` of the start of the second factor. */
  readonly state?: Readonly<Record<string, unknown>>;
  /** Proof of the second factor for a password change; only after a separate start. Works once, for 180 s by default. */
  readonly trustToken?: string;
  /** The id of the trusted device, for later logins. */
  readonly twoFactorTrustId?: string;
  /** The logged-in user. */
  readonly user: User;
}

/** The response of a login that requires a new password (203). */
export interface PasswordChangeResponse {
  /** Always absent: only a complete login has tokens. @hidden */
  readonly token?: undefined;
  /** Detected threats (docs/reference/login-security.md#threats); absent without any. */
  readonly threatsDetected?: readonly string[];
  /** The id to choose a new password: `POST /api/user/change-password/{changePasswordId}`. Valid for ten minutes. */
  readonly changePasswordId: string;
  /** The reason: `Administrative` after `passwordChangeRequired` was set; the others by the rules of the tenant. */
  readonly changePasswordReason: "Administrative" | "Breached" | "Expired" | "Validation";
}

/** The response of a login that requires a verified email (212) or registration (213). */
export interface VerificationRequiredResponse {
  /** Always absent: only a complete login has tokens. @hidden */
  readonly token?: undefined;
  /** The id to verify the email, for the strategy `FormField`. */
  readonly emailVerificationId?: string;
  /** The id to verify the phone number, for the strategy `FormField`. */
  readonly identityVerificationId?: string;
  /** The id to verify the registration, for the strategy `FormField`. */
  readonly registrationVerificationId?: string;
}

/** The response of a login that requires a second factor (242). */
export interface SecondFactorResponse {
  /** Always absent: only a complete login has tokens. @hidden */
  readonly token?: undefined;
  /** Detected threats (docs/reference/login-security.md#threats); absent without any. */
  readonly threatsDetected?: readonly string[];
  /** The id of the login that waits for a code: valid once, by default for 300 s. */
  readonly twoFactorId: string;
  /** The methods that a user without any can add. Since 1.26.0. */
  readonly configurableMethods?: readonly string[];
  /** Whether a passkey of the user can finish the login; absent otherwise. Since 1.41.0. */
  readonly passkeyAllowed?: true;
  readonly [member: string]: unknown;
}

/** The body of a password change. */
export interface ChangePasswordRequest {
  /** The application of the mail templates. Default: that of the flow. */
  readonly applicationId?: string | undefined;
  /** Takes precedence over the id in the path. */
  readonly changePasswordId?: string | undefined;
  /** Needed with the user's own token. */
  readonly currentPassword?: string | undefined;
  /** The user, for a caller with a key. */
  readonly loginId?: string | undefined;
  /** Default: email and username. */
  readonly loginIdTypes?: readonly LoginIdType[] | undefined;
  /** The new password; it must pass the rules of the tenant. */
  readonly password: string;
  /** With the user's own token: the session that a login with the `oneTimePassword` continues, for its application and device. */
  readonly refreshToken?: string | undefined;
  /** The challenge of the start of the trust token. */
  readonly trustChallenge?: string | undefined;
  /** Proof of the second factor, for users that have one. */
  readonly trustToken?: string | undefined;
}

/** The id or the login id of a password change. */
export interface CheckPasswordChangeInput {
  /** The id that a flow issued. */
  readonly changePasswordId?: string;
  /** The user, for a caller with a key. */
  readonly loginId?: string;
}

/** The response of a password change. Empty for a caller with a key and a login id. */
export interface ChangePasswordResponse {
  /** Replaces the password in one login, within 60 seconds by default. */
  readonly oneTimePassword?: string;
  /** The `state` of the start of the flow. */
  readonly state?: Readonly<Record<string, unknown>>;
}

/** The body that starts the change of a forgotten password. */
export interface ForgotPasswordRequest {
  /** The application of the mail template. */
  readonly applicationId?: string | undefined;
  /** The id that a caller with a key chooses: at least 32 characters. Default: generated. */
  readonly changePasswordId?: string | undefined;
  readonly loginId: string;
  /** Default: email and username. */
  readonly loginIdTypes?: readonly LoginIdType[] | undefined;
  /** Whether to send the mail, from a caller with a key. Default true. */
  readonly sendForgotPasswordMessage?: boolean | undefined;
  /** Returned by the password change, and a variable of the mail. */
  readonly state?: Readonly<Record<string, unknown>> | undefined;
}

export type ParsedForgotPasswordRequest = ForgotPasswordRequest & { readonly isSent: boolean };

/** The response to a caller with a key; empty for other callers. */
export interface ForgotPasswordResponse {
  readonly changePasswordId?: string;
}

/** The body of a logout. */
export interface LogoutRequest {
  /** Whether to end all sessions of the user, not only this one. */
  readonly global?: boolean | undefined;
  /** Default: the one in the cookie. */
  readonly refreshToken?: string | undefined;
}

const types = (): Schema<readonly LoginIdType[] | undefined> =>
  list(option(loginIdTypes)).min(1, { error: "empty" }).max(3, { error: "tooMany" }).optional();

export const loginRequest: Schema<ParsedLoginRequest> = object({
  applicationId: id().optional(),
  loginId: requiredText(maxNameLength).optional(),
  loginIdTypes: types(),
  password: password().optional(),
  oneTimePassword: text().max(256, { error: "tooLong" }).optional(),
  ipAddress: ipAddress().optional(),
  metaData: data().optional(),
  newDevice: flag().optional(),
  noJWT: flag().default(false),
  twoFactorTrustId: text().max(1_000, { error: "tooLong" }).optional(),
}).superRefine(
  // Runs even if other members are invalid, so that one response reports all errors.
  ({ loginId, password, oneTimePassword }, context) => {
    if ((oneTimePassword ?? "") !== "") return;
    if ((password ?? "") === "") context.addIssue({ code: "custom", path: ["password"], message: "blank" });
    if (loginId === undefined) context.addIssue({ code: "custom", path: ["loginId"], message: "blank" });
  },
  { when: () => true },
);

const secret = (): Schema<string | undefined> => text().max(1_000, { error: "tooLong" }).optional();

export const changePasswordRequest: Schema<ChangePasswordRequest> = object({
  applicationId: id().optional(),
  changePasswordId: secret(),
  currentPassword: password().optional(),
  loginId: requiredText(maxNameLength).optional(),
  loginIdTypes: types(),
  password: newPassword(),
  refreshToken: secret(),
  trustChallenge: secret(),
  trustToken: secret(),
});

/** Accepts the names of earlier versions too: `email`, `username`, `sendForgotPasswordEmail`. */
export const forgotPasswordRequest: Schema<ParsedForgotPasswordRequest> = object({
  applicationId: id().optional(),
  changePasswordId: text().min(32, { error: "tooShort" }).max(1_000, { error: "tooLong" }).optional(),
  email: requiredText(maxNameLength).optional(),
  loginId: requiredText(maxNameLength).optional(),
  loginIdTypes: types(),
  sendForgotPasswordEmail: flag().optional(),
  sendForgotPasswordMessage: flag().optional(),
  state: data().optional(),
  username: requiredText(maxNameLength).optional(),
})
  .superRefine(({ email, loginId, username }, context) => {
    if ((loginId ?? email ?? username) === undefined) context.addIssue({ code: "custom", path: ["loginId"], message: "blank" });
  })
  .transform(({ email, sendForgotPasswordEmail, sendForgotPasswordMessage, username, ...request }) => ({
    ...request,
    loginId: request.loginId ?? email ?? username ?? "",
    isSent: sendForgotPasswordMessage ?? sendForgotPasswordEmail ?? true,
  }));

export const logoutRequest: Schema<WithDefaults<LogoutRequest, "global">> = object({
  global: flag().default(false),
  refreshToken: text().max(1_000, { error: "tooLong" }).optional(),
});

/** The state of a login by an identity provider between its start and the user's return. */
export interface PendingExternalLogin {
  readonly identityProviderId: string;
  /** Values that the client of the provider needs later, such as the PKCE verifier. */
  readonly memory: Readonly<Record<string, string>>;
  readonly redirectUri: string;
}

/** A passkey ceremony that waits for the response to its challenge. */
export interface PasskeyCeremony {
  readonly workflow: "bootstrap" | "general" | "reauthentication" | "secondFactor";
  /** The id of the pending login's record, for a second factor. */
  readonly pendingLoginId?: string | undefined;
  /** The id of the only passkey that may respond. */
  readonly credentialId?: string | undefined;
  /** The display name of a new passkey. */
  readonly displayName?: string | undefined;
  /** The name of a new passkey. */
  readonly name?: string | undefined;
  /** The browser that creates a new passkey. */
  readonly userAgent?: string | undefined;
}
