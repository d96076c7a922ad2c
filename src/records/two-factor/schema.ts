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

/** An application for which a device needs no second factor. Instants are epoch milliseconds. */
export interface TwoFactorTrust {
  /** The application that the user logged in to; absent for none. */
  readonly applicationId?: string | undefined;
  /** When the trust ends. */
  readonly expiration: number;
  /** When the user showed the second factor. */
  readonly startInstant: number;
}

/** A secret in one of its two forms (docs/reference/two-factor.md#secrets). */
export interface SecretFields {
  /** The secret as a text of 10 to 512 bytes in UTF-8. */
  readonly secret?: string | undefined;
  /** The bytes of the same secret in Base32, in any case. */
  readonly secretBase32Encoded?: string | undefined;
}

/** The body that enables a second factor before 1.26.0 (docs/reference/two-factor.md#legacy-calls). Without a secret: that of a code that was sent. */
export interface LegacyEnableRequest extends SecretFields {
  /** A current code of the secret: six digits. */
  readonly code: string;
  /** How codes reach the user: from an app (`None`) or as text messages. */
  readonly delivery: TwoFactorDelivery;
}

/** The body that adds a method from 1.26.0 on (docs/reference/two-factor.md). */
export interface EnableTwoFactorRequest extends SecretFields {
  /** The application whose templates the mails use. */
  readonly applicationId?: string | undefined;
  /** A current code of the secret, six digits; for the other kinds the code that was sent to the address or number. */
  readonly code: string;
  /** The address, for the kind `email`. */
  readonly email?: string | undefined;
  /** The kind of method; a user has at most ten. */
  readonly method: FactorKind;
  /** The number, for the kind `sms`: 3 to 40 digits and separators. */
  readonly mobilePhone?: string | undefined;
  /** What the user calls the method: at most 191 characters. */
  readonly name?: string | undefined;
  /** A login of the user that waits for a second factor: the method is added only while it waits. */
  readonly twoFactorId?: string | undefined;
}

/**
 * Whom a code is sent to. From 1.26.0 on, a method of the user that is to be removed, or an address or number that is to become a method.
 * Before, a user with a second factor, or a number, with the code of a secret.
 */
export interface SendCodeRequest {
  /** The application whose templates the mail uses. Since 1.26.0. */
  readonly applicationId?: string | undefined;
  /** The address, for the kind `email`. Since 1.26.0. */
  readonly email?: string | undefined;
  /** The kind of the method that is to be added. Since 1.26.0. */
  readonly method?: "email" | "sms" | undefined;
  /** A method of the user. Since 1.26.0. */
  readonly methodId?: string | undefined;
  /** The number, for the kind `sms`: 3 to 40 digits and separators. Before 1.26.0 it needs `secret`. */
  readonly mobilePhone?: string | undefined;
  /** Before 1.26.0: the secret that makes the code, as a text; needs `mobilePhone`. */
  readonly secret?: string | undefined;
  /** The user; left out, the user whose token calls. */
  readonly userId?: string | undefined;
}

/** The body that starts a second factor apart from a login: of a `userId` or a `loginId`. */
export interface StartTwoFactorRequest {
  /** The application that the user logs in to. */
  readonly applicationId?: string | undefined;
  /** The code that finishes it: at least six characters. Default: generated. */
  readonly code?: string | undefined;
  readonly loginId?: string | undefined;
  /** Default: email and username. */
  readonly loginIdTypes?: readonly LoginIdType[] | undefined;
  /** Returned at the end. */
  readonly state?: Readonly<Record<string, unknown>> | undefined;
  /** What the presenter of the trust token must repeat. */
  readonly trustChallenge?: string | undefined;
  readonly userId?: string | undefined;
}

/** The answer of the start. */
export interface StartTwoFactorResponse {
  /** Finishes it once, for 60 s by default. Send it yourself, or have the service send another. */
  readonly code: string;
  /** The methods of the user. */
  readonly methods: readonly TwoFactorMethod[];
  /** Names it in the calls that send a code and that finish it. */
  readonly twoFactorId: string;
}

/** The body that asks whether a user needs a second factor. */
export interface TwoFactorStatusRequest {
  /** The token of the user, for the action `stepUp`: a lambda sees it. */
  readonly accessToken?: string | undefined;
  /** What the user wants to do. Default `login`. */
  readonly action?: "changePassword" | "login" | "stepUp" | undefined;
  /** Where. */
  readonly applicationId?: string | undefined;
  /** What the user's device presents. */
  readonly twoFactorTrustId?: string | undefined;
  readonly userId: string;
}

/** The answer: 200 where no second factor is needed, 242 where one is. */
export interface TwoFactorStatusResponse {
  /** Where the device is trusted. */
  readonly trusts: readonly TwoFactorTrust[];
  /** What was presented, where the device is trusted somewhere. */
  readonly twoFactorTrustId?: string;
}

/** The body that changes a method: its name. */
export interface UpdateTwoFactorRequest {
  readonly methodId: string;
  /** What the user calls the method: at most 191 characters; empty for no name. */
  readonly name?: string | undefined;
}

/** By which method a code is sent for a login, from 1.26.0 on. */
export interface SendPendingCodeRequest {
  /** The method of the user that sends the code. */
  readonly methodId?: string | undefined;
}

/** The body that finishes a login (docs/reference/tokens.md#login): with a `code`, or with the `credential` of a passkey. */
export interface TwoFactorLoginRequest {
  /** Of the second factor, or a recovery code. */
  readonly code?: string | undefined;
  /** What `navigator.credentials.get()` returned for a challenge of this login, by its `toJSON()`. */
  readonly credential?: AssertedCredential | undefined;
  /** The page's `location.origin`; needed with a `credential`. */
  readonly origin?: string | undefined;
  /** The domain of the passkey: that of the options; needed with a `credential`. */
  readonly rpId?: string | undefined;
  /** What the login answered. */
  readonly twoFactorId: string;
  /** As the login said, unless it is said here. */
  readonly noJWT?: boolean | undefined;
  /** Whether later logins from this device need no second factor: the answer has a `twoFactorTrustId`. Default false. */
  readonly trustComputer?: boolean | undefined;
}

/** What finishes a login with a code. */
export type CodeLoginRequest = Omit<TwoFactorLoginRequest, keyof PasskeyAssertRequest> & { readonly code: string };

/** What finishes a login with a passkey. */
export type SecondPasskeyRequest = Omit<TwoFactorLoginRequest, "code"> & PasskeyAssertRequest;

/** What the browser needs to finish a login with a passkey. */
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
