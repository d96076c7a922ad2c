/** The function type of each lambda type, for code completion in bodies. Types only. */

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

/** Access to the secrets of the lambda's tenant, and to those that the host's option `lambdas.resolveSecret` finds. */
export interface LambdaSecrets {
  /** `get` returns the secret with a name; undefined for an unknown one. */
  readonly secrets: { get(name: string): string | undefined };
  /** The same secrets at the reference's path: `context.services.secrets.get(name)`. */
  readonly services: { readonly secrets: { get(name: string): string | undefined } };
}

/** The constants of a tenant by name: declare your own in this interface. */
export interface TenantConstants {
  /** A JSON value; undefined for an unknown name. */
  readonly [name: string]: unknown;
}

/** Access to the constants of the lambda's tenant. */
export interface LambdaConstants {
  /** The constants by name, frozen; empty where there are none. */
  readonly constants: TenantConstants;
  /** The same constants beside the secrets: `context.services.constants`. */
  readonly services: { readonly constants: TenantConstants };
}

/** The context argument of a lambda type. */
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

/** Fills the SAML response for a service provider. */
export type SAMLv2Populate = (
  samlResponse: SamlResponse,
  user: LambdaUser,
  registration: Registration,
  context: ContextOf<"SAMLv2Populate">,
) => void;

/** Reconciles a user with the claims of Apple's ID token. */
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

/** Reconciles a user with the claims of Google's ID token. */
export type GoogleReconcile = (
  user: LambdaUser,
  registration: LambdaRegistration,
  idToken: PersonClaims,
  context: ContextOf<"GoogleReconcile">,
) => void;

/** Reconciles a user after a login with HYPR. */
export type HYPRReconcile = (user: LambdaUser, registration: LambdaRegistration, context: ContextOf<"HYPRReconcile">) => void;

/** Reconciles a user with the profile from Twitter. */
export type TwitterReconcile = (
  user: LambdaUser,
  registration: LambdaRegistration,
  twitterUser: OpenRecord,
  context: ContextOf<"TwitterReconcile">,
) => void;

/** Builds a user from a directory entry. */
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

/** Builds a group and its members from a SCIM request. */
export type SCIMGroupRequestConverter = (
  group: LambdaGroup,
  members: LambdaGroupMember[],
  options: ScimOptions,
  scimGroup: ScimGroup,
  context: ContextOf<"SCIMGroupRequestConverter">,
) => void;

/** Builds the SCIM response for a group. */
export type SCIMGroupResponseConverter = (
  scimGroup: ScimGroup,
  group: LambdaGroup,
  members: LambdaGroupMember[],
  context: ContextOf<"SCIMGroupResponseConverter">,
) => void;

/** Builds a user from a SCIM request. */
export type SCIMUserRequestConverter = (
  user: LambdaUser,
  options: ScimOptions,
  scimUser: ScimUser,
  context: ContextOf<"SCIMUserRequestConverter">,
) => void;

/** Builds the SCIM response for a user. */
export type SCIMUserResponseConverter = (
  scimUser: ScimUser,
  user: LambdaUser,
  context: ContextOf<"SCIMUserResponseConverter">,
) => void;

/** Refuses a registration, or a step of its form, when it adds to `result.errors`. */
export type SelfServiceRegistrationValidation = (
  result: ValidationResult,
  user: LambdaUser,
  registration: Registration,
  formContext: RegistrationFormContext | undefined,
  context: ContextOf<"SelfServiceRegistrationValidation">,
) => void;

/** Fills the response of the userinfo endpoint. */
export type UserInfoPopulate = (
  userInfo: LambdaClaims,
  user: LambdaUser,
  registration: Registration,
  jwt: LambdaClaims,
  context: ContextOf<"UserInfoPopulate">,
) => void;

/** Refuses a login when it adds to `result.errors`. */
export type LoginValidation = (
  result: ValidationResult,
  user: LambdaUser,
  registration: Registration,
  context: ContextOf<"LoginValidation">,
) => void;

/** Decides whether a login needs a second factor. */
export type MFARequirement = (
  result: MFARequirementResult,
  user: LambdaUser,
  registration: Registration,
  context: ContextOf<"MFARequirement">,
) => void;

/** The function of each lambda type, by type. */
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
  /** Builds a user from a directory entry. */
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
  /** Builds a group from a SCIM group. */
  readonly SCIMGroupRequestConverter: SCIMGroupRequestConverter;
  /** Builds a SCIM group from a group. */
  readonly SCIMGroupResponseConverter: SCIMGroupResponseConverter;
  /** Builds a user from a SCIM user. */
  readonly SCIMUserRequestConverter: SCIMUserRequestConverter;
  /** Builds a SCIM user from a user. */
  readonly SCIMUserResponseConverter: SCIMUserResponseConverter;
  /** Refuses a registration or a step of its form. */
  readonly SelfServiceRegistrationValidation: SelfServiceRegistrationValidation;
  /** Fills the response of the userinfo endpoint. */
  readonly UserInfoPopulate: UserInfoPopulate;
  /** Refuses a login. */
  readonly LoginValidation: LoginValidation;
  /** Decides whether a login needs a second factor. */
  readonly MFARequirement: MFARequirement;
}
