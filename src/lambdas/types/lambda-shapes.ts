/**
 * What the arguments of lambdas look like from inside of a body, where they may be changed (docs/reference/lambdas.md#types, docs/reference/lambdas.md#context). Types only, of which none
 * imports another file: authors of bodies see nothing else.
 */

/** An object whose members somebody else decides: an identity provider, or the author of a lambda. */
export type OpenRecord = Record<string, unknown>;

/** A user. Dates are `YYYY-MM-DD`, instants epoch milliseconds. */
export interface LambdaUser {
  id: string;
  tenantId: string;
  active: boolean;
  /** Free metadata. */
  data: OpenRecord;
  preferredLanguages: string[];
  registrations: LambdaRegistration[];
  memberships: LambdaMembership[];
  verified: boolean;
  birthDate?: string | undefined;
  email?: string | undefined;
  expiry?: number | undefined;
  firstName?: string | undefined;
  fullName?: string | undefined;
  imageUrl?: string | undefined;
  insertInstant?: number | undefined;
  lastLoginInstant?: number | undefined;
  lastName?: string | undefined;
  lastUpdateInstant?: number | undefined;
  middleName?: string | undefined;
  mobilePhone?: string | undefined;
  parentEmail?: string | undefined;
  passwordChangeRequired?: boolean | undefined;
  phoneNumber?: string | undefined;
  timezone?: string | undefined;
  username?: string | undefined;
}

/** A user's registration to an application. */
export interface LambdaRegistration {
  applicationId: string;
  data: OpenRecord;
  preferredLanguages: string[];
  /** Names of roles of the application. */
  roles: string[];
  id?: string | undefined;
  insertInstant?: number | undefined;
  lastLoginInstant?: number | undefined;
  lastUpdateInstant?: number | undefined;
  timezone?: string | undefined;
  tokens?: Record<string, string> | undefined;
  username?: string | undefined;
  verified?: boolean | undefined;
}

/** A user's membership of a group. */
export interface LambdaMembership {
  groupId: string;
  id?: string | undefined;
  data?: OpenRecord | undefined;
}

/** The claims of a token that the service issues; instants are seconds (RFC 7519). */
export interface LambdaClaims {
  [claim: string]: unknown;
  applicationId?: string | undefined;
  aud?: string | string[] | undefined;
  authenticationType?: string | undefined;
  email?: string | undefined;
  email_verified?: boolean | undefined;
  exp?: number | undefined;
  iat?: number | undefined;
  iss?: string | undefined;
  jti?: string | undefined;
  preferred_username?: string | undefined;
  roles?: string[] | undefined;
  scope?: string | undefined;
  sub?: string | undefined;
  tid?: string | undefined;
}

/** The claims about a person of an identity provider, as OpenID Connect Core 5.1 names them, and others of its own. */
export interface PersonClaims {
  [claim: string]: unknown;
  birthdate?: string | undefined;
  email?: string | undefined;
  email_verified?: boolean | undefined;
  family_name?: string | undefined;
  given_name?: string | undefined;
  iss?: string | undefined;
  locale?: string | undefined;
  middle_name?: string | undefined;
  name?: string | undefined;
  phone_number?: string | undefined;
  picture?: string | undefined;
  preferred_username?: string | undefined;
  sub?: string | undefined;
  zoneinfo?: string | undefined;
}

/** What a token endpoint of an identity provider answered. */
export interface OpenIdTokens {
  [name: string]: unknown;
  access_token: string;
  expires_in?: number | undefined;
  id_token?: string | undefined;
  refresh_token?: string | undefined;
  scope?: string | undefined;
  token_type?: string | undefined;
}

/** A SAML 2.0 response with its assertion. Instants are epoch milliseconds. */
export interface SamlResponse {
  [name: string]: unknown;
  assertion: SamlAssertion;
  destination?: string | undefined;
  id?: string | undefined;
  inResponseTo?: string | undefined;
  issueInstant?: number | undefined;
  issuer?: string | undefined;
  sessionIndex?: string | undefined;
}

