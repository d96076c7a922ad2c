/**
 * The shapes of lambda arguments inside of a body, where they may be changed (docs/reference/lambdas.md#types,
 * docs/reference/lambdas.md#context). Types only, without imports: authors of bodies see this file alone.
 */

/** An object with the members of an identity provider or of the author of a lambda. */
export type OpenRecord = Record<string, unknown>;

/** A user. Dates are `YYYY-MM-DD`, instants epoch milliseconds. */
export interface LambdaUser {
  /** The UUID of the user. */
  id: string;
  /** The tenant of the user. */
  tenantId: string;
  /** Whether the user can log in. */
  active: boolean;
  /** Free metadata. */
  data: OpenRecord;
  /** Java locales such as `de` and `es_MX`, most preferred first. */
  preferredLanguages: string[];
  /** The registrations of the user, one per application. */
  registrations: LambdaRegistration[];
  /** The groups of the user. */
  memberships: LambdaMembership[];
  /** Whether the login ids are verified. */
  verified: boolean;
  /** `YYYY-MM-DD`. */
  birthDate?: string | undefined;
  /** The email address in lower case. */
  email?: string | undefined;
  /** When the account expires, in epoch milliseconds; absent: never. */
  expiry?: number | undefined;
  /** The given name. */
  firstName?: string | undefined;
  /** The whole name, where it is stored as one text. */
  fullName?: string | undefined;
  /** The address of a picture. */
  imageUrl?: string | undefined;
  /** When the user was created, in epoch milliseconds. */
  insertInstant?: number | undefined;
  /** The last login, in epoch milliseconds; absent before the first one. */
  lastLoginInstant?: number | undefined;
  /** The family name. */
  lastName?: string | undefined;
  /** The last change, in epoch milliseconds. */
  lastUpdateInstant?: number | undefined;
  /** Names between the first and the last one. */
  middleName?: string | undefined;
  /** The number that text messages go to. */
  mobilePhone?: string | undefined;
  /** The email address of a parent. */
  parentEmail?: string | undefined;
  /** Whether the next login asks for a new password. */
  passwordChangeRequired?: boolean | undefined;
  /** Another number. */
  phoneNumber?: string | undefined;
  /** The name of a time zone, such as `Europe/Berlin`. */
  timezone?: string | undefined;
  /** The name for logins; absent for users with an email address alone. */
  username?: string | undefined;
}

/** A user's registration to an application. */
export interface LambdaRegistration {
  /** The application. */
  applicationId: string;
  /** Free metadata: any JSON object. */
  data: OpenRecord;
  /** Java locales such as `de` and `es_MX`, most preferred first. */
  preferredLanguages: string[];
  /** Names of roles of the application. */
  roles: string[];
  /** The UUID of the registration. */
  id?: string | undefined;
  /** When it was created, in epoch milliseconds. */
  insertInstant?: number | undefined;
  /** The last login to the application, in epoch milliseconds. */
  lastLoginInstant?: number | undefined;
  /** The last change, in epoch milliseconds. */
  lastUpdateInstant?: number | undefined;
  /** The name of a time zone for this application. */
  timezone?: string | undefined;
  /** Tokens of identity providers by name; `{}` here. */
  tokens?: Record<string, string> | undefined;
  /** A name that the application shows. */
  username?: string | undefined;
  /** Whether the registration is verified. */
  verified?: boolean | undefined;
}

/** A user's membership of a group. */
export interface LambdaMembership {
  /** The group. */
  groupId: string;
  /** The UUID of the membership. */
  id?: string | undefined;
  /** Free metadata of the membership. */
  data?: OpenRecord | undefined;
}

/** The claims of a token that the service issues; instants are seconds (RFC 7519). */
export interface LambdaClaims {
  [claim: string]: unknown;
  /** The application of the login. */
  applicationId?: string | undefined;
  /** The application, or the entities of a client token; absent for a login to no application. */
  aud?: string | string[] | undefined;
  /** Such as `PASSWORD` or `REFRESH_TOKEN`. */
  authenticationType?: string | undefined;
  /** The email address of the user. */
  email?: string | undefined;
  /** Whether the email address is verified. */
  email_verified?: boolean | undefined;
  /** When the token expires. A lambda can set it earlier, not later. */
  exp?: number | undefined;
  /** When the token was issued. */
  iat?: number | undefined;
  /** The issuer: `issuer` of the tenant, else `latchkey`. */
  iss?: string | undefined;
  /** The id of the token. */
  jti?: string | undefined;
  /** The username. */
  preferred_username?: string | undefined;
  /** The names of the effective roles in the application. */
  roles?: string[] | undefined;
  /** Scopes with blanks between them. */
  scope?: string | undefined;
  /** The id of the user or entity. */
  sub?: string | undefined;
  /** The id of the tenant. */
  tid?: string | undefined;
}

