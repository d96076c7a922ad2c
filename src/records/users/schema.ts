import type * as z from "zod";
import {
  data,
  flag,
  id,
  instant,
  integer,
  link,
  list,
  maxNameLength,
  newPassword,
  object,
  option,
  refusal,
  type Schema,
  text,
  textList,
  textSet,
  userEmail,
} from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";
import { type EncryptionScheme, encryptionSchemes } from "../../security/password-hashes/scheme-names.js";
import { isReadableName } from "../../security/readable-name.js";
import { isDate, isGiven } from "../../shared/text.js";
import { type ImportedTwoFactor, type ParsedTwoFactor, twoFactorFields } from "../factors/factor-schema.js";
import type { TwoFactor, TwoFactorDelivery, TwoFactorState } from "../factors/two-factor-state.js";
import type { GroupMember } from "../group-members/schema.js";
import type { UsernameStatus, ValidatedUsername } from "./username-status.js";
import type { VerifiedReason } from "./verified-reason.js";

/** Writable fields of a user (docs/reference/users.md). Dates are `YYYY-MM-DD`, instants epoch milliseconds. */
export interface UserFields {
  /** Stored in lower case; a user has an email or a username, unique in the tenant without regard to case. */
  readonly email?: string | undefined;
  /** Unique in the tenant without regard to case; at most 191 characters. A blank one counts as absent. */
  readonly username?: string | undefined;
  /** `YYYY-MM-DD`. */
  readonly birthDate?: string | undefined;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Record<string, unknown>;
  /** The expiry of the account, in epoch milliseconds, after which a login returns 410. Absent: never. */
  readonly expiry?: number | undefined;
  /** At most 255 characters. */
  readonly firstName?: string | undefined;
  /** At most 255 characters. Searches by it also find users by first and last name. */
  readonly fullName?: string | undefined;
  /** The URL of an image: at most 2,000 characters. The service never requests it. */
  readonly imageUrl?: string | undefined;
  /** At most 255 characters. */
  readonly lastName?: string | undefined;
  /** At most 255 characters. */
  readonly middleName?: string | undefined;
  /** The number for text messages: at most 255 characters, not unique. */
  readonly mobilePhone?: string | undefined;
  /** The email address of a parent, in lower case; not unique. */
  readonly parentEmail?: string | undefined;
  /** Whether the next login requires a new password (203). Default false. */
  readonly passwordChangeRequired: boolean;
  /** At most 255 characters; unique in the tenant, compared without separators. */
  readonly phoneNumber?: string | undefined;
  /** Java locales such as `de` and `es_MX`, most preferred first, without duplicates. Default `[]`. */
  readonly preferredLanguages: readonly string[];
  /** The tenant of the user, used when neither the key nor the call names one. Fixed after creation. */
  readonly tenantId?: string | undefined;
  /** The name of a time zone, such as `Europe/Berlin`: at most 255 characters. */
  readonly timezone?: string | undefined;
}

/** Writable fields of a registration (docs/reference/users.md). */
export interface RegistrationFields {
  /** The application; one registration per user and application. Fixed after creation. */
  readonly applicationId: string;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Record<string, unknown>;
  /** Java locales such as `de` and `es_MX`, most preferred first, without duplicates. Default `[]`. */
  readonly preferredLanguages: readonly string[];
  /** Names of roles of the application. Empty: its default roles. */
  readonly roles: readonly string[];
  /** The name of a time zone for this application: at most 255 characters. */
  readonly timezone?: string | undefined;
  /** A name that the application shows: at most 191 characters, not unique, not for logins. */
  readonly username?: string | undefined;
}

/** A user's registration to an application on the wire. `roles` excludes inherited ones. */
export interface Registration extends BaseRecord, RegistrationFields {
  /** Epoch milliseconds; absent before the first login to the application. */
  readonly lastLoginInstant?: number | undefined;
  /** The username's id at the moderation service that checked it. */
  readonly moderationId?: string | undefined;
  /** The result of moderation for the username; `ACTIVE` without moderation. */
  readonly usernameStatus: UsernameStatus;
  /** Whether the registration is verified; always true unless the application has `verifyRegistration`. */
  readonly verified: boolean;
  /** The verification, in epoch milliseconds; absent if it is not verified. */
  readonly verifiedInstant?: number | undefined;
  /** Why it is verified or not; absent for registrations of an earlier version. */
  readonly verifiedReason?: VerifiedReason | undefined;
  /** Always `{}`: the service stores no tokens of identity providers here. */
  readonly tokens: Readonly<Record<string, string>>;
}

