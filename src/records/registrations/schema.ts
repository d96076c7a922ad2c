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

/** The body of POST and PUT. With `user` and no user id in the path, the user is made along with the registration. */
export interface RegistrationRequest {
  /** The fields of the registration; `applicationId` is required unless the path has it. */
  readonly registration: Partial<RegistrationFields> & {
    /** Whether a new registration is verified. Default: what the application says. */
    readonly verified?: boolean | undefined;
  };
  /** A user to create along with the registration; an existing user stays as it is. */
  readonly user?: UserRequest["user"] | undefined;
  /** Whether a new user gets a mail to choose a password. Default false. */
  readonly sendSetPasswordEmail?: boolean | undefined;
  /** The newer name for it: `email` or `doNotSend`. It wins where both are there. */
  readonly sendSetPasswordIdentityType?: "doNotSend" | "email" | undefined;
  /** Whether the registration counts as verified even if the application has `verifyRegistration`. Default false. */
  readonly skipRegistrationVerification?: boolean | undefined;
  /** Whether the email of a new user counts as verified even if the tenant has `verifyEmail`. Default false. */
  readonly skipVerification?: boolean | undefined;
  /** Ids of verifications that were completed before there was the user. Since 1.59.0. */
  readonly verificationIds?: readonly string[] | undefined;
}

/** The answer of POST, PUT and PATCH. */
export interface RegistrationResponse {
  /** The stored registration. */
  readonly registration: Registration;
  /** The user of the registration; on POST only. */
  readonly user?: User;
}

/** The answer of POST, with the user who is registered. */
export interface CreatedRegistration extends RegistrationResponse {
  /** The user of the registration, existing or new. */
  readonly user: User;
  /** What verifies the registration; absent where nothing has to. */
  readonly registrationVerificationId?: string;
  /** What the user types, for the strategy `FormField`. */
  readonly registrationVerificationOneTimeCode?: string;
}

/** A request whose defaults are filled in. */
export interface ParsedRegistrationRequest
  extends Pick<ParsedUserRequest, "sendSetPasswordEmail" | "skipVerification" | "verificationIds"> {
  readonly skipRegistrationVerification?: boolean;
  readonly registration: Omit<RegistrationFields, "applicationId"> & {
    readonly applicationId?: string | undefined;
    readonly verified?: boolean | undefined;
  };
  readonly user?: ParsedUserRequest["user"] | undefined;
  /** What the moderation says of the username. */
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
