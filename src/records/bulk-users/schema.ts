import type * as z from "zod";
import {
  anyValue,
  data,
  flag,
  id,
  idSet,
  instant,
  integer,
  list,
  maxNameLength,
  newPassword,
  object,
  option,
  type Schema,
  text,
  textSet,
} from "../../http/schema/fields.js";
import { type EncryptionScheme, encryptionSchemes } from "../../security/password-hashes/scheme-names.js";
import { isObject } from "../../shared/objects.js";
import { type ImportedTwoFactor, type ParsedTwoFactor, twoFactorFields } from "../factors/factor-schema.js";
import { faultsOfMethods } from "../factors/faults-of-methods.js";
import { type ImportedUserPasskey, type ParsedUserPasskey, userPasskeys } from "../passkeys/schema.js";
import { type UserConsentFields, userConsentStatuses } from "../user-consents/schema.js";
import { loginIdTypes } from "../users/login-id-types.js";
import type {
  NewUserFields,
  ParsedRelations,
  ParsedUserRequest,
  PasswordScheme,
  RegistrationFields,
  UserFields,
  UserIdentity,
} from "../users/schema.js";
import { userFieldsWith } from "../users/schema.js";
import { type UsernameStatus, usernameStatuses } from "../users/username-status.js";
import { type VerifiedReason, verifiedReasons } from "../users/verified-reason.js";

/** A membership of an imported user. */
export interface ImportedMembership {
  /** A group of the user's tenant; one membership for each. */
  readonly groupId: string;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data?: Record<string, unknown> | undefined;
  /** The UUID of the membership. Default: a new one. */
  readonly id?: string | undefined;
  /** When the user became a member, in epoch milliseconds. Default: now. */
  readonly insertInstant?: number | undefined;
}

/** Whether a login id of an imported user is verified, and why. Other members of an exported identity are ignored. */
export interface ImportedIdentity extends Pick<UserIdentity, "type" | "verified" | "verifiedReason"> {}

/** A consent of an imported user. */
export interface ImportedConsent extends Partial<Omit<UserConsentFields, "consentId" | "userId">> {
  /** The id of the consent that the user gave. */
  readonly consentId: string;
  /** The UUID of the record. Default: a new one. */
  readonly id?: string | undefined;
  /** When the user consented, in epoch milliseconds. Default: now. */
  readonly insertInstant?: number | undefined;
}

/** The moderation of an imported username. */
interface ImportedUsernameState {
  /** The username's id at the moderation service that checked it. */
  readonly moderationId?: string | undefined;
  /** Default `ACTIVE`. */
  readonly usernameStatus?: UsernameStatus | undefined;
}

/** A registration of an imported user. */
export interface ImportedRegistration extends Partial<RegistrationFields>, ImportedUsernameState {
  /** An application of the user's tenant; one registration for each. */
  readonly applicationId: string;
  /** The UUID of the registration. Default: a new one. */
  readonly id?: string | undefined;
  /** When the user registered, in epoch milliseconds. Default: that of the user. */
  readonly insertInstant?: number | undefined;
  /** The last login to the application, in epoch milliseconds. */
  readonly lastLoginInstant?: number | undefined;
  /** Whether the registration is verified. Default: the setting of the application. */
  readonly verified?: boolean | undefined;
  /** When it was verified, in epoch milliseconds. Default: now, for a verified one. */
  readonly verifiedInstant?: number | undefined;
  /** Why it is verified or not, from an export. Default: `Import` if `verified` is given. */
  readonly verifiedReason?: VerifiedReason | undefined;
}