/** The claims of an identity provider about a person, with the names of OpenID Connect Core 5.1, and others of its own. */
export interface PersonClaims {
  [claim: string]: unknown;
  /** `YYYY-MM-DD`, or a year. */
  birthdate?: string | undefined;
  /** The preferred email address. */
  email?: string | undefined;
  /** Whether the provider verified the email address. */
  email_verified?: boolean | undefined;
  /** The family name. */
  family_name?: string | undefined;
  /** The given name. */
  given_name?: string | undefined;
  /** The provider that issued the claims. */
  iss?: string | undefined;
  /** A language tag such as `de-CH` (RFC 5646). */
  locale?: string | undefined;
  /** Names between the first and the last one. */
  middle_name?: string | undefined;
  /** The whole name. */
  name?: string | undefined;
  /** The preferred phone number. */
  phone_number?: string | undefined;
  /** The address of a picture. */
  picture?: string | undefined;
  /** The preferred username of the person; not unique. */
  preferred_username?: string | undefined;
  /** The id of the person at the provider. */
  sub?: string | undefined;
  /** The name of a time zone, such as `Europe/Berlin`. */
  zoneinfo?: string | undefined;
}

/** The answer of an identity provider's token endpoint. */
export interface OpenIdTokens {
  [name: string]: unknown;
  /** The access token for calls to the provider. */
  access_token: string;
  /** The lifetime of the access token in seconds. */
  expires_in?: number | undefined;
  /** The ID token, a JWT. */
  id_token?: string | undefined;
  /** The refresh token; absent unless the scope asked for one. */
  refresh_token?: string | undefined;
  /** The granted scopes with blanks between them. */
  scope?: string | undefined;
  /** The kind of access token, usually `Bearer`. */
  token_type?: string | undefined;
}

/** A SAML 2.0 response with its assertion. Instants are epoch milliseconds. */
export interface SamlResponse {
  [name: string]: unknown;
  /** The statements of the identity provider about the user. */
  assertion: SamlAssertion;
  /** The URL that the response is sent to. */
  destination?: string | undefined;
  /** The id of the response. */
  id?: string | undefined;
  /** The id of the request; absent for logins that the provider started. */
  inResponseTo?: string | undefined;
  /** When the response was issued. */
  issueInstant?: number | undefined;
  /** The entity id of the identity provider. */
  issuer?: string | undefined;
  /** Names the session at the identity provider, for a logout. */
  sessionIndex?: string | undefined;
}

/** The assertion of a SAML response. */
export interface SamlAssertion {
  [name: string]: unknown;
  /** Each attribute by its name, with all of its values. */
  attributes: Record<string, string[]>;
  /** The user: one or several names, each with its format. */
  subject?: { nameIDs: { format: string; id: string }[] } | undefined;
  /** The validity of the assertion: its period and service providers. */
  conditions?: { audiences: string[]; notBefore?: number; notOnOrAfter?: number } | undefined;
}

/** The attributes of an entry of a directory (RFC 4511) by name; those with several values are lists. */
export type LdapAttributes = Record<string, string | string[]>;

/** A group of users. */
export interface LambdaGroup {
  /** Unique in its tenant. */
  name: string;
  /** Free metadata: any JSON object. */
  data: OpenRecord;
  /** The UUID of the group. */
  id?: string | undefined;
  /** The tenant of the group. */
  tenantId?: string | undefined;
  /** When it was created, in epoch milliseconds. */
  insertInstant?: number | undefined;
  /** The last change, in epoch milliseconds. */
  lastUpdateInstant?: number | undefined;
}

/** A member of a group. */
export interface LambdaGroupMember {
  /** The user. */
  userId: string;
  /** The UUID of the membership. */
  id?: string | undefined;
  /** Free metadata of the membership. */
  data?: OpenRecord | undefined;
}

/** The options of a SCIM converter beside the record that it fills. */
export interface ScimOptions {
  [name: string]: unknown;
  /** The application to register the user to. */
  applicationId?: string | undefined;
  /** Ids of the roles that a group gives. */
  roleIds?: string[] | undefined;
}

/** The members of every SCIM resource (RFC 7643, 3.1); extensions are under their URN. */
export interface ScimResource {
  [name: string]: unknown;
  /** The URNs of the schemas that the resource follows. */
  schemas: string[];
  /** The id at the SCIM service. */
  id?: string | undefined;
  /** The id at the SCIM client. */
  externalId?: string | undefined;
  /** When and where the resource is stored. */
  meta?: ScimMeta | undefined;
}

