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
import { foldOneTimeCode } from "../factors/one-time-code.js";
import { type FactorKind, factorKinds, type TwoFactorDelivery, type TwoFactorMethod } from "../factors/two-factor-state.js";
import { type AssertedCredential, assertion, type PasskeyAssertRequest, type PasskeyRequestOptions } from "../passkeys/schema.js";
import { loginIdTypes } from "../users/login-id-types.js";
import type { LoginIdType } from "../users/schema.js";

/** An application that a device may log in to without a second factor. Instants are epoch milliseconds. */
export interface TwoFactorTrust {
  /** The application that the user logged in to; absent for none. */
  readonly applicationId?: string | undefined;
  /** The end of the trust. */
  readonly expiration: number;
  /** The instant of the second factor. */
  readonly startInstant: number;
}

/** A secret in one of its two forms (docs/reference/two-factor.md#secrets). */
export interface SecretFields {
  /** The secret as a text of 10 to 512 bytes in UTF-8. */
  readonly secret?: string | undefined;
  /** The same secret in Base32, in any case. */
  readonly secretBase32Encoded?: string | undefined;
}

/**
 * The body that enables a second factor before 1.26.0 (docs/reference/two-factor.md#legacy-calls). Without a secret: that of a
 * sent code.
 */
export interface LegacyEnableRequest extends SecretFields {
  /** A current code of the secret: six digits. */
  readonly code: string;
  /** The delivery of codes: by an app (`None`) or as text messages. */
  readonly delivery: TwoFactorDelivery;
}

/** The body that adds a method from 1.26.0 on (docs/reference/two-factor.md). */
export interface EnableTwoFactorRequest extends SecretFields {
  /** The application of the mail templates. */
  readonly applicationId?: string | undefined;
  /** A current code of the secret, six digits; for the other kinds the code sent to the address or number. */
  readonly code: string;
  /** The address, for the kind `email`. */
  readonly email?: string | undefined;
  /** The kind of method; a user has at most ten. */
  readonly method: FactorKind;
  /** The number, for the kind `sms`: 3 to 40 digits and separators. */
  readonly mobilePhone?: string | undefined;
  /** The name that the user gives the method: at most 191 characters. */
  readonly name?: string | undefined;
  /** A pending login of the user: the method is added only while it is pending. */
  readonly twoFactorId?: string | undefined;
}

/**
 * The target of a code. From 1.26.0 on: a method of the user to remove, or an address or number to add as a method. Before: a
 * user with a second factor, or a number with the secret of the code.
 */
export interface SendCodeRequest {
  /** The application of the mail template. Since 1.26.0. */
  readonly applicationId?: string | undefined;
  /** The address, for the kind `email`. Since 1.26.0. */
  readonly email?: string | undefined;
  /** The kind of the method to add. Since 1.26.0. */
  readonly method?: "email" | "sms" | undefined;
  /** A method of the user. Since 1.26.0. */
  readonly methodId?: string | undefined;
  /** The number, for the kind `sms`: 3 to 40 digits and separators. Before 1.26.0 it needs `secret`. */
  readonly mobilePhone?: string | undefined;
  /** Before 1.26.0: the secret of the code, as a text; needs `mobilePhone`. */
  readonly secret?: string | undefined;
  /** The user. Default: the user of the token. */
  readonly userId?: string | undefined;
}

/** The body that starts a second factor independent of a login, by `userId` or `loginId`. */
export interface StartTwoFactorRequest {
  /** The application that the user logs in to. */
  readonly applicationId?: string | undefined;
  /** The code that completes it: at least six characters. Default: generated. */
  readonly code?: string | undefined;
  readonly loginId?: string | undefined;
  /** Default: email and username. */
  readonly loginIdTypes?: readonly LoginIdType[] | undefined;
  /** Returned by the completion. */
  readonly state?: Readonly<Record<string, unknown>> | undefined;
  /** A value that the presenter of the trust token must repeat. */
  readonly trustChallenge?: string | undefined;
  readonly userId?: string | undefined;
}

/** The response of the start. */
export interface StartTwoFactorResponse {
  /** Completes it once, within 60 s by default. Send it yourself, or let the service send another one. */
  readonly code: string;
  /** The methods of the user. */
  readonly methods: readonly TwoFactorMethod[];
  /** The id for the calls that send a code and complete it. */
  readonly twoFactorId: string;
}

/** The body of a status check. */
export interface TwoFactorStatusRequest {
  /** The token of the user, for the action `stepUp`; an argument of the lambda. */
  readonly accessToken?: string | undefined;
  /** The intended action. Default `login`. */
  readonly action?: "changePassword" | "login" | "stepUp" | undefined;
  /** The application of the action. */
  readonly applicationId?: string | undefined;
  /** The trust id of the user's device. */
  readonly twoFactorTrustId?: string | undefined;
  readonly userId: string;
}

