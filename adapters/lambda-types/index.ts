/** The function of each kind of lambda, for bodies that are written with completion. Types only. */
import type {
  LambdaArgumentsOf,
  LambdaClaims,
  LambdaEntity,
  LambdaGroup,
  LambdaGroupMember,
  LambdaRegistration,
  LambdaTargetEntity,
  LambdaType,
  LambdaUser,
  LdapAttributes,
  MFARequirementResult,
  OpenIdTokens,
  OpenRecord,
  PersonClaims,
  RegistrationFormContext,
  SamlResponse,
  ScimGroup,
  ScimOptions,
  ScimUser,
  ValidationResult,
} from "latchkey";

export type {
  LambdaArgumentsOf,
  LambdaClaims,
  LambdaContext,
  LambdaEntity,
  LambdaError,
  LambdaGroup,
  LambdaGroupMember,
  LambdaRegistration,
  LambdaTargetEntity,
  LambdaType,
  LambdaUser,
  LdapAttributes,
  MFARequirementResult,
  OpenIdTokens,
  OpenRecord,
  PersonClaims,
  RegistrationFormContext,
  SamlResponse,
  ScimGroup,
  ScimOptions,
  ScimUser,
  ScimValue,
  ValidationResult,
} from "latchkey";

/** How a lambda gets at the secrets that the host resolves; see the option `lambdas.resolveSecret`. */
export interface LambdaSecrets {
  readonly secrets: { get(name: string): string | undefined };
  readonly services: { readonly secrets: { get(name: string): string | undefined } };
}

/** The context of a kind of lambda, as its body sees it. */
export type ContextOf<Type extends LambdaType> = LambdaArgumentsOf[Type]["context"] & LambdaSecrets;

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

/** Says of a user what an OpenID Connect provider tells. */
export type OpenIDReconcile = (
  user: LambdaUser,
  registration: LambdaRegistration,
  jwt: PersonClaims,
  id_token: PersonClaims | undefined,
  tokens: OpenIdTokens,
  context: ContextOf<"OpenIDReconcile">,
) => void;

/** Says of a user what a SAML provider tells. */
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

/** Says of a user what the id token of Apple tells. */
export type AppleReconcile = (
  user: LambdaUser,
  registration: LambdaRegistration,
  idToken: PersonClaims,
  context: ContextOf<"AppleReconcile">,
) => void;

/** Says of a user what the token of another issuer tells. */
export type ExternalJWTReconcile = (
  user: LambdaUser,
  registration: LambdaRegistration,
  jwt: PersonClaims,
  context: ContextOf<"ExternalJWTReconcile">,
) => void;

/** Says of a user what Facebook tells. */
export type FacebookReconcile = (
  user: LambdaUser,
  registration: LambdaRegistration,
  facebookUser: OpenRecord,
  context: ContextOf<"FacebookReconcile">,
) => void;

/** Says of a user what the id token of Google tells. */
export type GoogleReconcile = (
  user: LambdaUser,
  registration: LambdaRegistration,
  idToken: PersonClaims,
  context: ContextOf<"GoogleReconcile">,
) => void;

/** Says something of a user who came by HYPR. */
export type HYPRReconcile = (user: LambdaUser, registration: LambdaRegistration, context: ContextOf<"HYPRReconcile">) => void;

/** Says of a user what Twitter tells. */
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

/** Says of a user what LinkedIn tells. */
export type LinkedInReconcile = (
  user: LambdaUser,
  registration: LambdaRegistration,
  linkedInUser: OpenRecord,
  context: ContextOf<"LinkedInReconcile">,
) => void;

/** Says of a user what Epic Games tells. */
export type EpicGamesReconcile = OfProvider<"EpicGamesReconcile">;

/** Says of a user what Nintendo tells. */
export type NintendoReconcile = OfProvider<"NintendoReconcile">;

/** Says of a user what Sony tells. */
export type SonyPSNReconcile = OfProvider<"SonyPSNReconcile">;

/** Says of a user what Steam tells. */
export type SteamReconcile = OfProvider<"SteamReconcile">;

/** Says of a user what Twitch tells. */
export type TwitchReconcile = OfProvider<"TwitchReconcile">;

/** Says of a user what Xbox tells. */
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
  readonly JWTPopulate: JWTPopulate;
  readonly OpenIDReconcile: OpenIDReconcile;
  readonly SAMLv2Reconcile: SAMLv2Reconcile;
  readonly SAMLv2Populate: SAMLv2Populate;
  readonly AppleReconcile: AppleReconcile;
  readonly ExternalJWTReconcile: ExternalJWTReconcile;
  readonly FacebookReconcile: FacebookReconcile;
  readonly GoogleReconcile: GoogleReconcile;
  readonly HYPRReconcile: HYPRReconcile;
  readonly TwitterReconcile: TwitterReconcile;
  readonly LDAPConnectorReconcile: LDAPConnectorReconcile;
  readonly LinkedInReconcile: LinkedInReconcile;
  readonly EpicGamesReconcile: EpicGamesReconcile;
  readonly NintendoReconcile: NintendoReconcile;
  readonly SonyPSNReconcile: SonyPSNReconcile;
  readonly SteamReconcile: SteamReconcile;
  readonly TwitchReconcile: TwitchReconcile;
  readonly XboxReconcile: XboxReconcile;
  readonly ClientCredentialsJWTPopulate: ClientCredentialsJWTPopulate;
  readonly SCIMGroupRequestConverter: SCIMGroupRequestConverter;
  readonly SCIMGroupResponseConverter: SCIMGroupResponseConverter;
  readonly SCIMUserRequestConverter: SCIMUserRequestConverter;
  readonly SCIMUserResponseConverter: SCIMUserResponseConverter;
  readonly SelfServiceRegistrationValidation: SelfServiceRegistrationValidation;
  readonly UserInfoPopulate: UserInfoPopulate;
  readonly LoginValidation: LoginValidation;
  readonly MFARequirement: MFARequirement;
}
