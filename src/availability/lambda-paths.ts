import type { StoredRecord } from "../ports/storage.js";
import { type LambdaType, type LambdaTypeName, toLambdaType } from "./lambda-types.js";

/** The lambdas of an application, by id. */
export interface ApplicationLambdas {
  /** A `JWTPopulate` for access tokens: at logins and refreshes. */
  readonly accessTokenPopulateId?: string | undefined;
  /** A `JWTPopulate` for ID tokens of the OpenID provider. */
  readonly idTokenPopulateId?: string | undefined;
  /** An `MFARequirement` that replaces the tenant's. Since 1.62.0. */
  readonly multiFactorRequirementId?: string | undefined;
  /** A `SAMLv2Populate`, for assertions that the service signs for the application (docs/saml.md). */
  readonly samlv2PopulateId?: string | undefined;
  /** A `SelfServiceRegistrationValidation`, when a form is validated. Since 1.43.0. */
  readonly selfServiceRegistrationValidationId?: string | undefined;
  /** A `UserInfoPopulate`, before `/oauth2/userinfo` answers. Since 1.50.0. */
  readonly userinfoPopulateId?: string | undefined;
}

/** The lambda of a connector, by id. */
export interface ConnectorLambdas {
  /** An `LDAPConnectorReconcile`, after the password check: converts a directory entry to a user. */
  readonly reconcileId?: string | undefined;
}

/** The lambdas of a tenant, by id, with the values that they read. */
export interface TenantLambdas {
  /** JSON values by name: `context.constants` of its lambdas. At most 100, and 64 KiB as JSON. Default `{}`. */
  readonly constants: Readonly<Record<string, unknown>>;
  /**
   * Secrets by name, for `context.secrets.get(name)`: at most 100, of 1 to 16,384 characters, and 64 KiB together. Write-only: a
   * response has `***` for each, and a request with `***` leaves the stored secret unchanged. Default `{}`.
   */
  readonly secrets: Readonly<Record<string, string>>;
  /** A `LoginValidation`, after password and second factor. Since 1.53.0. */
  readonly loginValidationId?: string | undefined;
  /** An `MFARequirement`, after the password check. Since 1.62.0. */
  readonly multiFactorRequirementId?: string | undefined;
  /** A `SCIMUserRequestConverter` for requests to `/EnterpriseUsers`. */
  readonly scimEnterpriseUserRequestConverterId?: string | undefined;
  /** A `SCIMUserResponseConverter` for responses of `/EnterpriseUsers`. */
  readonly scimEnterpriseUserResponseConverterId?: string | undefined;
  /** A `SCIMGroupRequestConverter` for requests to `/Groups`. */
  readonly scimGroupRequestConverterId?: string | undefined;
  /** A `SCIMGroupResponseConverter` for responses of `/Groups`. */
  readonly scimGroupResponseConverterId?: string | undefined;
  /** A `SCIMUserRequestConverter` for requests to `/Users`. */
  readonly scimUserRequestConverterId?: string | undefined;
  /** A `SCIMUserResponseConverter` for responses of `/Users`. */
  readonly scimUserResponseConverterId?: string | undefined;
}

/** The values that lambdas read (docs/lambdas-running.md#values-of-a-tenant). */
export type TenantLambdaValues = Pick<TenantLambdas, "constants" | "secrets">;

/** The path of lambda secrets in a tenant. */
export const lambdaSecretsPath = "lambdaConfiguration.secrets";

type Place =
  | `application.lambdaConfiguration.${keyof ApplicationLambdas}`
  | `connector.lambdaConfiguration.${keyof ConnectorLambdas}`
  | `tenant.lambdaConfiguration.${Exclude<keyof TenantLambdas, keyof TenantLambdaValues>}`
  | "tenant.oauthConfiguration.clientCredentialsAccessTokenPopulateLambdaId";

/** The type of lambda at each path from a wrapper (docs/reference/lambdas.md#where-each-is-attached). */
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

/** Returns the lambda paths below a parent path, such as a wrapper, relative to it. */
export function lambdaPathsIn(parent: string): readonly string[] {
  return Object.keys(lambdaPaths).flatMap((path) => (path.startsWith(`${parent}.`) ? path.slice(parent.length + 1) : []));
}

/** Whether a record may be attached at a path: at a lambda path, only a lambda of the right type. */
export function isLambdaTypeAllowed(path: string, named: Pick<StoredRecord, "json">): boolean {
  const type = lambdaPaths[path];
  return type === undefined || toLambdaType((JSON.parse(named.json) as { readonly type: LambdaTypeName }).type) === type;
}
