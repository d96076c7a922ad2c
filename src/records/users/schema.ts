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
import { isReadableName } from "../../security/fold-username.js";
import { type EncryptionScheme, encryptionSchemes } from "../../security/password-hashes/scheme-names.js";
import { isDate, isGiven } from "../../shared/text.js";
import { type ImportedTwoFactor, type ParsedTwoFactor, twoFactorFields } from "../factors/factor-schema.js";
import type { TwoFactor, TwoFactorDelivery, TwoFactorState } from "../factors/two-factor-state.js";
import type { GroupMember } from "../group-members/schema.js";
import type { UsernameStatus, ValidatedUsername } from "./username-status.js";
import type { VerifiedReason } from "./verified-reason.js";

/** What a caller may say about a user (docs/reference/users.md). Dates are `YYYY-MM-DD`, instants epoch milliseconds. */
export interface UserFields {
  /** Kept in lower case; a user has an email or a username, unique in the tenant without regard to case. */
  readonly email?: string | undefined;
  /** Unique in the tenant without regard to case; at most 191 characters. A blank one counts as absent. */
  readonly username?: string | undefined;
  /** `YYYY-MM-DD`. */
  readonly birthDate?: string | undefined;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Record<string, unknown>;
  /** When the account expires, in epoch milliseconds: then a login is 410. Absent: never. */
  readonly expiry?: number | undefined;
  /** At most 255 characters. */
  readonly firstName?: string | undefined;
  /** At most 255 characters. Searches by it also find users by first and last name. */
  readonly fullName?: string | undefined;
  /** The address of a picture: at most 2,000 characters. The service never calls it. */
  readonly imageUrl?: string | undefined;
  /** At most 255 characters. */
  readonly lastName?: string | undefined;
  /** At most 255 characters. */
  readonly middleName?: string | undefined;
  /** The number that text messages go to: at most 255 characters, not unique. */
  readonly mobilePhone?: string | undefined;
  /** The email address of a parent, in lower case; not unique. */
  readonly parentEmail?: string | undefined;
  /** Whether the next login asks for a new password (203). Default false. */
  readonly passwordChangeRequired: boolean;
  /** At most 255 characters. Not unique, so no login finds it. */
  readonly phoneNumber?: string | undefined;
  /** Java locales such as `de` and `es_MX`, most preferred first; one of each. Default `[]`. */
  readonly preferredLanguages: readonly string[];
  /** The tenant of the user, used only when neither the key nor the call names one. Fixed after creation. */
  readonly tenantId?: string | undefined;
  /** The name of a time zone, such as `Europe/Berlin`: at most 255 characters. */
  readonly timezone?: string | undefined;
}

/** What a caller may say about a registration (docs/reference/users.md). */
export interface RegistrationFields {
  /** The application; one registration per user and application. Fixed after creation. */
  readonly applicationId: string;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Record<string, unknown>;
  /** Java locales such as `de` and `es_MX`, most preferred first; one of each. Default `[]`. */
  readonly preferredLanguages: readonly string[];
  /** Names of roles of the application; its default roles when empty. */
  readonly roles: readonly string[];
  /** The name of a time zone for this application: at most 255 characters. */
  readonly timezone?: string | undefined;
  /** A name that the application shows: at most 191 characters, not unique, not for logins. */
  readonly username?: string | undefined;
}

/** A user's registration to an application on the wire. `roles` are those given explicitly. */
export interface Registration extends BaseRecord, RegistrationFields {
  /** Epoch milliseconds; absent before the first login to the application. */
  readonly lastLoginInstant?: number | undefined;
  /** The username's id at the moderation service that checked it. */
  readonly moderationId?: string | undefined;
  /** What the moderation says about the username; `ACTIVE` without moderation. */
  readonly usernameStatus: UsernameStatus;
  /** Whether the registration is verified; always true unless the application has `verifyRegistration`. */
  readonly verified: boolean;
  /** When it was verified, in epoch milliseconds; absent where it is not. */
  readonly verifiedInstant?: number | undefined;
  /** Why it is verified or not; absent for registrations that an earlier version made. */
  readonly verifiedReason?: VerifiedReason | undefined;
  /** Always `{}`: there are no tokens of identity providers. */
  readonly tokens: Readonly<Record<string, string>>;
}

/** One way to name a user at login (docs/reference/users.md). */
export interface UserIdentity {
  /** What the value is. */
  readonly type: "email" | "username" | "phoneNumber";
  /** The email address, username or phone number. */
  readonly value: string;
  /** The value as user interfaces show it: the same text. */
  readonly displayValue: string;
  /** Always true: a user has one value of each type. */
  readonly primary: boolean;
  /** Whether it counts as verified; names always do. */
  readonly verified: boolean;
  /** Why it is verified or not; absent for users whom an earlier version stored last. */
  readonly verifiedReason?: VerifiedReason | undefined;
  /** When the user was created, in epoch milliseconds. */
  readonly insertInstant: number;
}