/** The response: 200 if no second factor is needed, else 242. */
export interface TwoFactorStatusResponse {
  /** The applications that trust the device. */
  readonly trusts: readonly TwoFactorTrust[];
  /** The trust id of the request, if any application trusts the device. */
  readonly twoFactorTrustId?: string;
}

/** The body that renames a method. */
export interface UpdateTwoFactorRequest {
  readonly methodId: string;
  /** The name that the user gives the method: at most 191 characters; empty for no name. */
  readonly name?: string | undefined;
}

/** The method that sends a code for a login, from 1.26.0 on. */
export interface SendPendingCodeRequest {
  /** A method of the user. */
  readonly methodId?: string | undefined;
}

/** The body that completes a login (docs/reference/tokens.md#login): with a `code`, or with the `credential` of a passkey. */
export interface TwoFactorLoginRequest {
  /** A code of the second factor, or a recovery code. */
  readonly code?: string | undefined;
  /** The result of `navigator.credentials.get()` for a challenge of this login, by its `toJSON()`. */
  readonly credential?: AssertedCredential | undefined;
  /** The page's `location.origin`; needed with a `credential`. */
  readonly origin?: string | undefined;
  /** The RP ID of the options; needed with a `credential`. */
  readonly rpId?: string | undefined;
  /** The id in the response of the login. */
  readonly twoFactorId: string;
  /** Whether to issue no tokens. Default: the value of the login request. */
  readonly noJWT?: boolean | undefined;
  /** Whether later logins from this device skip the second factor: the response has a `twoFactorTrustId`. Default false. */
  readonly trustComputer?: boolean | undefined;
}

/** A completion with a code. */
export type CodeLoginRequest = Omit<TwoFactorLoginRequest, keyof PasskeyAssertRequest> & { readonly code: string };

/** A completion with a passkey. */
export type SecondPasskeyRequest = Omit<TwoFactorLoginRequest, "code"> & PasskeyAssertRequest;

/** The options to complete a login with a passkey. */
export interface StartPasskeyResponse {
  /** For `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
  readonly options: PasskeyRequestOptions;
}

const code = () => requiredText(100).trim();
const targetFields = {
  applicationId: id().optional(),
  email: text().max(320, { error: "tooLong" }).optional(),
  mobilePhone: text().max(255, { error: "tooLong" }).optional(),
};
const secretFields = { secret: text().optional(), secretBase32Encoded: text().optional() };

export const legacyEnableRequest: Schema<LegacyEnableRequest> = object({
  code: code(),
  delivery: option(["None", "TextMessage"]),
  ...secretFields,
});

export const enableTwoFactorRequest: Schema<EnableTwoFactorRequest> = object({
  ...targetFields,
  code: code(),
  method: option(factorKinds),
  name: text().max(maxNameLength, { error: "tooLong" }).optional(),
  twoFactorId: text().optional(),
  ...secretFields,
});

export const sendCodeRequest: Schema<SendCodeRequest> = object({
  ...targetFields,
  method: option(["email", "sms"]).optional(),
  methodId: id().optional(),
  secret: text().optional(),
  userId: id().optional(),
});

export const startTwoFactorRequest: Schema<StartTwoFactorRequest> = object({
  applicationId: id().optional(),
  code: code()
    .min(6, { error: "tooShort" })
    .refine((value) => foldOneTimeCode(value).length >= 6, { error: "tooShort" })
    .optional(),
  loginId: requiredText(maxNameLength).optional(),
  loginIdTypes: list(option(loginIdTypes)).min(1, { error: "empty" }).max(3, { error: "tooMany" }).optional(),
  state: data().optional(),
  trustChallenge: text().max(1_000, { error: "tooLong" }).optional(),
  userId: id().optional(),
});

export const twoFactorStatusRequest: Schema<TwoFactorStatusRequest> = object({
  accessToken: text().max(100_000, { error: "tooLong" }).optional(),
  action: option(["changePassword", "login", "stepUp"]).optional(),
  applicationId: id().optional(),
  twoFactorTrustId: text().max(1_000, { error: "tooLong" }).optional(),
  userId: id(),
});

export const updateTwoFactorRequest: Schema<UpdateTwoFactorRequest> = object({
  methodId: id(),
  name: text().max(maxNameLength, { error: "tooLong" }).optional(),
});

export const sendPendingCodeRequest: Schema<SendPendingCodeRequest> = object({ methodId: id().optional() });

const loginFields = () => ({
  twoFactorId: text()
    .default("")
    .refine((value) => value !== "", { error: "missing" }),
  noJWT: flag().optional(),
  trustComputer: flag().optional(),
});

export const twoFactorLoginRequest: Schema<CodeLoginRequest> = object({ ...loginFields(), code: code() });

export const passkeyLoginRequest: Schema<SecondPasskeyRequest> = object({ ...loginFields(), ...assertion() });
