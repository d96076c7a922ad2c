import { lambdaPathsIn, lambdaSecretsPath } from "../../availability/lambda-paths.js";
import { defineIdRoutes, defineRecordRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import type { Origin } from "../../operations/events/recorded-event.js";
import { defineTable, foldedName, nameSearch, parseHidden, parseRecord } from "../../operations/family/family.js";
import {
  customOperation,
  type IdInput,
  type RecordRow,
  type SearchableOperations,
  searchableOperations,
} from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { StoredRecord, Table } from "../../ports/storage.js";
import { sealedField } from "../../security/seal.js";
import { lazySchema } from "../schemas.js";
import { phoneReferences } from "../settings/phone-settings.js";
import { templateReferences } from "../settings/tenant-settings.js";
import type { ParsedTenantRequest, PasswordRulesResponse, Tenant, TenantRequest } from "./schema.js";

/** The tenant, and whether to respond before the removal completes. */
export interface RemoveTenantInput {
  /** The tenant to remove; 400 for the default tenant. */
  readonly tenantId: string;
  /** True responds with 202 before the records are removed; false waits. Default false. */
  readonly async?: boolean;
}

/** Operations on tenants (docs/reference/tenants.md#tenants). */
export interface TenantOperations
  extends SearchableOperations<"tenant", "tenants", Tenant, TenantRequest, { readonly name?: string }> {
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<RemoveTenantInput, undefined>;
  /** Returns the password rules of a tenant, by default of the only one. Needs no credential. */
  readonly passwordRules: OperationSignature<Partial<IdInput<"tenantId">>, PasswordRulesResponse>;
}

/** Hidden members of a stored tenant. */
export interface HiddenTenant {
  readonly isDefault?: boolean;
  /** Earlier values of `iss`. Tokens with them stay valid. */
  readonly formerIssuers?: readonly string[];
  readonly removal?: PendingRemoval;
}

/** A pending removal of a tenant: its origin, and the lease of the process that erases the tenant. */
export interface PendingRemoval {
  readonly origin?: Origin;
  readonly owner?: string;
  /** Epoch milliseconds. */
  readonly until?: number;
}

/** Each tenant is its own tenant, so that a scope of one tenant includes it. */
export const tenantsTable: Table = defineTable({
  name: "tenants",
  tenancy: "tenant",
  since: 1,
  columns: { nameFolded: foldedName, state: { type: "text" } },
  uniqueKeys: [{ name: "name", columns: ["nameFolded"] }],
  // Each process looks for removed tenants every 10 seconds.
  indexes: [
    { columns: ["state"], since: 10 },
    { columns: ["tenantId"], since: 10 },
  ],
});

/** The tables that the ids in a tenant refer to, by path. */
export const tenantReferences: Readonly<Record<string, string>> = {
  "accessControlConfiguration.uiIPAccessControlListId": "accessLists",
  "failedAuthenticationConfiguration.userActionId": "userActions",
  "formConfiguration.adminUserFormId": "forms",
  ...templateReferences,
  ...phoneReferences,
  "passwordValidationRules.breachDetection.notifyUserEmailTemplateId": "emailTemplates",
  "jwtConfiguration.accessTokenKeyId": "keys",
  "jwtConfiguration.idTokenKeyId": "keys",
  "scimServerConfiguration.clientEntityTypeId": "entityTypes",
  "scimServerConfiguration.serverEntityTypeId": "entityTypes",
  themeId: "themes",
  ...Object.fromEntries(lambdaPathsIn("tenant").map((path) => [path, "lambdas"])),
};

/** The family of tenants. */
export const tenantFamily: RecordRow<"tenants", Tenant, ParsedTenantRequest, TenantOperations> = {
  name: "tenants",
  wrapper: "tenant",
  plural: "tenants",
  searchPath: "/api/tenant/search",
  idParameter: "tenantId",
  table: tenantsTable,
  request: lazySchema("tenants", "tenantRequest"),
  search: nameSearch,
  uniquePaths: { name: "tenant.name" },
  setPaths: new Set(["webhookIds"]),
  replacedPaths: new Set(["tenant.connectorPolicies"]),
  sealedPaths: ["captchaConfiguration.secretKey", "emailConfiguration.password"],
  writeOnlyPaths: [`${lambdaSecretsPath}.*`],
  sealedPart: sealedField,
  operations: {
    ...searchableOperations,
    remove: customOperation("tenantId", "async"),
    passwordRules: customOperation("tenantId"),
  },
  routes: [
    ...defineRecordRoutes("/api/tenant/:tenantId", "tenant"),
    ...defineSearchRoutes("/api/tenant/search", "global"),
    ...defineIdRoutes("/api/tenant/password-validation-rules/:tenantId", "optional", { GET: "passwordRules" }),
  ],
  tables: [tenantsTable],
  auditName: "tenant",
  configuration: {
    key: ["name"],
    secrets: [lambdaSecretsPath],
    references: { ...tenantReferences, "connectorPolicies[].connectorId": "connectors" },
    isBuiltIn: (stored) => parseHidden<HiddenTenant>(stored)?.isDefault === true,
  },
};

const parsedTenants = new WeakMap<StoredRecord, Tenant>();

/** Returns the tenant in a record. Memoized by record, and with it the settings of the tenant. */
export function parseTenant(stored: StoredRecord): Tenant {
  const tenant = parsedTenants.get(stored) ?? parseRecord<Tenant>(stored);
  parsedTenants.set(stored, tenant);
  return tenant;
}

const defaultIssuer = "latchkey";

/** The claim `iss` of a tenant's tokens. */
export function issuerOf({ issuer }: { readonly issuer?: string | undefined }): string {
  return issuer ?? defaultIssuer;
}