/** A user on the wire. The password is never shown. */
export interface User extends BaseRecord, UserFields {
  /** The tenant that the user belongs to. */
  readonly tenantId: string;
  /** Whether the user can log in; false after a DELETE without `hardDelete`. */
  readonly active: boolean;
  /** When a login last looked the password up among breached ones and found something new, in epoch milliseconds. */
  readonly breachedPasswordLastCheckedInstant?: number | undefined;
  /** What a login found: `None`, or that the password is common or was published. Absent before the first look. */
  readonly breachedPasswordStatus?: "CommonPassword" | "ExactMatch" | "None" | "PasswordOnly" | "SubAddressMatch" | undefined;
  /** The connector that checks the password; the built-in one where the service stores it. */
  readonly connectorId: string;
  /** The email address, username and phone number of the user, as far as there are any. */
  readonly identities: readonly UserIdentity[];
  /** Epoch milliseconds; absent before the first login. */
  readonly lastLoginInstant?: number | undefined;
  /** The groups of the user. Change them with the operations of group members. */
  readonly memberships: readonly GroupMember[];
  /** When the password was set, in epoch milliseconds; absent without a password. */
  readonly passwordLastUpdateInstant?: number | undefined;
  /** The registrations of the user, one per application. */
  readonly registrations: readonly Registration[];
  /** From 1.26.0 on, where there is a second factor. Changed by the calls of two-factor alone. */
  readonly twoFactor?: TwoFactor | undefined;
  /** Before 1.26.0, as `twoFactorEnabled`. */
  readonly twoFactorDelivery?: TwoFactorDelivery | undefined;
  /** Whether the user has a second factor; before 1.26.0. */
  readonly twoFactorEnabled?: boolean | undefined;
  /** The same text as `username`. */
  readonly uniqueUsername?: string | undefined;
  /** The username's id at the moderation service that checked it. */
  readonly moderationId?: string | undefined;
  /** What the moderation says about the username; `ACTIVE` without moderation. */
  readonly usernameStatus: UsernameStatus;
  /** Whether the email is verified; true without an email, and where the tenant has no `verifyEmail`. */
  readonly verified: boolean;
  /** When it was verified, in epoch milliseconds; absent where it is not. */
  readonly verifiedInstant?: number | undefined;
}

/** The body of POST and PUT. The password is taken, hashed and never shown; without one, password login is impossible. */
export interface UserRequest {
  /** The fields of the user; an email or a username is required. A password must pass the rules of the tenant. */
  readonly user: Partial<UserFields> & NewUserFields & PasswordScheme & GivenRelations;
  /** The application whose templates the mails use. */
  readonly applicationId?: string | undefined;
  /** Whether the email counts as verified even if the tenant has `verifyEmail`. Default false. */
  readonly skipVerification?: boolean | undefined;
  /** Whether a new user gets a mail to choose a password. Default false. */
  readonly sendSetPasswordEmail?: boolean | undefined;
  /** The newer name for it: `email` or `doNotSend`. It wins where both are there. */
  readonly sendSetPasswordIdentityType?: "doNotSend" | "email" | undefined;
  /** Ids of verifications that were completed before there was the user. Since 1.59.0. */
  readonly verificationIds?: readonly string[] | undefined;
}

/** What only the body says of a user. */
export interface NewUserFields {
  /** The password. */
  readonly password?: string | undefined;
  /** Whether the email of a new user is verified. Default: what the tenant says. */
  readonly verified?: boolean | undefined;
}

/** How a password is hashed, in place of Argon2id. The first login with it replaces the hash by Argon2id. */
export interface PasswordScheme {
  /** A scheme of the reference, such as `bcrypt` (docs/reference/user-import.md#hash-formats). Needs `password`. */
  readonly encryptionScheme?: EncryptionScheme | undefined;
  /** The number of rounds; for `bcrypt` their logarithm. Default: that of the scheme. Needs `encryptionScheme`. */
  readonly factor?: number | undefined;
}

/** What belongs to a new user. A PUT or PATCH may hand back what an answer has shown. */
export interface GivenRelations {
  /** The groups of a new user. Needs the right to add members. */
  readonly memberships?: readonly MembershipRequest[] | undefined;
  /** The second factor of a new user. Since 1.26.0. */
  readonly twoFactor?: ImportedTwoFactor | undefined;
}

/** A membership of a new user. */
export interface MembershipRequest {
  /** A group of the user's tenant; one membership for each. Required; optional by its type, so that memberships of answers can be handed back. */
  readonly groupId?: string | undefined;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data?: Record<string, unknown> | undefined;
  /** The UUID of the membership. Default: a fresh one. */
  readonly id?: string | undefined;
}

