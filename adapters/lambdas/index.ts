/** The function of each kind of lambda, for bodies that are written with completion. Types only. */

import type { LambdaType } from "../../src/availability/lambda-types.js";
import type { LambdaArgumentsOf, RegistrationFormContext } from "../../src/lambdas/types/lambda-arguments.js";
import type {
  LambdaClaims,
  LambdaEntity,
  LambdaGroup,
  LambdaGroupMember,
  LambdaRegistration,
  LambdaTargetEntity,
  LambdaUser,
  LdapAttributes,
  MFARequirementResult,
  OpenIdTokens,
  OpenRecord,
  PersonClaims,
  SamlResponse,
  ScimGroup,
  ScimOptions,
  ScimUser,
  ValidationResult,
} from "../../src/lambdas/types/lambda-shapes.js";

export type { LambdaArguments, LambdaType, LambdaTypeAlias, LambdaTypeName } from "../../src/availability/lambda-types.js";
export type {
  ChangedArguments,
  GivenArguments,
  GivenValue,
  JWTPopulateContext,
  LambdaArgumentsOf,
  LambdaContext,
  LambdaTypeOf,
  LoginValidationContext,
  MFARequirementContext,
  OptionalArgument,
  RegistrationFormContext,
  ScopedContext,
} from "../../src/lambdas/types/lambda-arguments.js";
export type {
  LambdaClaims,
  LambdaEntity,
  LambdaError,
  LambdaGroup,
  LambdaGroupMember,
  LambdaMembership,
  LambdaRegistration,
  LambdaTargetEntity,
  LambdaUser,
  LdapAttributes,
  MFARequirementResult,
  OpenIdTokens,
  OpenRecord,
  PersonClaims,
  SamlAssertion,
  SamlResponse,
  ScimGroup,
  ScimMeta,
  ScimName,
  ScimOptions,
  ScimResource,
  ScimUser,
  ScimValue,
  ValidationResult,
} from "../../src/lambdas/types/lambda-shapes.js";
export type { LambdaFunction, LambdaScope } from "../../src/ports/lambda-runner.js";

/** How a lambda reads the secrets of its tenant, and those that the option `lambdas.resolveSecret` of the host finds. */
export interface LambdaSecrets {
  /** `get` returns the secret with a name; undefined for an unknown one. */
  readonly secrets: { get(name: string): string | undefined };
  /** The same under the name of the reference: `context.services.secrets.get(name)`. */
  readonly services: { readonly secrets: { get(name: string): string | undefined } };
}

/** The constants of a tenant by their names: declare your own in this interface. */
export interface TenantConstants {
  /** A JSON value; undefined where the tenant has none of the name. */
  readonly [name: string]: unknown;
}

/** How a lambda reads the constants of the tenant that it runs for. */
export interface LambdaConstants {
  /** The constants by name, frozen; empty where there are none. */
  readonly constants: TenantConstants;
  /** The same beside the secrets: `context.services.constants`. */
  readonly services: { readonly constants: TenantConstants };
}

/** The context of a kind of lambda, as its body sees it. */
export type ContextOf<Type extends LambdaType> = LambdaArgumentsOf[Type]["context"] & LambdaSecrets & LambdaConstants;

type Registration = LambdaRegistration | undefined;
type OfProvider<Type extends LambdaType> = (
  user: LambdaUser,
  registration: LambdaRegistration,
  userInfo: OpenRecord,
  context: ContextOf<Type>,
) => void;

/** Fills the access token of a user. */
export type JWTPopulate = (
  jwt: LambdaClaims,
  user: LambdaUser,
  registration: Registration,
  context: ContextOf<"JWTPopulate">,
) => void;

/** Reconciles a user with the claims of an OpenID Connect provider. */
export type OpenIDReconcile = (
  user: LambdaUser,
  registration: LambdaRegistration,
  jwt: PersonClaims,
  id_token: PersonClaims | undefined,
  tokens: OpenIdTokens,
  context: ContextOf<"OpenIDReconcile">,
) => void;

/** Reconciles a user with the assertion of a SAML provider. */
export type SAMLv2Reconcile = (
  user: LambdaUser,
  registration: LambdaRegistration,
  samlResponse: SamlResponse,
  context: ContextOf<"SAMLv2Reconcile">,
) => void;

