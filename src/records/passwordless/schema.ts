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
  type text,
  type WithDefaults,
} from "../../http/schema/fields.js";
import { loginIdTypes } from "../users/login-id-types.js";
import type { LoginIdType } from "../users/schema.js";

/** The body that starts a passwordless login. */
export interface PasswordlessStartRequest {
  /** The application that the user logs in to; it must allow passwordless logins. */
  readonly applicationId: string;
  readonly loginId: string;
  /** Default: email and username. */
  readonly loginIdTypes?: readonly LoginIdType[] | undefined;
  /** Whether the mail contains a link, or a code to type. Default: the setting of the application. */
  readonly loginStrategy?: "ClickableLink" | "FormField" | undefined;
  /** A variable of the mail. */
  readonly state?: Readonly<Record<string, unknown>> | undefined;
}

/** The response of the start. */
export interface PasswordlessStartResponse {
  /** Finishes the login; if there is a `oneTimeCode`, only together with it. */
  readonly code: string;
  /** The code that the user types, for the strategy `FormField`. */
  readonly oneTimeCode?: string;
}

/** The body that sends the mail: the `code` of a started login, or the members to start one. */
export interface PasswordlessSendRequest extends Partial<PasswordlessStartRequest> {
  readonly code?: string | undefined;
}

/** The body that finishes a passwordless login. */
export interface PasswordlessLoginRequest {
  readonly code: string;
  /** The code that the user typed, for the strategy `FormField`. */
  readonly oneTimeCode?: string | undefined;
  /** Metadata of the device, stored with the refresh token. */
  readonly metaData?: Readonly<Record<string, unknown>> | undefined;
  /** As for a login with a password. */
  readonly newDevice?: boolean | undefined;
  /** Whether to issue no tokens. Default false. */
  readonly noJWT?: boolean | undefined;
  /** Replaces the second factor on a trusted device: the value that a login with `trustComputer` returned. */
  readonly twoFactorTrustId?: string | undefined;
}

const loginFields = {
  loginIdTypes: list(option(loginIdTypes)).min(1, { error: "empty" }).max(3, { error: "tooMany" }).optional(),
  loginStrategy: option(["ClickableLink", "FormField"]).optional(),
  state: data().optional(),
};
const code = (): ReturnType<typeof text> => requiredText(1_000);

export const passwordlessStartRequest: Schema<PasswordlessStartRequest> = object({
  ...loginFields,
  applicationId: id(),
  loginId: requiredText(maxNameLength),
});

export const passwordlessSendRequest: Schema<PasswordlessSendRequest> = object({
  ...loginFields,
  applicationId: id().optional(),
  code: code().optional(),
  loginId: requiredText(maxNameLength).optional(),
});

export const passwordlessLoginRequest: Schema<WithDefaults<PasswordlessLoginRequest, "noJWT">> = object({
  code: code(),
  metaData: data().optional(),
  newDevice: flag().optional(),
  noJWT: flag().default(false),
  oneTimeCode: code().optional(),
  twoFactorTrustId: code().optional(),
});
