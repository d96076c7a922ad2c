import type { LambdaType, LambdaTypeName } from "../../availability/lambda-types.js";
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

/**
 * The context of the call, which each lambda receives; members without a value are absent (docs/reference/lambdas.md#context).
 */
export interface LambdaContext {
  /** The tenant of the user or entity. */
  tenant?: { id: string; name?: string; data?: OpenRecord; issuer?: string } | undefined;
  /** The application of the login; absent without one. */
  application?: { id: string; name?: string; data?: OpenRecord } | undefined;
  /** The address of the user and the user agent of the request. */
  eventInfo?: { ipAddress?: string; userAgent?: string } | undefined;
}

/** The context of lambdas that fill tokens. */
export interface ScopedContext extends LambdaContext {
  /** The scopes of the token, such as `openid`. */
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
  /** The identity provider of the login; absent here, where passwords are checked by the service. */
  identityProvider?: { id: string; name: string; identityProviderType: string } | undefined;
}

/** The context of an MFARequirement. */
export interface MFARequirementContext extends LambdaContext {
  /** The access token of a check of the status; absent at logins. */
  accessToken?: string | undefined;
  /** The action of the user: `changePassword` for a login that ends with a new password. */
  action?: "login" | "changePassword" | "stepUp" | undefined;
  /** The threats of the login, such as `UnrecognizedDevice` (docs/reference/login-security.md#threats). */
  authenticationThreats?: string[] | undefined;
  /** Such as `PASSWORD` or `PING`. */
  authenticationType?: string | undefined;
  /** Absent: this service rates no clients. */
  clientRisk?: { status: "LOW" | "MEDIUM" | "HIGH" } | undefined;
  /**
   * The trust in the device, where it presents one: `applicationId`, `expirationInstant`, `id`, `startInstants`, `tenantId`,
   * `userId`.
   */
  mfaTrust?: OpenRecord | undefined;
  /** The settings of the tenant and the application for second factors and trusted devices. */
  policies?:
    | { applicationLoginPolicy?: string; applicationMultiFactorTrustPolicy?: string; tenantLoginPolicy?: string }
    | undefined;
}

/** The position of a user in a form with several steps. */
export interface RegistrationFormContext {
  /** The entered values, by the key of the field. */
  fields: OpenRecord;
  /** The form. */
  form: { id: string; name: string; type: string };
  /** Counted from one. */
  step: number;
  /** Counted from zero. */
  stepIndex: number;
  /** The number of steps. */
  totalSteps: number;
}

/** The arguments about a user with an optional registration to the application. */
interface AccountArguments {
  user: LambdaUser;
  registration: LambdaRegistration | undefined;
  context: LambdaContext;
}

/** The arguments about a user of an identity provider. */
interface ReconcileArguments {
  user: LambdaUser;
  registration: LambdaRegistration;
  context: LambdaContext;
}

type ProviderArguments = ReconcileArguments & { userInfo: OpenRecord };

