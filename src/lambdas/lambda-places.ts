import type { StoredRecord } from "../ports/storage.js";
import { type LambdaType, type LambdaTypeName, toLambdaType } from "./lambda-types.js";

/** Where records name lambdas: the kind that must stand at each path from the wrapper (facts.md 5.2). */
export const lambdaPlaces: Readonly<Record<string, LambdaType>> = {
  "application.lambdaConfiguration.accessTokenPopulateId": "JWTPopulate",
  "application.lambdaConfiguration.idTokenPopulateId": "JWTPopulate",
  "application.lambdaConfiguration.multiFactorRequirementId": "MFARequirement",
  "application.lambdaConfiguration.samlv2PopulateId": "SAMLv2Populate",
  "application.lambdaConfiguration.selfServiceRegistrationValidationId": "SelfServiceRegistrationValidation",
  "application.lambdaConfiguration.userinfoPopulateId": "UserInfoPopulate",
  "tenant.lambdaConfiguration.loginValidationId": "LoginValidation",
  "tenant.lambdaConfiguration.multiFactorRequirementId": "MFARequirement",
  "tenant.lambdaConfiguration.scimEnterpriseUserRequestConverterId": "SCIMUserRequestConverter",
  "tenant.lambdaConfiguration.scimEnterpriseUserResponseConverterId": "SCIMUserResponseConverter",
  "tenant.lambdaConfiguration.scimGroupRequestConverterId": "SCIMGroupRequestConverter",
  "tenant.lambdaConfiguration.scimGroupResponseConverterId": "SCIMGroupResponseConverter",
  "tenant.lambdaConfiguration.scimUserRequestConverterId": "SCIMUserRequestConverter",
  "tenant.lambdaConfiguration.scimUserResponseConverterId": "SCIMUserResponseConverter",
  "tenant.oauthConfiguration.clientCredentialsAccessTokenPopulateLambdaId": "ClientCredentialsJWTPopulate",
};

/** The places below a path, such as the wrapper of a record, as they are called from there. */
export function lambdaPathsBelow(parent: string): readonly string[] {
  return Object.keys(lambdaPlaces).flatMap((path) => (path.startsWith(`${parent}.`) ? path.slice(parent.length + 1) : []));
}

/** Whether what is named at a path may stand there: a lambda of the kind that the place takes, and anything elsewhere. */
export function fitsPlace(path: string, named: Pick<StoredRecord, "json">): boolean {
  const type = lambdaPlaces[path];
  return type === undefined || toLambdaType((JSON.parse(named.json) as { readonly type: LambdaTypeName }).type) === type;
}
