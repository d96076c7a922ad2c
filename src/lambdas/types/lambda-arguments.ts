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
} from "./lambda-shapes.js";
import type { LambdaType, LambdaTypeName } from "./lambda-types.js";

/** The context of the call, which each lambda receives; members without a value are absent (docs/reference/lambdas.md#context). */
export interface LambdaContext {
  tenant?: { id: string; name?: string; data?: OpenRecord; issuer?: string } | undefined;
  application?: { id: string; name?: string; data?: OpenRecord } | undefined;
  eventInfo?: { ipAddress?: string; userAgent?: string } | undefined;
}

/** The context of what fills tokens. */
export interface ScopedContext extends LambdaContext {
  scopes?: string[] | undefined;
}

/** The context of a JWTPopulate. */
export interface JWTPopulateContext extends ScopedContext {
  /** Such as `PASSWORD`, `TWO_FACTOR`, `PING` or `REFRESH_TOKEN`. */
  authenticationType?: string | undefined;
}

/** The context of a LoginValidation. */
export interface LoginValidationContext extends LambdaContext {
  /** Such as `PASSWORD`, `TWO_FACTOR` or `PING`. */
  authenticationType?: string | undefined;
  identityProvider?: { id: string; name: string; identityProviderType: string } | undefined;
}

/** The context of an MFARequirement. */
export interface MFARequirementContext extends LambdaContext {
  accessToken?: string | undefined;
  action?: "login" | "changePassword" | "stepUp" | undefined;
  authenticationThreats?: string[] | undefined;
  authenticationType?: string | undefined;
  clientRisk?: { status: "LOW" | "MEDIUM" | "HIGH" } | undefined;
  mfaTrust?: OpenRecord | undefined;
  policies?:
    | { applicationLoginPolicy?: string; applicationMultiFactorTrustPolicy?: string; tenantLoginPolicy?: string }
    | undefined;
}

/** Where somebody is in a form that is filled in step by step. */
export interface RegistrationFormContext {
  /** What was entered, by the key of the field. */
  fields: OpenRecord;
  form: { id: string; name: string; type: string };
  /** Counted from one. */
  step: number;
  /** Counted from zero. */
  stepIndex: number;
  totalSteps: number;
}

/** The arguments about somebody who may be registered to the application at hand. */
interface AccountArguments {
  user: LambdaUser;
  registration: LambdaRegistration | undefined;
  context: LambdaContext;
}

/** The arguments about somebody whom an identity provider knows. */
interface ReconcileArguments {
  user: LambdaUser;
  registration: LambdaRegistration;
  context: LambdaContext;
}

type ProviderArguments = ReconcileArguments & { userInfo: OpenRecord };

/** The arguments of each kind of lambda by their names, as its body sees them. */
export interface LambdaArgumentsOf {
  JWTPopulate: Omit<AccountArguments, "context"> & { jwt: LambdaClaims; context: JWTPopulateContext };
  OpenIDReconcile: ReconcileArguments & { jwt: PersonClaims; id_token: PersonClaims | undefined; tokens: OpenIdTokens };
  SAMLv2Reconcile: ReconcileArguments & { samlResponse: SamlResponse };
  SAMLv2Populate: AccountArguments & { samlResponse: SamlResponse };
  AppleReconcile: ReconcileArguments & { idToken: PersonClaims };
  ExternalJWTReconcile: ReconcileArguments & { jwt: PersonClaims };
  FacebookReconcile: ReconcileArguments & { facebookUser: OpenRecord };
  GoogleReconcile: ReconcileArguments & { idToken: PersonClaims };
  HYPRReconcile: ReconcileArguments;
  TwitterReconcile: ReconcileArguments & { twitterUser: OpenRecord };
  LDAPConnectorReconcile: { user: LambdaUser; userAttributes: LdapAttributes; context: LambdaContext };
  LinkedInReconcile: ReconcileArguments & { linkedInUser: OpenRecord };
  EpicGamesReconcile: ProviderArguments;
  NintendoReconcile: ProviderArguments;
  SonyPSNReconcile: ProviderArguments;
  SteamReconcile: ProviderArguments;
  TwitchReconcile: ProviderArguments;
  XboxReconcile: ProviderArguments;
  ClientCredentialsJWTPopulate: {
    jwt: LambdaClaims;
    recipientEntity: LambdaEntity;
    targetEntities: LambdaTargetEntity[];
    /** The names of the permissions that were given, by the id of the entity that they are on. */
    permissions: Record<string, string[]>;
    context: ScopedContext;
  };
  SCIMGroupRequestConverter: {
    group: LambdaGroup;
    members: LambdaGroupMember[];
    options: ScimOptions;
    scimGroup: ScimGroup;
    context: LambdaContext;
  };
  SCIMGroupResponseConverter: {
    scimGroup: ScimGroup;
    group: LambdaGroup;
    members: LambdaGroupMember[];
    context: LambdaContext;
  };
  SCIMUserRequestConverter: { user: LambdaUser; options: ScimOptions; scimUser: ScimUser; context: LambdaContext };
  SCIMUserResponseConverter: { scimUser: ScimUser; user: LambdaUser; context: LambdaContext };
  SelfServiceRegistrationValidation: AccountArguments & {
    result: ValidationResult;
    formContext: RegistrationFormContext | undefined;
  };
  UserInfoPopulate: AccountArguments & { userInfo: LambdaClaims; jwt: LambdaClaims };
  LoginValidation: Omit<AccountArguments, "context"> & { result: ValidationResult; context: LoginValidationContext };
  MFARequirement: Omit<AccountArguments, "context"> & { result: MFARequirementResult; context: MFARequirementContext };
}

/** The kind that a name of a kind stands for. */
export type LambdaTypeOf<Name extends LambdaTypeName> = Name extends LambdaType
  ? Name
  : Name extends `SCIMServer${infer Rest}`
    ? Extract<LambdaType, `SCIM${Rest}`>
    : never;

/** The arguments that a caller may leave out. */
export type OptionalArgument = "context" | "formContext" | "id_token" | "registration" | "result";

/** A value as a caller gives it: nothing in it is changed, and what the lambda does not need may be absent. */
export type GivenValue<Value> = Value extends readonly (infer Element)[]
  ? readonly GivenValue<Element>[]
  : Value extends object
    ? { readonly [Name in keyof Value]?: GivenValue<Value[Name]> | undefined }
    : Value;

/** The arguments of a kind of lambda as a caller gives them. */
export type GivenArguments<Type extends LambdaType> = Type extends LambdaType
  ? { readonly [Name in Exclude<keyof LambdaArgumentsOf[Type], OptionalArgument>]: GivenValue<LambdaArgumentsOf[Type][Name]> } & {
      readonly [Name in Extract<keyof LambdaArgumentsOf[Type], OptionalArgument>]?:
        | GivenValue<LambdaArgumentsOf[Type][Name]>
        | undefined;
    }
  : never;

/** What comes back: the arguments that were given, and what a lambda of the kind may have made of them. */
export type ChangedArguments<Type extends LambdaType, Given> = Given &
  (Type extends LambdaType
    ? {
        readonly [Name in keyof LambdaArgumentsOf[Type]]:
          | GivenValue<LambdaArgumentsOf[Type][Name]>
          | (Name extends "formContext" | "id_token" | "registration" ? undefined : never);
      }
    : never);
