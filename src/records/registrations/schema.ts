import { data, flag, id, maxNameLength, object, type Schema, text, textList, textSet } from "../../http/schema/fields.js";
import {
  newUserFields,
  type ParsedUserRequest,
  type Registration,
  type RegistrationFields,
  type User,
  type UserRequest,
  userFields,
  withSetPassword,
} from "../users/schema.js";
import type { ValidatedUsername } from "../users/username-status.js";

/** The body of POST and PUT. */
export interface RegistrationRequest {
  /** The fields of the registration; `applicationId` is required unless the path has it. */
  readonly registration: Partial<RegistrationFields> & {
    /** Whether a new registration is verified. Default: the setting of the application. */
    readonly verified?: boolean | undefined;
  };
  /** A user to create along with the registration, if the path has no user id; an existing user stays as it is. */
  readonly user?: UserRequest["user"] | undefined;
  /** Whether to send a mail with which a new user chooses a password. Default false. */
  readonly sendSetPasswordEmail?: boolean | undefined;
  /** The newer form: `email` or `doNotSend`. It wins over `sendSetPasswordEmail`. */
  readonly sendSetPasswordIdentityType?: "doNotSend" | "email" | undefined;
  /** Whether to treat the registration as verified even if the application has `verifyRegistration`. Default false. */
  readonly skipRegistrationVerification?: boolean | undefined;
  /** Whether to treat the email of a new user as verified even if the tenant has `verifyEmail`. Default false. */
  readonly skipVerification?: boolean | undefined;
  /** Ids of verifications that were completed before the user existed. Since 1.59.0. */
  readonly verificationIds?: readonly string[] | undefined;
}

/** The response of POST, PUT and PATCH. */
export interface RegistrationResponse {
  /** The stored registration. */
  readonly registration: Registration;
  /** The user of the registration; on POST only. */
  readonly user?: User;
}

/** The response of POST, with the registered user. */
export interface CreatedRegistration extends RegistrationResponse {
  /** The user of the registration, existing or new. */
  readonly user: User;
  /** The id to verify the registration; absent if it needs no verification. */
  readonly registrationVerificationId?: string;
  /** The code that the user types, for the strategy `FormField`. */
  readonly registrationVerificationOneTimeCode?: string;
}

export interface ParsedRegistrationRequest extends Omit<RegistrationRequest, "sendSetPasswordIdentityType" | "user"> {
  readonly registration: RegistrationRequest["registration"] & Omit<RegistrationFields, "applicationId">;
  readonly user?: ParsedUserRequest["user"] | undefined;
  /** The result of moderation for the username. */
  readonly judged?: ValidatedUsername;
}

export const registrationRequest: Schema<ParsedRegistrationRequest> = object({
  registration: object({
    applicationId: id().optional(),
    data: data().default({}),
    preferredLanguages: textSet().default([]),
    roles: textSet().default([]),
    timezone: text().trim().max(255, { error: "tooLong" }).optional(),
    username: text().trim().max(maxNameLength, { error: "tooLong" }).optional(),
    verified: flag().optional(),
  }),
  ...newUserFields(),
  skipRegistrationVerification: flag().default(false),
  skipVerification: flag().default(false),
  verificationIds: textList().max(10, { error: "tooMany" }).default([]),
  user: userFields.optional(),
}).overwrite(withSetPassword);
