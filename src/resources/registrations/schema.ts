import type { BaseRecord } from "../../operations/family.js";
import { data, id, maxNameLength, object, type Schema, text, textSet } from "../../schema/fields.js";
import type { ParsedUserRequest } from "../users/schema.js";
import { type User, type UserRequest, userFields } from "../users/schema.js";

/** What a caller may say about a registration (facts.md 10.4). */
export interface RegistrationFields {
  readonly applicationId: string;
  readonly data: Record<string, unknown>;
  readonly preferredLanguages: readonly string[];
  /** Names of roles of the application; its default roles when empty. */
  readonly roles: readonly string[];
  readonly timezone?: string | undefined;
  readonly username?: string | undefined;
}

/** A user's registration to an application on the wire. `roles` are those given explicitly. */
export interface Registration extends BaseRecord, RegistrationFields {
  readonly usernameStatus: "ACTIVE" | "PENDING" | "REJECTED";
  readonly verified: boolean;
  readonly verifiedInstant: number;
  readonly tokens: Readonly<Record<string, string>>;
}

/** The body of POST and PUT. With `user` and no user id in the path, the user is made along with the registration. */
export interface RegistrationRequest {
  readonly registration: Partial<RegistrationFields>;
  readonly user?: UserRequest["user"] | undefined;
}

/** The answer of POST, PUT and PATCH. */
export interface RegistrationResponse {
  readonly registration: Registration;
  readonly user?: User;
}

/** A request whose defaults are filled in. */
export interface ParsedRegistrationRequest {
  readonly registration: Omit<RegistrationFields, "applicationId"> & { readonly applicationId?: string | undefined };
  readonly user?: ParsedUserRequest["user"] | undefined;
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
