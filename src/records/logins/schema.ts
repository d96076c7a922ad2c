import {
  data,
  flag,
  id,
  ipAddress,
  list,
  maxNameLength,
  object,
  option,
  requiredText,
  type Schema,
  text,
} from "../../http/schema/fields.js";
import { loginIdTypes } from "../users/login-id-types.js";
import { type LoginIdType, newPassword, type User } from "../users/schema.js";

export type { LoginIdType };

/** The body of a login (docs/reference/tokens.md#login). */
export interface LoginRequest {
  /** Whose tenant, keys and lifetimes count; the token says what the user may do there. */
  readonly applicationId?: string | undefined;
  /** An email address or a user name. Needed with a password. */
  readonly loginId?: string | undefined;
  /** Default: email and username. */
  readonly loginIdTypes?: readonly LoginIdType[] | undefined;
  /** The password, at most 256 characters; required. */
  readonly password?: string | undefined;
  /** In place of the password: what a change of the password returned. */
  readonly oneTimePassword?: string | undefined;
  /** Where the user is, when the caller is somebody between; believed from callers with a credential. */
  readonly ipAddress?: string | undefined;
  /** Kept with the refresh token: what device it is for. */
  readonly metaData?: Readonly<Record<string, unknown>> | undefined;
  /** Whether the user logs in with a new device, where the caller knows; believed from callers with a credential. Default: by the cookie. */
  readonly newDevice?: boolean | undefined;
  /** Only check, and hand no tokens out. */
  readonly noJWT?: boolean | undefined;
  /** Makes a second factor unnecessary on a trusted device: what a login with `trustComputer` returned. */
  readonly twoFactorTrustId?: string | undefined;
}

/** A login request whose defaults are filled in. */
export type ParsedLoginRequest = LoginRequest & { readonly noJWT: boolean };

/** The answer of a login that is complete. Without tokens when none were wanted. */
export interface LoginResponse {
  /** What speaks against the login (docs/reference/login-security.md#threats); absent where nothing does. */
  readonly threatsDetected?: readonly string[];
  /** The access token, a JWT; absent with `noJWT`. */
  readonly token?: string;
  /** Epoch milliseconds. */
  readonly tokenExpirationInstant?: number;
  /** The refresh token; absent unless the application generates them. */
  readonly refreshToken?: string;
  /** The id of the refresh token, by which you can revoke it. */
  readonly refreshTokenId?: string;
  /** What the second factor was started with. */
  readonly state?: Readonly<Record<string, unknown>>;
  /** Proves to a change of the password that the second factor was shown; after a start alone. Works once, for 180 s by default. */
  readonly trustToken?: string;
  /** Names the trusted device: present it at later logins. */
  readonly twoFactorTrustId?: string;
  /** The user who logged in. */
  readonly user: User;
}

/** The answer of a login whose password must be changed first (203). */
export interface PasswordChangeResponse {
  /** Never here: a login has tokens when it is complete. @hidden */
  readonly token?: undefined;
  /** What speaks against the login (docs/reference/login-security.md#threats); absent where nothing does. */
  readonly threatsDetected?: readonly string[];
  /** Names the right to choose a new one: `POST /api/user/change-password/{changePasswordId}`. Good for ten minutes. */
  readonly changePasswordId: string;
  /** Why: `Administrative` where `passwordChangeRequired` was set; the others by the rules of the tenant. */
  readonly changePasswordReason: "Administrative" | "Breached" | "Expired" | "Validation";
}

/** The answer of a login whose email (212) or registration (213) must be verified first. */
export interface VerificationRequiredResponse {
  /** Never here: a login has tokens when it is complete. @hidden */
  readonly token?: undefined;
  /** What verifies the email, for the strategy `FormField`. */
  readonly emailVerificationId?: string;
  /** What verifies the phone number, for the strategy `FormField`. */
  readonly identityVerificationId?: string;
  /** What verifies the registration, for the strategy `FormField`. */
  readonly registrationVerificationId?: string;
}

/** The answer of a login that needs a second factor (242). */
export interface SecondFactorResponse {
  /** Never here: a login has tokens when it is complete. @hidden */
  readonly token?: undefined;
  /** What speaks against the login (docs/reference/login-security.md#threats); absent where nothing does. */
  readonly threatsDetected?: readonly string[];
  /** Names the login that waits for a code: valid once, by default for 300 s. */
  readonly twoFactorId: string;
  /** The kinds of methods that a user without any can add. Since 1.26.0. */
  readonly configurableMethods?: readonly string[];
  /** Whether a passkey of the user can finish the login; absent where none can. Since 1.41.0. */
  readonly passkeyAllowed?: true;
  readonly [member: string]: unknown;
}