/** A login id of a user (docs/reference/users.md). */
export interface UserIdentity {
  /** The type of the value. */
  readonly type: "email" | "username" | "phoneNumber";
  /** The email address, username or phone number. */
  readonly value: string;
  /** The value for user interfaces: the same text. */
  readonly displayValue: string;
  /** Always true: a user has one value of each type. */
  readonly primary: boolean;
  /** Whether it is verified; always true for usernames. */
  readonly verified: boolean;
  /** Why it is verified or not; absent if an earlier version last stored the user. */
  readonly verifiedReason?: VerifiedReason | undefined;
  /** The creation of the user, in epoch milliseconds. */
  readonly insertInstant: number;
}

/** A user on the wire, without the password. */
export interface User extends BaseRecord, UserFields {
  /** The tenant that the user belongs to. */
  readonly tenantId: string;
  /** Whether the user can log in; false after a DELETE without `hardDelete`. */
  readonly active: boolean;
  /** The last breach check at login with a new result, in epoch milliseconds. */
  readonly breachedPasswordLastCheckedInstant?: number | undefined;
  /**
   * The result of the breach check at login: `None`, or that the password is common or was published. Absent before the first
   * check.
   */
  readonly breachedPasswordStatus?: "CommonPassword" | "ExactMatch" | "None" | "PasswordOnly" | "SubAddressMatch" | undefined;
  /** The connector that checks the password; the built-in one if the service stores it. */
  readonly connectorId: string;
  /** The existing login ids of the user: email address, username and phone number. */
  readonly identities: readonly UserIdentity[];
  /** Epoch milliseconds; absent before the first login. */
  readonly lastLoginInstant?: number | undefined;
  /** The groups of the user, read-only here: use the operations of group members. */
  readonly memberships: readonly GroupMember[];
  /** The last change of the password, in epoch milliseconds; absent without a password. */
  readonly passwordLastUpdateInstant?: number | undefined;
  /** The registrations of the user, one per application. */
  readonly registrations: readonly Registration[];
  /** The second factor, from 1.26.0 on; absent without one. Read-only here: use the two-factor calls. */
  readonly twoFactor?: TwoFactor | undefined;
  /** The delivery of codes before 1.26.0, like `twoFactorEnabled`. */
  readonly twoFactorDelivery?: TwoFactorDelivery | undefined;
  /** Whether the user has a second factor; before 1.26.0. */
  readonly twoFactorEnabled?: boolean | undefined;
  /** The same text as `username`. */
  readonly uniqueUsername?: string | undefined;
  /** The username's id at the moderation service that checked it. */
  readonly moderationId?: string | undefined;
  /** The result of moderation for the username; `ACTIVE` without moderation. */
  readonly usernameStatus: UsernameStatus;
  /** Whether the email is verified; true without an email, and if the tenant has no `verifyEmail`. */
  readonly verified: boolean;
  /** The verification, in epoch milliseconds; absent if it is not verified. */
  readonly verifiedInstant?: number | undefined;
}

/** The body of POST and PUT. The password is hashed and never returned; without one, password logins are impossible. */
export interface UserRequest {
  /** The fields of the user; an email or a username is required. A password must pass the rules of the tenant. */
  readonly user: Partial<UserFields> & NewUserFields & PasswordScheme & GivenRelations;
  /** The application of the mail templates. */
  readonly applicationId?: string | undefined;
  /** Whether to treat the email as verified even if the tenant has `verifyEmail`. Default false. */
  readonly skipVerification?: boolean | undefined;
  /** Whether to send a mail with which a new user chooses a password. Default false. */
  readonly sendSetPasswordEmail?: boolean | undefined;
  /** The newer form: `email` or `doNotSend`. It wins over `sendSetPasswordEmail`. */
  readonly sendSetPasswordIdentityType?: "doNotSend" | "email" | undefined;
  /** Ids of verifications that were completed before the user existed. Since 1.59.0. */
  readonly verificationIds?: readonly string[] | undefined;
}

/** Write-only fields of a user. */
export interface NewUserFields {
  /** The password. */
  readonly password?: string | undefined;
  /** Whether the email of a new user is verified. Default: the setting of the tenant. */
  readonly verified?: boolean | undefined;
}