/** The assertion of a SAML response. */
export interface SamlAssertion {
  [name: string]: unknown;
  /** Each attribute by its name, with all of its values. */
  attributes: Record<string, string[]>;
  subject?: { nameIDs: { format: string; id: string }[] } | undefined;
  conditions?: { audiences: string[]; notBefore?: number; notOnOrAfter?: number } | undefined;
}

/** The attributes of an entry of a directory (RFC 4511) by name; those with several values are lists. */
export type LdapAttributes = Record<string, string | string[]>;

/** A group of users. */
export interface LambdaGroup {
  name: string;
  data: OpenRecord;
  id?: string | undefined;
  tenantId?: string | undefined;
  insertInstant?: number | undefined;
  lastUpdateInstant?: number | undefined;
}

/** A member of a group. */
export interface LambdaGroupMember {
  userId: string;
  id?: string | undefined;
  data?: OpenRecord | undefined;
}

/** What a SCIM converter says beside the record that it fills. */
export interface ScimOptions {
  [name: string]: unknown;
  applicationId?: string | undefined;
  /** Ids of the roles that a group gives. */
  roleIds?: string[] | undefined;
}

/** What every SCIM resource has (RFC 7643, 3.1); extensions stand under their URN. */
export interface ScimResource {
  [name: string]: unknown;
  schemas: string[];
  id?: string | undefined;
  externalId?: string | undefined;
  meta?: ScimMeta | undefined;
}

/** What a SCIM service says of a resource; dates are ISO 8601. */
export interface ScimMeta {
  created?: string | undefined;
  lastModified?: string | undefined;
  location?: string | undefined;
  resourceType?: string | undefined;
  version?: string | undefined;
}

/** One of several values of an attribute (RFC 7643, 2.4). */
export interface ScimValue {
  value: string;
  $ref?: string | undefined;
  display?: string | undefined;
  primary?: boolean | undefined;
  type?: string | undefined;
}

/** A SCIM user (RFC 7643, 4.1). */
export interface ScimUser extends ScimResource {
  userName: string;
  active?: boolean | undefined;
  displayName?: string | undefined;
  emails?: ScimValue[] | undefined;
  groups?: ScimValue[] | undefined;
  locale?: string | undefined;
  name?: ScimName | undefined;
  nickName?: string | undefined;
  phoneNumbers?: ScimValue[] | undefined;
  photos?: ScimValue[] | undefined;
  preferredLanguage?: string | undefined;
  profileUrl?: string | undefined;
  timezone?: string | undefined;
  title?: string | undefined;
  userType?: string | undefined;
}

/** The parts of a SCIM user's name. */
export interface ScimName {
  familyName?: string | undefined;
  formatted?: string | undefined;
  givenName?: string | undefined;
  honorificPrefix?: string | undefined;
  honorificSuffix?: string | undefined;
  middleName?: string | undefined;
}

/** A SCIM group (RFC 7643, 4.2). */
export interface ScimGroup extends ScimResource {
  displayName: string;
  members?: ScimValue[] | undefined;
}

/** An entity: a thing, such as a service or a device, that holds permissions or grants them. */
export interface LambdaEntity {
  id: string;
  name: string;
  data: OpenRecord;
  tenantId: string;
  type: { id: string; name?: string | undefined };
  clientId?: string | undefined;
  parentId?: string | undefined;
}

/** An entity that a token is for. Of another tenant's, such as that of the API itself, there is the id alone. */
export type LambdaTargetEntity = Pick<LambdaEntity, "id"> & Partial<LambdaEntity>;

/** A complaint of a validation. */
export interface LambdaError {
  /** Such as `[invalid]user.data.zip`. */
  code: string;
  message: string;
  data?: unknown;
}

/** What a validation found: anything in it refuses. */
export interface ValidationResult {
  errors: { fieldErrors: Record<string, LambdaError[]>; generalErrors: LambdaError[] };
}

/** Whether a second factor is asked; starts with what policy says. */
export interface MFARequirementResult {
  required: boolean;
  /** Whether the event `user.login.suspicious` is sent. */
  sendSuspiciousLoginEvent: boolean;
}
