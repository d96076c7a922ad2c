import type { ValidatedUsername } from "../../accounts/moderation/validate-username.js";
import { data, id, maxNameLength, object, type Schema, text, textSet } from "../../http/schema/fields.js";
import {
  type ParsedUserRequest,
  type Registration,
  type RegistrationFields,
  type User,
  type UserRequest,
  userFields,
} from "../users/schema.js";

/** The body of POST and PUT. With `user` and no user id in the path, the user is made along with the registration. */
export interface RegistrationRequest {
  /** The fields of the registration; `applicationId` is required unless the path has it. */
  readonly registration: Partial<RegistrationFields>;
  /** A user to create along with the registration; an existing user stays as it is. */
  readonly user?: UserRequest["user"] | undefined;
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
}

/** A request whose defaults are filled in. */
export interface ParsedRegistrationRequest {
  readonly registration: Omit<RegistrationFields, "applicationId"> & { readonly applicationId?: string | undefined };
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
  }),
  user: userFields.optional(),
});
