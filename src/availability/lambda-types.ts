/** The types of lambdas (docs/reference/lambdas.md#types). */
export type LambdaType =
  | "JWTPopulate"
  | "OpenIDReconcile"
  | "SAMLv2Reconcile"
  | "SAMLv2Populate"
  | "AppleReconcile"
  | "ExternalJWTReconcile"
  | "FacebookReconcile"
  | "GoogleReconcile"
  | "HYPRReconcile"
  | "TwitterReconcile"
  | "LDAPConnectorReconcile"
  | "LinkedInReconcile"
  | "EpicGamesReconcile"
  | "NintendoReconcile"
  | "SonyPSNReconcile"
  | "SteamReconcile"
  | "TwitchReconcile"
  | "XboxReconcile"
  | "ClientCredentialsJWTPopulate"
  | "SCIMGroupRequestConverter"
  | "SCIMGroupResponseConverter"
  | "SCIMUserRequestConverter"
  | "SCIMUserResponseConverter"
  | "SelfServiceRegistrationValidation"
  | "UserInfoPopulate"
  | "LoginValidation"
  | "MFARequirement";

/** The arguments of a lambda by name. */
export type LambdaArguments = Readonly<Record<string, unknown>>;

/** Other names of some types in the API. */
export type LambdaTypeAlias =
  | "SCIMServerGroupRequestConverter"
  | "SCIMServerGroupResponseConverter"
  | "SCIMServerUserRequestConverter"
  | "SCIMServerUserResponseConverter";

/** The function of one type of lambda. */
export interface LambdaTypeRow {
  readonly functionName: "populate" | "reconcile" | "convert" | "validate" | "checkRequired";
  /** The names of the arguments, in order. */
  readonly parameters: readonly string[];
  /** The arguments, or members of them, that the function may change. Its return value is ignored. */
  readonly changes: readonly string[];
  /** The members of changed arguments that are restored afterwards, by argument. */
  readonly reserved?: Readonly<Record<string, readonly string[]>>;
  /** The reserved members, instants in seconds, that may be set earlier, by argument. Since 1.59.0. */
  readonly shortened?: Readonly<Record<string, readonly string[]>>;
  /** The first version with it; absent: every version. */
  readonly since?: string;
}

const account = ["user", "registration"] as const;

/** Members that identify the user stay unchanged; a reconcile lambda may change all others. */
const identity = { user: ["id", "tenantId"], registration: ["applicationId", "id"] } as const;

/** A reconcile lambda of an identity provider, with the provider's data in the arguments `source`. */
function reconcile(source: readonly string[], since?: string): LambdaTypeRow {
  const parameters = [...account, ...source, "context"];
  return { functionName: "reconcile", parameters, changes: account, reserved: identity, ...(since !== undefined && { since }) };
}

/**
 * Whether the operation continues without the lambda's changes when the lambda fails; otherwise it fails too
 * (docs/reference/lambdas.md#a-lambda-that-throws). Only populate lambdas are optional.
 */
export function isOptional({ functionName }: LambdaTypeRow): boolean {
  return functionName === "populate";
}