/** The hash scheme of a password, instead of Argon2id. The first login with it replaces the hash by Argon2id. */
export interface PasswordScheme {
  /** A scheme of the reference, such as `bcrypt` (docs/reference/user-import.md#hash-formats). Needs `password`. */
  readonly encryptionScheme?: EncryptionScheme | undefined;
  /** The number of rounds; for `bcrypt` the logarithm. Default: that of the scheme. Needs `encryptionScheme`. */
  readonly factor?: number | undefined;
}

/** Records along with a new user. A PUT or PATCH may repeat those of a response. */
export interface GivenRelations {
  /** The groups of a new user. Needs the right to add members. */
  readonly memberships?: readonly MembershipRequest[] | undefined;
  /** The second factor of a new user. Since 1.26.0. */
  readonly twoFactor?: ImportedTwoFactor | undefined;
}

/** A membership of a new user. */
export interface MembershipRequest {
  /**
   * A group of the user's tenant; one membership for each. Required; optional in the type only, so that requests can repeat
   * memberships of responses.
   */
  readonly groupId?: string | undefined;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data?: Record<string, unknown> | undefined;
  /** The UUID of the membership. Default: a new one. */
  readonly id?: string | undefined;
}

/** The response of POST, PUT and PATCH. */
export interface CreatedUser {
  /** The user. */
  readonly user: User;
  /** The id to verify the email; absent if it needs no verification. */
  readonly emailVerificationId?: string;
  /** The code that the user types, for the strategy `FormField`. */
  readonly emailVerificationOneTimeCode?: string;
  /** The started verifications, with their login ids. Since 1.59.0. */
  readonly verificationIds?: readonly VerificationId[];
}

/** A started verification of a login id. */
export interface VerificationId {
  /** The id to verify the login id. */
  readonly id: string;
  /** The code that the user types, for the strategy `FormField`. */
  readonly oneTimeCode?: string | undefined;
  /** The type of the login id, such as `email`. */
  readonly type: LoginIdType;
  /** The login id. */
  readonly value: string;
}

/** A type of login ids (docs/reference/users.md). */
export type LoginIdType = "email" | "username" | "phoneNumber";

/**
 * The criteria of a user search (docs/reference/users.md), in one of two query languages
 * (docs/reference/search.md#users-and-entities).
 */
export interface UserCriteria {
  /** The users with these ids; pass this, `query` or `queryString`. */
  readonly ids?: readonly string[];
  /** A query as a JSON text: `match_all`, `bool`, `match`, `term`, `terms`, `prefix`, `wildcard`, `nested`. */
  readonly query?: unknown;
  /** A query as terms, `field:value`, quotes, `*`, AND, OR, NOT and parentheses. */
  readonly queryString?: string;
  /** The order of the page: names of sortable fields, ascending unless `order` says `desc`. */
  readonly sortFields?: readonly { readonly name: string; readonly order?: "asc" | "desc" }[];
  /** Only users of this tenant. */
  readonly tenantId?: string;
}

/** The input of GET without an id in the path: a login id, or an id of a flow. */
export interface FindUserInput {
  /** The id of an unused link to change a password. */
  readonly changePasswordId?: string;
  /** The email address, without regard to case. */
  readonly email?: string;
  /** The username, without regard to case. */
  readonly username?: string;
  /** An email address or a username; the email wins if both match. */
  readonly loginId?: string;
  /** The types of `loginId`. Default: email and username. */
  readonly loginIdTypes?: readonly LoginIdType[];
  /** The id of the user. */
  readonly userId?: string;
  /** The id of an unused link to verify an address. */
  readonly verificationId?: string;
}

/**
 * A request with defaults applied. `passwordHash` replaces the password before a write; `judged` is the result of moderation
 * for the username.
 */
export interface ParsedUserRequest extends Omit<UserRequest, "sendSetPasswordIdentityType" | "user"> {
  readonly user: UserFields & NewUserFields & PasswordScheme & ParsedRelations;
  readonly passwordHash?: string;
  /** The records along with the user in the request. */
  readonly given?: ParsedRelations | undefined;
  /** The second factor of a new user. */
  readonly twoFactorState?: TwoFactorState | undefined;
  /** Hashes of earlier passwords, if the tenant remembers them. */
  readonly earlierPasswordHashes?: readonly string[] | undefined;
  readonly judged?: ValidatedUsername;
  /** The connector of the user's logins; callers cannot set it. */
  readonly connectorId?: string;
  /** The login ids that `verificationIds` prove. */
  readonly proven?: readonly string[];
  /** The login ids that a third party vouches for, and the reason; callers cannot set it. */
  readonly vouched?: { readonly reason: VerifiedReason; readonly loginIds: readonly (string | undefined)[] };
}

