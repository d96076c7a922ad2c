import type { StoredRecord } from "../ports/storage.js";
import { type LambdaType, type LambdaTypeName, toLambdaType } from "./lambda-types.js";

/** The lambdas of an application, by their ids. */
export interface ApplicationLambdas {
  /** A `JWTPopulate` for access tokens: at logins and refreshes. */
  readonly accessTokenPopulateId?: string | undefined;
  /** A `JWTPopulate` for ID tokens of the OpenID provider. */
  readonly idTokenPopulateId?: string | undefined;
  /** An `MFARequirement`, instead of the one of the tenant. Since 1.62.0. */
  readonly multiFactorRequirementId?: string | undefined;
  /** A `SAMLv2Populate`, for assertions that the service signs for the application (docs/saml.md). */
  readonly samlv2PopulateId?: string | undefined;
  /** A `SelfServiceRegistrationValidation`, when a form is validated. Since 1.43.0. */
  readonly selfServiceRegistrationValidationId?: string | undefined;
  /** A `UserInfoPopulate`, before `/oauth2/userinfo` answers. Since 1.50.0. */
  readonly userinfoPopulateId?: string | undefined;
}

/** The lambda of a connector, by its id. */
export interface ConnectorLambdas {
  /** An `LDAPConnectorReconcile`, after the right password: makes a user of an entry. */
  readonly reconcileId?: string | undefined;
}

/** The lambdas of a tenant, by their ids, and what they read of it. */
export interface TenantLambdas {
  /** JSON values by name: `context.constants` of its lambdas. At most 100, and 64 KiB as JSON. Default `{}`. */
  readonly constants: Readonly<Record<string, unknown>>;
  /**
   * Texts by name, for `context.secrets.get(name)`: at most 100, of 1 to 16,384 characters, and 64 KiB together. Write-only: an answer has
   * `***` for each, and a request that has it keeps the stored text. Default `{}`.
   */
  readonly secrets: Readonly<Record<string, string>>;
  /** A `LoginValidation`, after password and second factor. Since 1.53.0. */
  readonly loginValidationId?: string | undefined;
  /** An `MFARequirement`, after the right password. Since 1.62.0. */
  readonly multiFactorRequirementId?: string | undefined;
  /** A `SCIMUserRequestConverter`: on what a client sends to `/EnterpriseUsers`. */
  readonly scimEnterpriseUserRequestConverterId?: string | undefined;
  /** A `SCIMUserResponseConverter`: on what a client receives from there. */
  readonly scimEnterpriseUserResponseConverterId?: string | undefined;
  /** A `SCIMGroupRequestConverter`: on what a client sends to `/Groups`. */
  readonly scimGroupRequestConverterId?: string | undefined;
  /** A `SCIMGroupResponseConverter`: on what a client receives from there. */
  readonly scimGroupResponseConverterId?: string | undefined;
  /** A `SCIMUserRequestConverter`: on what a client sends to `/Users`. */
  readonly scimUserRequestConverterId?: string | undefined;
  /** A `SCIMUserResponseConverter`: on what a client receives from there. */
  readonly scimUserResponseConverterId?: string | undefined;
}

/** The part of it that lambdas read (docs/lambdas-running.md#values-of-a-tenant). */
export type TenantLambdaValues = Pick<TenantLambdas, "constants" | "secrets">;

/** Where a tenant has the secrets of its lambdas. */
export const lambdaSecretsPath = "lambdaConfiguration.secrets";

type Place =
  | `application.lambdaConfiguration.${keyof ApplicationLambdas}`
  | `connector.lambdaConfiguration.${keyof ConnectorLambdas}`
  | `tenant.lambdaConfiguration.${Exclude<keyof TenantLambdas, keyof TenantLambdaValues>}`
  | "tenant.oauthConfiguration.clientCredentialsAccessTokenPopulateLambdaId";

/** Where records name lambdas: the kind that must stand at each path from the wrapper (docs/reference/lambdas.md#where-each-is-attached). */
export const lambdaPaths: Readonly<Record<string, LambdaType>> = {
  "application.lambdaConfiguration.accessTokenPopulateId": "JWTPopulate",
  "application.lambdaConfiguration.idTokenPopulateId": "JWTPopulate",
  "application.lambdaConfiguration.multiFactorRequirementId": "MFARequirement",
  "application.lambdaConfiguration.samlv2PopulateId": "SAMLv2Populate",
  "application.lambdaConfiguration.selfServiceRegistrationValidationId": "SelfServiceRegistrationValidation",
  "application.lambdaConfiguration.userinfoPopulateId": "UserInfoPopulate",
  "connector.lambdaConfiguration.reconcileId": "LDAPConnectorReconcile",
  "tenant.lambdaConfiguration.loginValidationId": "LoginValidation",
  "tenant.lambdaConfiguration.multiFactorRequirementId": "MFARequirement",
  "tenant.lambdaConfiguration.scimEnterpriseUserRequestConverterId": "SCIMUserRequestConverter",
  "tenant.lambdaConfiguration.scimEnterpriseUserResponseConverterId": "SCIMUserResponseConverter",
  "tenant.lambdaConfiguration.scimGroupRequestConverterId": "SCIMGroupRequestConverter",
  "tenant.lambdaConfiguration.scimGroupResponseConverterId": "SCIMGroupResponseConverter",
  "tenant.lambdaConfiguration.scimUserRequestConverterId": "SCIMUserRequestConverter",
  "tenant.lambdaConfiguration.scimUserResponseConverterId": "SCIMUserResponseConverter",
  "tenant.oauthConfiguration.clientCredentialsAccessTokenPopulateLambdaId": "ClientCredentialsJWTPopulate",
} satisfies Readonly<Record<Place, LambdaType>>;

/** The places below a path, such as the wrapper of a record, as they are called from there. */
export function lambdaPathsIn(parent: string): readonly string[] {
  return Object.keys(lambdaPaths).flatMap((path) => (path.startsWith(`${parent}.`) ? path.slice(parent.length + 1) : []));
}

/** Whether what is named at a path may stand there: a lambda of the kind that the place takes, and anything elsewhere. */
export function isLambdaTypeAllowed(path: string, named: Pick<StoredRecord, "json">): boolean {
  const type = lambdaPaths[path];
  return type === undefined || toLambdaType((JSON.parse(named.json) as { readonly type: LambdaTypeName }).type) === type;
}