/** The body of a password change. */
export interface ChangePasswordRequest {
  /** The application whose templates the mails use. Default: that of the flow. */
  readonly applicationId?: string | undefined;
  /** Takes precedence over the id in the path. */
  readonly changePasswordId?: string | undefined;
  /** Needed with the user's own token. */
  readonly currentPassword?: string | undefined;
  /** Names the user for a caller with a key. */
  readonly loginId?: string | undefined;
  /** Default: email and username. */
  readonly loginIdTypes?: readonly LoginIdType[] | undefined;
  /** The new password; it must pass the rules of the tenant. */
  readonly password: string;
  /** With the user's own token: the session that a login with the `oneTimePassword` continues, for its application and device. */
  readonly refreshToken?: string | undefined;
  /** What the trust token was started with. */
  readonly trustChallenge?: string | undefined;
  /** Proves the second factor of a user who has one. */
  readonly trustToken?: string | undefined;
}

/** What a password can be changed by. */
export interface CheckPasswordChangeInput {
  /** The id that a flow issued. */
  readonly changePasswordId?: string;
  /** Names the user for a caller with a key. */
  readonly loginId?: string;
}

/** The answer of a change of the password. Empty for a caller with a key and a login id. */
export interface ChangePasswordResponse {
  /** Logs the user in once, in place of the password, within 60 seconds by default. */
  readonly oneTimePassword?: string;
  /** What the flow was started with. */
  readonly state?: Readonly<Record<string, unknown>>;
}

/** The body that starts the change of a forgotten password. */
export interface ForgotPasswordRequest {
  /** The application whose template the mail uses. */
  readonly applicationId?: string | undefined;
  /** Chosen by a caller with a key: at least 32 characters. Default: generated. */
  readonly changePasswordId?: string | undefined;
  readonly loginId: string;
  /** Default: email and username. */
  readonly loginIdTypes?: readonly LoginIdType[] | undefined;
  /** Whether a caller with a key wants the mail to be sent. Default true. */
  readonly sendForgotPasswordMessage?: boolean | undefined;
  /** Returned by the change of the password, and a variable of the mail. */
  readonly state?: Readonly<Record<string, unknown>> | undefined;
}

/** A request for a forgotten password whose defaults are filled in. */
export type ParsedForgotPasswordRequest = ForgotPasswordRequest & { readonly isSent: boolean };

/** The answer of the start, to a caller with a key; any other gets none. */
export interface ForgotPasswordResponse {
  readonly changePasswordId?: string;
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

const types = (): Schema<readonly LoginIdType[] | undefined> =>
  list(option(loginIdTypes)).min(1, { error: "empty" }).max(3, { error: "tooMany" }).optional();

export const loginRequest: Schema<ParsedLoginRequest> = object({
  applicationId: id().optional(),
  loginId: requiredText(maxNameLength).optional(),
  loginIdTypes: types(),
  password: text().max(256, { error: "tooLong" }).optional(),
  oneTimePassword: text().max(256, { error: "tooLong" }).optional(),
  ipAddress: ipAddress().optional(),
  metaData: data().optional(),
  newDevice: flag().optional(),
  noJWT: flag().default(false),
  twoFactorTrustId: text().max(1_000, { error: "tooLong" }).optional(),
}).superRefine(
  // Also when a field is of the wrong type, so that all errors are reported at once.
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
  currentPassword: secret(),
  loginId: requiredText(maxNameLength).optional(),
  loginIdTypes: types(),
  password: newPassword(),
  refreshToken: secret(),
  trustChallenge: secret(),
  trustToken: secret(),
});

/** The words of earlier versions are understood as well: `email`, `username`, `sendForgotPasswordEmail`. */
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

export const logoutRequest: Schema<ParsedLogoutRequest> = object({
  global: flag().default(false),
  refreshToken: text().max(1_000, { error: "tooLong" }).optional(),
});

/** A login by an identity provider that was started, until the user comes back. */
export interface PendingExternalLogin {
  readonly identityProviderId: string;
  /** What the client of the provider needs, such as the PKCE verifier. */
  readonly memory: Readonly<Record<string, string>>;
  readonly redirectUri: string;
}

/** What began with a challenge for a passkey. */
export interface PasskeyCeremony {
  readonly workflow: "bootstrap" | "general" | "reauthentication" | "secondFactor";
  /** The id of the record of the login that waits for the answer, for a second factor. */
  readonly pendingLoginId?: string | undefined;
  /** The id of the record of the only passkey that may answer. */
  readonly credentialId?: string | undefined;
  /** Of a new passkey. */
  readonly displayName?: string | undefined;
  /** Of a new passkey. */
  readonly name?: string | undefined;
  /** The browser that makes a new passkey. */
  readonly userAgent?: string | undefined;
}