/** A user of an import: the fields of a user, and further data of the other system. */
export interface ImportedUser extends Partial<UserFields>, NewUserFields, ImportedUsernameState {
  /** Whether the user can log in. Default **false**. */
  readonly active?: boolean | undefined;
  /** The consents that the user gave. */
  readonly consents?: readonly ImportedConsent[] | undefined;
  /** Hashes of earlier passwords, at most 100, for tenants that refuse reuse. */
  readonly earlierPasswordHashes?: readonly string[] | undefined;
  /** The scheme of a `password` that is a hash in Base64. A hash in its own text format needs none. */
  readonly encryptionScheme?: string | undefined;
  /** The number of rounds of the hash, as a number or text; for `bcrypt` the logarithm. Default: that of the scheme. */
  readonly factor?: number | string | undefined;
  /** The UUID of the user. Default: a new one. */
  readonly id?: string | undefined;
  /** The verified login ids, by type. Default: as for a new user. */
  readonly identities?: readonly ImportedIdentity[] | undefined;
  /** When the user was created, in epoch milliseconds. Default: now. */
  readonly insertInstant?: number | undefined;
  /** The last login, in epoch milliseconds. */
  readonly lastLoginInstant?: number | undefined;
  /** The groups of the user. */
  readonly memberships?: readonly ImportedMembership[] | undefined;
  /** The complete text of a foreign hash, such as `$2b$10$…`, instead of `password`. */
  readonly passwordHash?: string | undefined;
  /** The passkeys of the user, at most 50. */
  readonly passkeys?: readonly ImportedUserPasskey[] | undefined;
  /** When the password was set, in epoch milliseconds. Default: now. */
  readonly passwordLastUpdateInstant?: number | undefined;
  /** The applications of the user. */
  readonly registrations?: readonly ImportedRegistration[] | undefined;
  /** The salt of the hash in Base64; for `bcrypt` its 22 characters, for `phpass-*` its eight. */
  readonly salt?: string | undefined;
  /** The second factor of the user. */
  readonly twoFactor?: ImportedTwoFactor | undefined;
  /** When the email was verified, in epoch milliseconds. Default: now, for a verified one. */
  readonly verifiedInstant?: number | undefined;
}

/** The body of an import. */
export interface UserImportRequest {
  /** The users. All of them are stored, or none. */
  readonly users: readonly ImportedUser[];
  /** The scheme that hashes plain-text passwords. Default: Argon2id. */
  readonly encryptionScheme?: string | undefined;
  /** The factor of that scheme. */
  readonly factor?: number | undefined;
  /** Ignored: an import always reports duplicates. */
  readonly validateDbConstraints?: boolean | undefined;
}

/** The body of a removal of many users: by `userIds`, else by `query`, else by `queryString`. */
export interface RemoveUsersRequest {
  /** Whether to delete nothing and return the users that would be affected. Default false. */
  readonly dryRun?: boolean | undefined;
  /** The maximum number of users, 1 to 10,000. Default 10,000. */
  readonly limit?: number | undefined;
  /** A query as a JSON text (docs/reference/search.md#users-and-entities). */
  readonly query?: string | undefined;
  /** A query as terms (docs/reference/search.md#users-and-entities). */
  readonly queryString?: string | undefined;
  /** Ids of users, at most 10,000; unknown ones are ignored. */
  readonly userIds?: readonly string[] | undefined;
}

/** The response of a removal of many users. */
export interface RemoveUsersResponse {
  /** Whether nothing was removed. */
  readonly dryRun: boolean;
  /** Whether the users were deleted, not deactivated. */
  readonly hardDelete: boolean;
  /** The number of affected users. */
  readonly total: number;
  /** The ids of the affected users, in ascending order. */
  readonly userIds: readonly string[];
}

/** Options of an import for all its users. */
export interface ImportOptions {
  readonly encryptionScheme?: EncryptionScheme | undefined;
  readonly factor?: number | undefined;
}

/** A user of an import with defaults applied. */
export type ParsedImportedUser = Omit<ParsedUserRequest["user"], keyof ParsedRelations | keyof PasswordScheme> &
  Omit<
    ImportedUser,
    | keyof ParsedUserRequest["user"]
    | "consents"
    | "encryptionScheme"
    | "factor"
    | "memberships"
    | "passkeys"
    | "registrations"
    | "twoFactor"
  > & {
    readonly active: boolean;
    readonly consents: readonly ParsedImportedConsent[];
    readonly encryptionScheme?: EncryptionScheme | undefined;
    readonly factor?: unknown;
    readonly memberships: readonly ImportedMembership[];
    readonly passkeys: readonly ParsedUserPasskey[];
    readonly registrations: readonly ParsedImportedRegistration[];
    readonly twoFactor?: ParsedTwoFactor | undefined;
  };