/** The metadata of a resource at a SCIM service; dates are ISO 8601. */
export interface ScimMeta {
  /** When the resource was created. */
  created?: string | undefined;
  /** The last change. */
  lastModified?: string | undefined;
  /** The URL of the resource. */
  location?: string | undefined;
  /** `User` or `Group`. */
  resourceType?: string | undefined;
  /** The ETag of the resource. */
  version?: string | undefined;
}

/** One of several values of an attribute (RFC 7643, 2.4). */
export interface ScimValue {
  /** The value, or the id of a member. */
  value: string;
  /** The URL of a resource that the value names. */
  $ref?: string | undefined;
  /** A text for people. */
  display?: string | undefined;
  /** Whether it is the preferred value; at most one is. */
  primary?: boolean | undefined;
  /** The use of the value, such as `work`. */
  type?: string | undefined;
}

/** A SCIM user (RFC 7643, 4.1). */
export interface ScimUser extends ScimResource {
  /** The unique name for logins; required. */
  userName: string;
  /** Whether the user can log in. */
  active?: boolean | undefined;
  /** The name to show. */
  displayName?: string | undefined;
  /** Email addresses. */
  emails?: ScimValue[] | undefined;
  /** The groups of the user; read only. */
  groups?: ScimValue[] | undefined;
  /** A language tag such as `de-CH`, for dates and numbers. */
  locale?: string | undefined;
  /** The parts of the name. */
  name?: ScimName | undefined;
  /** The casual name. */
  nickName?: string | undefined;
  /** Phone numbers (RFC 3966). */
  phoneNumbers?: ScimValue[] | undefined;
  /** URLs of pictures. */
  photos?: ScimValue[] | undefined;
  /** Languages as in the header `Accept-Language`. */
  preferredLanguage?: string | undefined;
  /** The URL of a page about the user. */
  profileUrl?: string | undefined;
  /** The name of a time zone, such as `Europe/Berlin`. */
  timezone?: string | undefined;
  /** The position, such as `Vice President`. */
  title?: string | undefined;
  /** The relation to the organization, such as `Employee`. */
  userType?: string | undefined;
}

/** The parts of a SCIM user's name. */
export interface ScimName {
  /** The family name. */
  familyName?: string | undefined;
  /** The whole name as one text. */
  formatted?: string | undefined;
  /** The given name. */
  givenName?: string | undefined;
  /** A title before the name, such as `Dr.`. */
  honorificPrefix?: string | undefined;
  /** A title after the name, such as `III`. */
  honorificSuffix?: string | undefined;
  /** Names between the first and the last one. */
  middleName?: string | undefined;
}

/** A SCIM group (RFC 7643, 4.2). */
export interface ScimGroup extends ScimResource {
  /** The name of the group; required. */
  displayName: string;
  /** The members: their ids, with names for people. */
  members?: ScimValue[] | undefined;
}

/** An entity: a thing, such as a service or a device, that holds permissions or grants them. */
export interface LambdaEntity {
  /** The UUID of the entity. */
  id: string;
  /** Unique per type and tenant. */
  name: string;
  /** Free metadata: any JSON object. */
  data: OpenRecord;
  /** The tenant of the entity. */
  tenantId: string;
  /** The entity type. */
  type: { id: string; name?: string | undefined };
  /** The name of the entity at the token endpoint. */
  clientId?: string | undefined;
  /** The entity above it; absent for none. */
  parentId?: string | undefined;
}

/** An entity that a token is for. An entity of another tenant, such as that of the API itself, has only its id. */
export type LambdaTargetEntity = Pick<LambdaEntity, "id"> & Partial<Omit<LambdaEntity, "id">>;

/** An error of a validation. */
export interface LambdaError {
  /** Such as `[invalid]user.data.zip`. */
  code: string;
  /** A sentence for people. */
  message: string;
  /** Any JSON to pass on to the caller. */
  data?: unknown;
}

/** The result of a validation: any error in it refuses. */
export interface ValidationResult {
  /** Errors by the path of a field, and general ones. Both are empty at first. */
  errors: { fieldErrors: Record<string, LambdaError[]>; generalErrors: LambdaError[] };
}

/** Whether to ask for a second factor; starts with the result of the policy. */
export interface MFARequirementResult {
  /** Whether to ask for a second factor. At first true for users with one. */
  required: boolean;
  /** Whether the event `user.login.suspicious` is sent. */
  sendSuspiciousLoginEvent: boolean;
}
