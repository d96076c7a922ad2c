import type * as z from "zod";
import type { UsernameStatus, ValidatedUsername } from "../../accounts/moderation/username.js";
import {
  data,
  emailAddress,
  flag,
  id,
  instant,
  link,
  maxNameLength,
  object,
  type Schema,
  text,
  textSet,
} from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family.js";
import { isGiven } from "../../shared/text/is-given.js";
import type { GroupMember } from "../group-members/schema.js";
import type { TwoFactor, TwoFactorDelivery } from "./two-factor-state.js";

/** What a caller may say about a user (docs/reference/users.md). Dates are `YYYY-MM-DD`, instants epoch milliseconds. */
export interface UserFields {
  /** Kept in lower case; a user has an email or a username, unique in the tenant without regard to case. */
  readonly email?: string | undefined;
  readonly username?: string | undefined;
  readonly birthDate?: string | undefined;
  readonly data: Record<string, unknown>;
  readonly expiry?: number | undefined;
  readonly firstName?: string | undefined;
  readonly fullName?: string | undefined;
  readonly imageUrl?: string | undefined;
  readonly lastName?: string | undefined;
  readonly middleName?: string | undefined;
  readonly mobilePhone?: string | undefined;
  readonly parentEmail?: string | undefined;
  readonly passwordChangeRequired: boolean;
  readonly phoneNumber?: string | undefined;
  readonly preferredLanguages: readonly string[];
  readonly tenantId?: string | undefined;
  readonly timezone?: string | undefined;
}

/** What a caller may say about a registration (docs/reference/users.md). */
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
  /** Epoch milliseconds; absent before the first login to the application. */
  readonly lastLoginInstant?: number | undefined;
  /** The username's id at the moderation service that checked it. */
  readonly moderationId?: string | undefined;
  readonly usernameStatus: UsernameStatus;
  readonly verified: boolean;
  readonly verifiedInstant: number;
  readonly tokens: Readonly<Record<string, string>>;
}

/** One way to name a user at login (docs/reference/users.md). */
export interface UserIdentity {
  readonly type: "email" | "username" | "phoneNumber";
  readonly value: string;
  readonly displayValue: string;
  readonly primary: boolean;
  readonly verified: boolean;
  readonly insertInstant: number;
}

/** A user on the wire. The password is never shown. */
export interface User extends BaseRecord, UserFields {
  readonly tenantId: string;
  readonly active: boolean;
  readonly connectorId: string;
  readonly identities: readonly UserIdentity[];
  /** Epoch milliseconds; absent before the first login. */
  readonly lastLoginInstant?: number | undefined;
  readonly memberships: readonly GroupMember[];
  readonly passwordLastUpdateInstant?: number | undefined;
  readonly registrations: readonly Registration[];
  /** From 1.26.0 on, where there is a second factor. Changed by the calls of two-factor alone. */
  readonly twoFactor?: TwoFactor | undefined;
  /** Before 1.26.0, as `twoFactorEnabled`. */
  readonly twoFactorDelivery?: TwoFactorDelivery | undefined;
  readonly twoFactorEnabled?: boolean | undefined;
  readonly uniqueUsername?: string | undefined;
  /** The username's id at the moderation service that checked it. */
  readonly moderationId?: string | undefined;
  readonly usernameStatus: UsernameStatus;
  readonly verified: boolean;
  readonly verifiedInstant: number;
}

/** The body of POST and PUT. The password is taken, hashed and never shown; without one, password login is impossible. */
export interface UserRequest {
  readonly user: Partial<UserFields> & { readonly password?: string };
  readonly applicationId?: string | undefined;
  readonly skipVerification?: boolean | undefined;
  readonly sendSetPasswordEmail?: boolean | undefined;
}

/** What a login id can be (docs/reference/users.md). Phone numbers are not unique here, so that none of them leads to a user. */
export type LoginIdType = "email" | "username" | "phoneNumber";

/** GET without an id: by email, username or either. */
export interface FindUserInput {
  readonly email?: string;
  readonly username?: string;
  readonly loginId?: string;
  /** What `loginId` may be. Default: email and username. */
  readonly loginIdTypes?: readonly LoginIdType[];
  readonly userId?: string;
}

/** Which user, and whether the user should go for good. */
export interface RemoveUserInput {
  readonly userId: string;
  readonly hardDelete?: boolean;
}

/**
 * A request whose defaults are filled in. `passwordHash` takes the place of the password before anything is stored; `judged` is what the
 * moderation says of the username.
 */
export interface ParsedUserRequest {
  readonly user: UserFields & { readonly password?: string | undefined };
  readonly passwordHash?: string;
  readonly judged?: ValidatedUsername;
}

const shortText = (): z.ZodOptional<z.ZodString> => text().trim().max(255, { error: "tooLong" }).optional();
const email = (): z.ZodOptional<z.ZodString> => emailAddress().max(maxNameLength, { error: "tooLong" }).toLowerCase().optional();

/** A password that somebody chooses: 8 to 256 characters. */
export function newPassword(): z.ZodString {
  return text()
    .min(1, { error: "blank" })
    .max(256, { error: "tooLong" })
    .refine((value) => value.length === 0 || value.length >= 8, { error: "tooShort" });
}

/** The fields of a user, for the family of registrations as well. */
export const userFields: Schema<ParsedUserRequest["user"]> = object({
  email: email(),
  username: text().trim().max(maxNameLength, { error: "tooLong" }).optional(),
  password: newPassword().optional(),
  birthDate: text()
    .refine((value) => isDate(value), { error: "invalid" })
    .optional(),
  data: data().default({}),
  expiry: instant().optional(),
  firstName: shortText(),
  fullName: shortText(),
  imageUrl: link(2_000).trim().optional(),
  lastName: shortText(),
  middleName: shortText(),
  mobilePhone: shortText(),
  parentEmail: email(),
  passwordChangeRequired: flag().default(false),
  phoneNumber: shortText(),
  preferredLanguages: textSet().default([]),
  tenantId: id().optional(),
  timezone: shortText(),
}).superRefine((user, context) => {
  if (isGiven(user.email) || isGiven(user.username)) return;
  for (const field of ["email", "username"]) context.addIssue({ code: "custom", path: [field], message: "blank" });
});

export const userRequest: Schema<ParsedUserRequest> = object({ user: userFields });

function isDate(value: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  if (match === null) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(match[3]);
}
