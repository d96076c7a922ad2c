import { data, id, maxNameLength, object, option, requiredText, type Schema } from "../../http/schema/fields.js";

/** Whose address is to be verified once more. */
export interface ResendVerificationInput {
  /** The email address of the user. */
  readonly email: string;
  /** The application whose template the mail uses; needed for a registration. */
  readonly applicationId?: string;
}

/** The answer to a caller with a key; any other gets none. */
export interface VerificationResponse {
  /** What verifies the address. */
  readonly verificationId?: string;
  /** What the user types, for the strategy `FormField`. */
  readonly oneTimeCode?: string;
}

/** The body that verifies an address or a registration. */
export interface VerifyEmailRequest {
  /** What the user typed, for the strategy `FormField`. */
  readonly oneTimeCode?: string | undefined;
  /** The user whose address a caller with a key verifies. */
  readonly userId?: string | undefined;
  /** Takes precedence over the id in the path. */
  readonly verificationId?: string | undefined;
}

/** What a login id is that can be verified. */
export type VerifiedType = "email" | "phoneNumber";

/** A login id, for a caller with a key. */
export interface IdentityInput {
  /** The email address or phone number. */
  readonly loginId: string;
  /** What it is. */
  readonly loginIdType: VerifiedType;
}

/** The body that starts the verification of a login id. */
export interface StartIdentityRequest extends IdentityInput {
  /** The application whose template the mail uses. */
  readonly applicationId?: string | undefined;
  /** `mustNotExist`: nobody has the login id yet; the id then proves it in `verificationIds` of a new user. Default `mustExist`. */
  readonly existingUserStrategy?: "mustExist" | "mustNotExist" | undefined;
  /** Returned when the verification is complete. */
  readonly state?: Readonly<Record<string, unknown>> | undefined;
  /** Whether the user clicks a link or types a code. Default: what the tenant says. */
  readonly verificationStrategy?: "ClickableLink" | "FormField" | undefined;
}

/** A request whose defaults are filled in. */
export type ParsedStartIdentityRequest = StartIdentityRequest & {
  readonly existingUserStrategy: "mustExist" | "mustNotExist";
};

/** The answer of a verification that is complete. */
export interface VerificationResult {
  /** What the start was given. */
  readonly state?: Readonly<Record<string, unknown>>;
}

const secret = (): ReturnType<typeof requiredText> => requiredText(1_000);

export const verifyEmailRequest: Schema<VerifyEmailRequest> = object({
  oneTimeCode: secret().optional(),
  userId: id().optional(),
  verificationId: secret().optional(),
});

const identityFields = { loginId: requiredText(maxNameLength), loginIdType: option(["email", "phoneNumber"]) };

export const startIdentityRequest: Schema<ParsedStartIdentityRequest> = object({
  ...identityFields,
  applicationId: id().optional(),
  existingUserStrategy: option(["mustExist", "mustNotExist"]).default("mustExist"),
  state: data().optional(),
  verificationStrategy: option(["ClickableLink", "FormField"]).optional(),
});

export const identityRequest: Schema<IdentityInput> = object(identityFields);

export const sendIdentityRequest: Schema<{ readonly verificationId: string }> = object({ verificationId: secret() });
