import { flag, id, object, option, requiredText, type Schema, text } from "../../http/schema/fields.js";
import type { TwoFactorDelivery } from "../users/two-factor-state.js";

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
  /** A current code of the secret: six digits. */
  readonly code: string;
  /** The kind of method; a user has at most ten. */
  readonly method: "authenticator";
}

/** Whom a code is sent to: a user with a second factor, or a number, with the code of a secret. */
export interface SendCodeRequest {
  /** The user whose second factor makes the code. */
  readonly userId?: string | undefined;
  /** The number to send to: 3 to 40 digits and separators; needs `secret`. */
  readonly mobilePhone?: string | undefined;
  /** The secret that makes the code, as a text; needs `mobilePhone`. */
  readonly secret?: string | undefined;
}

/** By which method a code is sent for a login, from 1.26.0 on. */
export interface SendPendingCodeRequest {
  /** The method of the user that sends the code. */
  readonly methodId?: string | undefined;
}

/** The body that finishes a login (docs/reference/tokens.md#login). */
export interface TwoFactorLoginRequest {
  /** Of the second factor, or a recovery code. */
  readonly code: string;
  /** What the login answered. */
  readonly twoFactorId: string;
  /** As the login said, unless it is said here. */
  readonly noJWT?: boolean | undefined;
}

const code = () => requiredText(100).trim();
const secretFields = { secret: text().optional(), secretBase32Encoded: text().optional() };

export const legacyEnableRequest: Schema<LegacyEnableRequest> = object({
  code: code(),
  delivery: option(["None", "TextMessage"]),
  ...secretFields,
});

export const enableTwoFactorRequest: Schema<EnableTwoFactorRequest> = object({
  code: code(),
  method: option(["authenticator"]),
  ...secretFields,
});

export const sendCodeRequest: Schema<SendCodeRequest> = object({
  userId: id().optional(),
  mobilePhone: text().max(255, { error: "tooLong" }).optional(),
  secret: text().optional(),
});

export const sendPendingCodeRequest: Schema<SendPendingCodeRequest> = object({ methodId: id().optional() });

export const twoFactorLoginRequest: Schema<TwoFactorLoginRequest> = object({
  code: code(),
  twoFactorId: text()
    .default("")
    .refine((value) => value !== "", { error: "missing" }),
  noJWT: flag().optional(),
});