/** A registration of an import with defaults applied. */
export type ParsedImportedRegistration = RegistrationFields & Omit<ImportedRegistration, keyof RegistrationFields>;

/** A consent of an import with defaults applied. */
export type ParsedImportedConsent = ImportedConsent & Pick<UserConsentFields, "data" | "status" | "values">;

const importedMembership = object({
  data: data().optional(),
  groupId: id(),
  id: id().optional(),
  insertInstant: instant().optional(),
});

const importedConsent = object({
  consentId: id(),
  data: data().default({}),
  giverUserId: id().optional(),
  id: id().optional(),
  insertInstant: instant().optional(),
  status: option(userConsentStatuses).default("Active"),
  values: textSet().default([]),
});

const usernameState = {
  moderationId: text().max(maxNameLength, { error: "tooLong" }).optional(),
  usernameStatus: option(usernameStatuses).optional(),
};

const importedRegistration = object({
  ...usernameState,
  applicationId: id(),
  data: data().default({}),
  id: id().optional(),
  insertInstant: instant().optional(),
  lastLoginInstant: instant().optional(),
  preferredLanguages: textSet().default([]),
  roles: textSet().default([]),
  timezone: text().trim().max(255, { error: "tooLong" }).optional(),
  username: text().trim().max(maxNameLength, { error: "tooLong" }).optional(),
  verified: flag().optional(),
  verifiedReason: option(verifiedReasons).optional(),
  verifiedInstant: instant().optional(),
});

const importedUser: Schema<ParsedImportedUser> = userFieldsWith({
  ...usernameState,
  active: flag().default(false),
  consents: list(importedConsent).default([]),
  earlierPasswordHashes: list(passwordHash()).max(100, { error: "tooMany" }).optional(),
  encryptionScheme: option(encryptionSchemes).optional(),
  factor: anyValue()
    .optional()
    .refine((factor) => /^[1-9]\d{0,9}$/.test(String(factor ?? 1)), { error: "invalid" }),
  id: id().optional(),
  identities: list(
    object({ type: option(loginIdTypes), verified: flag(), verifiedReason: option(verifiedReasons).optional() }),
  ).optional(),
  insertInstant: instant().optional(),
  lastLoginInstant: instant().optional(),
  memberships: list(importedMembership).default([]),
  passkeys: userPasskeys(),
  password: newPassword().optional(),
  passwordHash: passwordHash().optional(),
  passwordLastUpdateInstant: instant().optional(),
  registrations: list(importedRegistration).default([]),
  salt: text().max(1_024, { error: "tooLong" }).optional(),
  twoFactor: twoFactorFields().optional(),
  verifiedInstant: instant().optional(),
}).superRefine(
  (given: unknown, context) => {
    for (const { explanation, field, index, kind } of faultsOfMethods(given as ImportedUser)) {
      const path = ["twoFactor", "methods", index, field];
      context.addIssue({ code: "custom", path, message: kind, params: { explanation } });
    }
  },
  // Runs even if other members are invalid, so that one response reports all errors.
  { when: ({ value }) => isObject(value) },
) as Schema<ParsedImportedUser>;

function passwordHash(): z.ZodString {
  return text().min(1, { error: "blank" }).max(4_096, { error: "tooLong" });
}

/** The options of the body. The users are parsed by chunks. */
export const importOptions: Schema<ImportOptions> = object({
  encryptionScheme: option(encryptionSchemes).optional(),
  factor: integer(1, Number.MAX_SAFE_INTEGER).optional(),
});

/** The users of the body, without a limit. */
export const userImportRequest: Schema<{ users: ParsedImportedUser[] }> = object({ users: list(importedUser) });

export const removeUsersRequest: Schema<RemoveUsersRequest & { limit: number }> = object({
  dryRun: flag().optional(),
  limit: integer(1, 10_000).default(10_000),
  query: text().optional(),
  queryString: text().optional(),
  userIds: idSet().optional(),
});