/** Fills the SAML response that a user is sent on with. */
export type SAMLv2Populate = (
  samlResponse: SamlResponse,
  user: LambdaUser,
  registration: Registration,
  context: ContextOf<"SAMLv2Populate">,
) => void;

/** Reconciles a user with the claims of Apple's id token. */
export type AppleReconcile = (
  user: LambdaUser,
  registration: LambdaRegistration,
  idToken: PersonClaims,
  context: ContextOf<"AppleReconcile">,
) => void;

/** Reconciles a user with the claims of another issuer's token. */
export type ExternalJWTReconcile = (
  user: LambdaUser,
  registration: LambdaRegistration,
  jwt: PersonClaims,
  context: ContextOf<"ExternalJWTReconcile">,
) => void;

/** Reconciles a user with the profile from Facebook. */
export type FacebookReconcile = (
  user: LambdaUser,
  registration: LambdaRegistration,
  facebookUser: OpenRecord,
  context: ContextOf<"FacebookReconcile">,
) => void;

/** Reconciles a user with the claims of Google's id token. */
export type GoogleReconcile = (
  user: LambdaUser,
  registration: LambdaRegistration,
  idToken: PersonClaims,
  context: ContextOf<"GoogleReconcile">,
) => void;

/** Says something of a user who came by HYPR. */
export type HYPRReconcile = (user: LambdaUser, registration: LambdaRegistration, context: ContextOf<"HYPRReconcile">) => void;

/** Reconciles a user with the profile from Twitter. */
export type TwitterReconcile = (
  user: LambdaUser,
  registration: LambdaRegistration,
  twitterUser: OpenRecord,
  context: ContextOf<"TwitterReconcile">,
) => void;

/** Makes a user of an entry of a directory. */
export type LDAPConnectorReconcile = (
  user: LambdaUser,
  userAttributes: LdapAttributes,
  context: ContextOf<"LDAPConnectorReconcile">,
) => void;

/** Reconciles a user with the profile from LinkedIn. */
export type LinkedInReconcile = (
  user: LambdaUser,
  registration: LambdaRegistration,
  linkedInUser: OpenRecord,
  context: ContextOf<"LinkedInReconcile">,
) => void;

/** Reconciles a user with the profile from Epic Games. */
export type EpicGamesReconcile = OfProvider<"EpicGamesReconcile">;

/** Reconciles a user with the profile from Nintendo. */
export type NintendoReconcile = OfProvider<"NintendoReconcile">;

/** Reconciles a user with the profile from Sony. */
export type SonyPSNReconcile = OfProvider<"SonyPSNReconcile">;

/** Reconciles a user with the profile from Steam. */
export type SteamReconcile = OfProvider<"SteamReconcile">;

/** Reconciles a user with the profile from Twitch. */
export type TwitchReconcile = OfProvider<"TwitchReconcile">;

/** Reconciles a user with the profile from Xbox. */
export type XboxReconcile = OfProvider<"XboxReconcile">;

/** Fills the access token of an entity. */
export type ClientCredentialsJWTPopulate = (
  jwt: LambdaClaims,
  recipientEntity: LambdaEntity,
  targetEntities: LambdaTargetEntity[],
  permissions: Record<string, string[]>,
  context: ContextOf<"ClientCredentialsJWTPopulate">,
) => void;

/** Makes a group and its members of what a SCIM client sends. */
export type SCIMGroupRequestConverter = (
  group: LambdaGroup,
  members: LambdaGroupMember[],
  options: ScimOptions,
  scimGroup: ScimGroup,
  context: ContextOf<"SCIMGroupRequestConverter">,
) => void;

/** Makes of a group what a SCIM client is shown. */
export type SCIMGroupResponseConverter = (
  scimGroup: ScimGroup,
  group: LambdaGroup,
  members: LambdaGroupMember[],
  context: ContextOf<"SCIMGroupResponseConverter">,
) => void;

/** Makes a user of what a SCIM client sends. */
export type SCIMUserRequestConverter = (
  user: LambdaUser,
  options: ScimOptions,
  scimUser: ScimUser,
  context: ContextOf<"SCIMUserRequestConverter">,
) => void;