/** A membership with its group. */
export type ParsedMembership = MembershipRequest & { readonly groupId: string };

/** Records along with a user in a request. */
export interface ParsedRelations {
  readonly memberships?: readonly ParsedMembership[] | undefined;
  readonly registrations?: readonly { readonly applicationId: string }[] | undefined;
  readonly twoFactor?: ParsedTwoFactor | undefined;
}

const shortText = (): z.ZodOptional<z.ZodString> => text().trim().max(255, { error: "tooLong" }).optional();
const email = (): z.ZodOptional<z.ZodString> => userEmail().optional();

/** The schema of a user's fields, for several families; `extra` adds fields of one family. */
export function userFieldsWith<Extra extends z.ZodRawShape>(
  extra: Extra,
): Schema<ParsedUserRequest["user"] & z.output<z.ZodObject<Extra>>> {
  const fields = object({ ...userShape(), ...extra });
  return fields.superRefine((given: unknown, context) => {
    const user = given as ParsedUserRequest["user"];
    if (isGiven(user.email) || isGiven(user.username)) return;
    for (const field of ["email", "username"]) context.addIssue({ code: "custom", path: [field], message: "blank" });
  }) as Schema<ParsedUserRequest["user"] & z.output<z.ZodObject<Extra>>>;
}

function userShape() {
  return {
    email: email(),
    username: text().trim().max(maxNameLength, { error: "tooLong" }).refine(isReadableName, { error: "invalid" }).optional(),
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
    verified: flag().optional(),
  };
}

/** The schema of a user's fields and the hash scheme of the password. */
export const userFields: Schema<ParsedUserRequest["user"]> = userFieldsWith({
  encryptionScheme: option(encryptionSchemes).optional(),
  factor: integer(1, Number.MAX_SAFE_INTEGER).optional(),
  memberships: list(object({ data: data().optional(), groupId: id(), id: id().optional() })).optional(),
  registrations: list(object({ applicationId: id() })).optional(),
  passwordHash: refusal("Import a hash by POST /api/user/import."),
  salt: refusal("The service makes the salt. Import a hash that has one by POST /api/user/import."),
  twoFactor: twoFactorFields().optional(),
}).superRefine((given: unknown, context) => {
  const { encryptionScheme, factor, password } = given as ParsedUserRequest["user"];
  const needed = {
    encryptionScheme: factor === undefined || encryptionScheme,
    password: encryptionScheme === undefined || password,
  };
  for (const [field, value] of Object.entries(needed))
    if (value === undefined) context.addIssue({ code: "custom", path: [field], message: "missing" });
}) as Schema<ParsedUserRequest["user"]>;

/** The members for flows of a new user. */
interface NewUserMembers {
  readonly sendSetPasswordEmail: boolean;
  readonly sendSetPasswordIdentityType?: "doNotSend" | "email" | undefined;
  readonly currentPassword?: undefined;
  readonly generateAuthenticationToken?: undefined;
}

/** The members for flows of a new user, and members of the reference that the service refuses. */
export const newUserFields = (): { readonly [Name in keyof NewUserMembers]-?: Schema<NewUserMembers[Name]> } => ({
  sendSetPasswordEmail: flag().default(false),
  sendSetPasswordIdentityType: option(["doNotSend", "email"]).optional(),
  currentPassword: refusal("Change a password by POST /api/user/change-password, which checks the current one."),
  generateAuthenticationToken: refusal("There are no authentication tokens of registrations."),
});

/** Replaces the older member by the newer one. */
export function withSetPassword<Request extends NewUserMembers>(request: Request): Request {
  const { sendSetPasswordIdentityType: type } = request;
  return type === undefined ? request : { ...request, sendSetPasswordEmail: type === "email" };
}

export const userRequest: Schema<ParsedUserRequest> = object({
  ...newUserFields(),
  applicationId: id().optional(),
  skipVerification: flag().default(false),
  user: userFields,
  verificationIds: textList().max(10, { error: "tooMany" }).default([]),
}).overwrite(withSetPassword);
