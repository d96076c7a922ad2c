import { data, id, maxNameLength, object, option, requiredText, type Schema } from "../../http/schema/fields.js";

/** The address to verify again. */
export interface ResendVerificationInput {
  /** The email address of the user. */
  readonly email: string;
  /** The application of the mail template; needed for a registration. */
  readonly applicationId?: string;
}

/** The response to a caller with a key; empty for other callers. */
export interface VerificationResponse {
  /** The id to verify the address. */
  readonly verificationId?: string;
  /** The code that the user types, for the strategy `FormField`. */
  readonly oneTimeCode?: string;
}

/** The body that verifies an address or a registration. */
export interface VerifyEmailRequest {
  /** The code that the user typed, for the strategy `FormField`. */
  readonly oneTimeCode?: string | undefined;
  /** The user with the address, for a caller with a key. */
  readonly userId?: string | undefined;
  /** Takes precedence over the id in the path. */
  readonly verificationId?: string | undefined;
}

/** A verifiable type of login ids. */
export type VerifiedType = "email" | "phoneNumber";

/** A login id, for a caller with a key. */
export interface IdentityInput {
  /** The email address or phone number. */
  readonly loginId: string;
  /** The type of the login id. */
  readonly loginIdType: VerifiedType;
}

/** The body that starts the verification of a login id. */
export interface StartIdentityRequest extends IdentityInput {
  /** The application of the mail template. */
  readonly applicationId?: string | undefined;
  /**
   * `mustNotExist`: no user has the login id yet; the id then proves it in `verificationIds` of a new user. Default
   * `mustExist`.
   */
  readonly existingUserStrategy?: "mustExist" | "mustNotExist" | undefined;
  /** Returned by the completion. */
  readonly state?: Readonly<Record<string, unknown>> | undefined;
  /** Whether the user clicks a link or types a code. Default: the setting of the tenant. */
  readonly verificationStrategy?: "ClickableLink" | "FormField" | undefined;
}

/** The response of a completed verification. */
export interface VerificationResult {
  /** The `state` of the start. */
  readonly state?: Readonly<Record<string, unknown>>;
}

const secret = (): ReturnType<typeof requiredText> => requiredText(1_000);

export const verifyEmailRequest: Schema<VerifyEmailRequest> = object({
  oneTimeCode: secret().optional(),
  userId: id().optional(),
  verificationId: secret().optional(),
});

const identityFields = { loginId: requiredText(maxNameLength), loginIdType: option(["email", "phoneNumber"]) };

export const startIdentityRequest: Schema<StartIdentityRequest & Required<Pick<StartIdentityRequest, "existingUserStrategy">>> =
  object({
    ...identityFields,
    applicationId: id().optional(),
    existingUserStrategy: option(["mustExist", "mustNotExist"]).default("mustExist"),
    state: data().optional(),
    verificationStrategy: option(["ClickableLink", "FormField"]).optional(),
  });

export const identityRequest: Schema<IdentityInput> = object(identityFields);

export const sendIdentityRequest: Schema<{ readonly verificationId: string }> = object({ verificationId: secret() });