/** Makes of a user what a SCIM client is shown. */
export type SCIMUserResponseConverter = (
  scimUser: ScimUser,
  user: LambdaUser,
  context: ContextOf<"SCIMUserResponseConverter">,
) => void;

/** Refuses a registration, or a step of its form, by what it pushes to `result.errors`. */
export type SelfServiceRegistrationValidation = (
  result: ValidationResult,
  user: LambdaUser,
  registration: Registration,
  formContext: RegistrationFormContext | undefined,
  context: ContextOf<"SelfServiceRegistrationValidation">,
) => void;

/** Fills what the userinfo endpoint answers. */
export type UserInfoPopulate = (
  userInfo: LambdaClaims,
  user: LambdaUser,
  registration: Registration,
  jwt: LambdaClaims,
  context: ContextOf<"UserInfoPopulate">,
) => void;

/** Refuses a login by what it pushes to `result.errors`. */
export type LoginValidation = (
  result: ValidationResult,
  user: LambdaUser,
  registration: Registration,
  context: ContextOf<"LoginValidation">,
) => void;

/** Decides whether a second factor is asked. */
export type MFARequirement = (
  result: MFARequirementResult,
  user: LambdaUser,
  registration: Registration,
  context: ContextOf<"MFARequirement">,
) => void;

/** The function of each kind, by the kind. */
export interface LambdaFunctions {
  /** Fills the access token of a user. */
  readonly JWTPopulate: JWTPopulate;
  /** Reconciles a user with an OpenID Connect provider. */
  readonly OpenIDReconcile: OpenIDReconcile;
  /** Reconciles a user with a SAML provider. */
  readonly SAMLv2Reconcile: SAMLv2Reconcile;
  /** Fills a SAML response. */
  readonly SAMLv2Populate: SAMLv2Populate;
  /** Reconciles a user with Apple. */
  readonly AppleReconcile: AppleReconcile;
  /** Reconciles a user with another issuer's token. */
  readonly ExternalJWTReconcile: ExternalJWTReconcile;
  /** Reconciles a user with Facebook. */
  readonly FacebookReconcile: FacebookReconcile;
  /** Reconciles a user with Google. */
  readonly GoogleReconcile: GoogleReconcile;
  /** Reconciles a user with HYPR. */
  readonly HYPRReconcile: HYPRReconcile;
  /** Reconciles a user with Twitter. */
  readonly TwitterReconcile: TwitterReconcile;
  /** Makes a user of a directory entry. */
  readonly LDAPConnectorReconcile: LDAPConnectorReconcile;
  /** Reconciles a user with LinkedIn. */
  readonly LinkedInReconcile: LinkedInReconcile;
  /** Reconciles a user with Epic Games. */
  readonly EpicGamesReconcile: EpicGamesReconcile;
  /** Reconciles a user with Nintendo. */
  readonly NintendoReconcile: NintendoReconcile;
  /** Reconciles a user with Sony. */
  readonly SonyPSNReconcile: SonyPSNReconcile;
  /** Reconciles a user with Steam. */
  readonly SteamReconcile: SteamReconcile;
  /** Reconciles a user with Twitch. */
  readonly TwitchReconcile: TwitchReconcile;
  /** Reconciles a user with Xbox. */
  readonly XboxReconcile: XboxReconcile;
  /** Fills the access token of an entity. */
  readonly ClientCredentialsJWTPopulate: ClientCredentialsJWTPopulate;
  /** Makes a group of a SCIM group. */
  readonly SCIMGroupRequestConverter: SCIMGroupRequestConverter;
  /** Makes a SCIM group of a group. */
  readonly SCIMGroupResponseConverter: SCIMGroupResponseConverter;
  /** Makes a user of a SCIM user. */
  readonly SCIMUserRequestConverter: SCIMUserRequestConverter;
  /** Makes a SCIM user of a user. */
  readonly SCIMUserResponseConverter: SCIMUserResponseConverter;
  /** Refuses a registration or a step of its form. */
  readonly SelfServiceRegistrationValidation: SelfServiceRegistrationValidation;
  /** Fills the answer of the userinfo endpoint. */
  readonly UserInfoPopulate: UserInfoPopulate;
  /** Refuses a login. */
  readonly LoginValidation: LoginValidation;
  /** Decides whether a login needs a second factor. */
  readonly MFARequirement: MFARequirement;
}