/** The answer of POST, PUT and PATCH. */
export interface CreatedUser {
  /** The user. */
  readonly user: User;
  /** What verifies the email; absent where nothing has to. */
  readonly emailVerificationId?: string;
  /** What the user types, for the strategy `FormField`. */
  readonly emailVerificationOneTimeCode?: string;
  /** Since 1.59.0: each verification that began, with the login id that it is for. */
  readonly verificationIds?: readonly VerificationId[];
}

/** A verification of a login id that began. */
export interface VerificationId {
  /** What verifies the login id. */
  readonly id: string;
  /** What the user types, for the strategy `FormField`. */
  readonly oneTimeCode?: string | undefined;
  /** The type of the login id, such as `email`. */
  readonly type: LoginIdType;
  /** The login id. */
  readonly value: string;
}

/** What a login id can be (docs/reference/users.md). */
export type LoginIdType = "email" | "username" | "phoneNumber";

/** The criteria of a user search (docs/reference/users.md); docs/reference/search.md#users-and-entities describes the two query languages. */
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

/** GET without an id: by email, username or either, or by an id that a flow issued. */
export interface FindUserInput {
  /** The id of a link for a password that waits to be used. */
  readonly changePasswordId?: string;
  /** The email address, without regard to case. */
  readonly email?: string;
  /** The username, without regard to case. */
  readonly username?: string;
  /** An email address or a username; the email counts when both match. */
  readonly loginId?: string;
  /** What `loginId` may be. Default: email and username. */
  readonly loginIdTypes?: readonly LoginIdType[];
  /** The id of the user. */
  readonly userId?: string;
  /** The id of a link for an address that waits to be used. */
  readonly verificationId?: string;
}

/**
 * A request whose defaults are filled in. `passwordHash` takes the place of the password before anything is stored; `judged` is what the
 * moderation says of the username.
 */
export interface ParsedUserRequest {
  readonly user: UserFields & NewUserFields & PasswordScheme & ParsedRelations;
  readonly applicationId?: string | undefined;
  readonly skipVerification?: boolean;
  readonly sendSetPasswordEmail?: boolean;
  readonly verificationIds?: readonly string[];
  readonly passwordHash?: string;
  /** What the request says to belong to the user. */
  readonly given?: ParsedRelations | undefined;
  /** The second factor of a new user. */
  readonly twoFactorState?: TwoFactorState | undefined;
  /** Hashes of earlier passwords, where the tenant remembers them. */
  readonly earlierPasswordHashes?: readonly string[] | undefined;
  readonly judged?: ValidatedUsername;
  /** The connector that the user logs in by; no caller chooses it. */
  readonly connectorId?: string;
  /** The login ids that `verificationIds` prove. */
  readonly proven?: readonly string[];
  /** The login ids that others than the user vouch for, and how; no caller chooses it. */
  readonly vouched?: { readonly reason: VerifiedReason; readonly loginIds: readonly (string | undefined)[] };
}

/** A membership that names its group. */
export type ParsedMembership = MembershipRequest & { readonly groupId: string };

/** What a request says to belong to a user. */
export interface ParsedRelations {
  readonly memberships?: readonly ParsedMembership[] | undefined;
  readonly registrations?: readonly { readonly applicationId: string }[] | undefined;
  readonly twoFactor?: ParsedTwoFactor | undefined;
}

const shortText = (): z.ZodOptional<z.ZodString> => text().trim().max(255, { error: "tooLong" }).optional();
const email = (): z.ZodOptional<z.ZodString> => userEmail().optional();

/** A password that somebody chooses. The rules of the tenant are checked later; no tenant allows more than 4,096 characters. */
export function newPassword(): z.ZodString {
  return text().min(1, { error: "blank" }).max(4_096, { error: "tooLong" });
}

/** The fields of a user, for other families as well; `extra` are those that such a family has besides. */
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

/** The fields of a user, and what a request says of the password. */
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

/** What a request says of the flows of a new user. */
interface NewUserMembers {
  readonly sendSetPasswordEmail: boolean;
  readonly sendSetPasswordIdentityType?: "doNotSend" | "email" | undefined;
  readonly currentPassword?: undefined;
  readonly generateAuthenticationToken?: undefined;
}

/** The members that start the flows of a new user, and those that ask for what the service does not do. */
export const newUserFields = (): { readonly [Name in keyof NewUserMembers]-?: Schema<NewUserMembers[Name]> } => ({
  sendSetPasswordEmail: flag().default(false),
  sendSetPasswordIdentityType: option(["doNotSend", "email"]).optional(),
  currentPassword: refusal("Change a password by POST /api/user/change-password, which checks the current one."),
  generateAuthenticationToken: refusal("There are no authentication tokens of registrations."),
});

/** The newer member in the place of the older one. */
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