/** The arguments of each kind of lambda by their names, as its body sees them. */
export interface LambdaArgumentsOf {
  /** `jwt` can be changed, apart from reserved claims. */
  JWTPopulate: Omit<AccountArguments, "context"> & { jwt: LambdaClaims; context: JWTPopulateContext };
  /** `user` and `registration` can be changed; `tokens` come from the token endpoint. */
  OpenIDReconcile: ReconcileArguments & { jwt: PersonClaims; id_token: PersonClaims | undefined; tokens: OpenIdTokens };
  /** `user` and `registration` can be changed. */
  SAMLv2Reconcile: ReconcileArguments & { samlResponse: SamlResponse };
  /** `samlResponse` can be changed. */
  SAMLv2Populate: AccountArguments & { samlResponse: SamlResponse };
  /** `user` and `registration` can be changed. */
  AppleReconcile: ReconcileArguments & { idToken: PersonClaims };
  /** `user` and `registration` can be changed. */
  ExternalJWTReconcile: ReconcileArguments & { jwt: PersonClaims };
  /** `user` and `registration` can be changed. */
  FacebookReconcile: ReconcileArguments & { facebookUser: OpenRecord };
  /** `user` and `registration` can be changed. */
  GoogleReconcile: ReconcileArguments & { idToken: PersonClaims };
  /** `user` and `registration` can be changed. */
  HYPRReconcile: ReconcileArguments;
  /** `user` and `registration` can be changed. */
  TwitterReconcile: ReconcileArguments & { twitterUser: OpenRecord };
  /** `user` can be changed; `userAttributes` are those of the directory entry. */
  LDAPConnectorReconcile: { user: LambdaUser; userAttributes: LdapAttributes; context: LambdaContext };
  /** `user` and `registration` can be changed. */
  LinkedInReconcile: ReconcileArguments & { linkedInUser: OpenRecord };
  /** `user` and `registration` can be changed. */
  EpicGamesReconcile: ProviderArguments;
  /** `user` and `registration` can be changed. */
  NintendoReconcile: ProviderArguments;
  /** `user` and `registration` can be changed. */
  SonyPSNReconcile: ProviderArguments;
  /** `user` and `registration` can be changed. */
  SteamReconcile: ProviderArguments;
  /** `user` and `registration` can be changed. */
  TwitchReconcile: ProviderArguments;
  /** `user` and `registration` can be changed. */
  XboxReconcile: ProviderArguments;
  /** `jwt` can be changed, apart from reserved claims. */
  ClientCredentialsJWTPopulate: {
    jwt: LambdaClaims;
    recipientEntity: LambdaEntity;
    targetEntities: LambdaTargetEntity[];
    /** The names of the granted permissions, by the id of their entity. */
    permissions: Record<string, string[]>;
    context: ScopedContext;
  };
  /** `group`, `members` and `options` can be changed. */
  SCIMGroupRequestConverter: {
    group: LambdaGroup;
    members: LambdaGroupMember[];
    options: ScimOptions;
    scimGroup: ScimGroup;
    context: LambdaContext;
  };
  /** `scimGroup` can be changed. */
  SCIMGroupResponseConverter: {
    scimGroup: ScimGroup;
    group: LambdaGroup;
    members: LambdaGroupMember[];
    context: LambdaContext;
  };
  /** `user` and `options` can be changed. */
  SCIMUserRequestConverter: { user: LambdaUser; options: ScimOptions; scimUser: ScimUser; context: LambdaContext };
  /** `scimUser` can be changed. */
  SCIMUserResponseConverter: { scimUser: ScimUser; user: LambdaUser; context: LambdaContext };
  /** `result` can be changed: any error in it refuses. */
  SelfServiceRegistrationValidation: AccountArguments & {
    result: ValidationResult;
    formContext: RegistrationFormContext | undefined;
  };
  /** `userInfo` can be changed; `jwt` holds the claims of the access token. */
  UserInfoPopulate: AccountArguments & { userInfo: LambdaClaims; jwt: LambdaClaims };
  /** `result` can be changed: any error in it refuses. */
  LoginValidation: Omit<AccountArguments, "context"> & { result: ValidationResult; context: LoginValidationContext };
  /** `result` can be changed. */
  MFARequirement: Omit<AccountArguments, "context"> & { result: MFARequirementResult; context: MFARequirementContext };
}

/** The lambda type of a type name. */
export type LambdaTypeOf<Name extends LambdaTypeName> = Name extends LambdaType
  ? Name
  : Name extends `SCIMServer${infer Rest}`
    ? Extract<LambdaType, `SCIM${Rest}`>
    : never;

/** The arguments that a caller may leave out. */
export type OptionalArgument = "context" | "formContext" | "id_token" | "registration" | "result";

/** A value from a caller: nothing in it is changed, and members that the lambda does not need may be absent. */
export type GivenValue<Value> = Value extends readonly (infer Element)[]
  ? readonly GivenValue<Element>[]
  : Value extends object
    ? { readonly [Name in keyof Value]?: GivenValue<Value[Name]> | undefined }
    : Value;

/** The arguments of a kind of lambda, from a caller. */
export type GivenArguments<Type extends LambdaType> = Type extends LambdaType
  ? { readonly [Name in Exclude<keyof LambdaArgumentsOf[Type], OptionalArgument>]: GivenValue<LambdaArgumentsOf[Type][Name]> } & {
      readonly [Name in Extract<keyof LambdaArgumentsOf[Type], OptionalArgument>]?:
        | GivenValue<LambdaArgumentsOf[Type][Name]>
        | undefined;
    }
  : never;

/** The result: the given arguments, with the changes that a lambda of the type may make. */
export type ChangedArguments<Type extends LambdaType, Given> = Given &
  (Type extends LambdaType
    ? {
        readonly [Name in keyof LambdaArgumentsOf[Type]]:
          | GivenValue<LambdaArgumentsOf[Type][Name]>
          | (Name extends "formContext" | "id_token" | "registration" ? undefined : never);
      }
    : never);