/** Every type of lambda; `valuePlans` in availability.ts has their plans. */
export const lambdaTypes: Readonly<Record<LambdaType, LambdaTypeRow>> = {
  JWTPopulate: {
    functionName: "populate",
    parameters: ["jwt", ...account, "context"],
    changes: ["jwt"],
    reserved: { jwt: ["amr", "auth_time", "cnf", "exp", "gty", "iat", "sub", "tid", "tty"] },
    shortened: { jwt: ["exp"] },
  },
  OpenIDReconcile: reconcile(["jwt", "id_token", "tokens"]),
  SAMLv2Reconcile: reconcile(["samlResponse"]),
  SAMLv2Populate: {
    functionName: "populate",
    parameters: ["samlResponse", ...account, "context"],
    changes: ["samlResponse"],
  },
  AppleReconcile: reconcile(["idToken"], "1.17.0"),
  ExternalJWTReconcile: reconcile(["jwt"], "1.17.0"),
  FacebookReconcile: reconcile(["facebookUser"], "1.17.0"),
  GoogleReconcile: reconcile(["idToken"], "1.17.0"),
  HYPRReconcile: reconcile([], "1.17.0"),
  TwitterReconcile: reconcile(["twitterUser"], "1.17.0"),
  LDAPConnectorReconcile: {
    functionName: "reconcile",
    parameters: ["user", "userAttributes", "context"],
    changes: ["user"],
    reserved: identity,
    since: "1.18.0",
  },
  LinkedInReconcile: reconcile(["linkedInUser"], "1.23.0"),
  EpicGamesReconcile: reconcile(["userInfo"], "1.28.0"),
  NintendoReconcile: reconcile(["userInfo"], "1.36.0"),
  SonyPSNReconcile: reconcile(["userInfo"], "1.28.0"),
  SteamReconcile: reconcile(["userInfo"], "1.28.0"),
  TwitchReconcile: reconcile(["userInfo"], "1.28.0"),
  XboxReconcile: reconcile(["userInfo"], "1.28.0"),
  ClientCredentialsJWTPopulate: {
    functionName: "populate",
    parameters: ["jwt", "recipientEntity", "targetEntities", "permissions", "context"],
    changes: ["jwt"],
    reserved: { jwt: ["amr", "aud", "cnf", "exp", "gty", "iat", "permissions", "sub", "tid", "tty", "use"] },
    since: "1.28.0",
  },
  SCIMGroupRequestConverter: {
    functionName: "convert",
    parameters: ["group", "members", "options", "scimGroup", "context"],
    changes: ["group", "members", "options"],
    reserved: { group: ["id", "tenantId"] },
    since: "1.36.0",
  },
  SCIMGroupResponseConverter: {
    functionName: "convert",
    parameters: ["scimGroup", "group", "members", "context"],
    changes: ["scimGroup"],
    since: "1.36.0",
  },
  SCIMUserRequestConverter: {
    functionName: "convert",
    parameters: ["user", "options", "scimUser", "context"],
    changes: ["user", "options"],
    reserved: identity,
    since: "1.36.0",
  },
  SCIMUserResponseConverter: {
    functionName: "convert",
    parameters: ["scimUser", "user", "context"],
    changes: ["scimUser"],
    since: "1.36.0",
  },
  // Lambdas of earlier versions have four parameters; the fourth is the form context for them too.
  SelfServiceRegistrationValidation: {
    functionName: "validate",
    parameters: ["result", ...account, "formContext", "context"],
    changes: ["result.errors"],
    since: "1.43.0",
  },
  UserInfoPopulate: {
    functionName: "populate",
    parameters: ["userInfo", ...account, "jwt", "context"],
    changes: ["userInfo"],
    reserved: { userInfo: ["sub"] },
    since: "1.50.0",
  },
  LoginValidation: {
    functionName: "validate",
    parameters: ["result", ...account, "context"],
    changes: ["result.errors"],
    since: "1.53.0",
  },
  MFARequirement: {
    functionName: "checkRequired",
    parameters: ["result", ...account, "context"],
    changes: ["result.required", "result.sendSuspiciousLoginEvent"],
    since: "1.62.0",
  },
};

/** The type of each alias. A lambda keeps the name that it was created with. */
export const lambdaTypeAliases: Readonly<Record<LambdaTypeAlias, LambdaType>> = {
  SCIMServerGroupRequestConverter: "SCIMGroupRequestConverter",
  SCIMServerGroupResponseConverter: "SCIMGroupResponseConverter",
  SCIMServerUserRequestConverter: "SCIMUserRequestConverter",
  SCIMServerUserResponseConverter: "SCIMUserResponseConverter",
};

/** A type of lambda, or its alias. */
export type LambdaTypeName = LambdaType | LambdaTypeAlias;

/** The type of a module: a body without an entry point, which lambdas require. */
export const moduleType = "Module";

/** The type of a stored lambda. */
export type StoredLambdaType = LambdaTypeName | typeof moduleType;

/** All types and aliases. */
export const lambdaTypeNames: readonly LambdaTypeName[] = [
  ...(Object.keys(lambdaTypes) as LambdaType[]),
  ...(Object.keys(lambdaTypeAliases) as LambdaTypeAlias[]),
];

/** Returns the type of a name. */
export function toLambdaType(name: LambdaTypeName): LambdaType {
  return Object.hasOwn(lambdaTypeAliases, name) ? lambdaTypeAliases[name as LambdaTypeAlias] : (name as LambdaType);
}

/** Returns the type of a stored lambda; undefined for a module. */
export function toRunnableType(type: StoredLambdaType): LambdaType | undefined {
  return type === moduleType ? undefined : toLambdaType(type);
}
