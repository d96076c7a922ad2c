import { lambdaPathsIn, lambdaSecretsPath } from "../../availability/lambda-paths.js";
import { defineIdRoutes, defineRecordRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import type { Origin } from "../../operations/events/recorded-event.js";
import { defineTable, foldedName, nameSearch, parseHidden, parseRecord } from "../../operations/family/family.js";
import {
  customOperation,
  type IdInput,
  type PatchInput,
  type RecordRow,
  type SearchInput,
  type SearchOutput,
  searchableOperations,
} from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { StoredRecord, Table } from "../../ports/storage.js";
import { sealedField } from "../../security/seal.js";
import { lazySchema } from "../schemas.js";
import { phoneReferences } from "../settings/phone-settings.js";
import { templateReferences } from "../settings/tenant-settings.js";
import type { ParsedTenantRequest, PasswordRulesResponse, Tenant, TenantRequest } from "./schema.js";

/** Which tenant, and whether the answer should come before the work. */
export interface RemoveTenantInput {
  /** The tenant to remove; the default tenant is refused with 400. */
  readonly tenantId: string;
  /** True answers 202 before the records are removed; false waits for it. Default false. */
  readonly async?: boolean;
}

/** What can be done with tenants (docs/reference/tenants.md#tenants). */
export interface TenantOperations {
  /** Creates a record; returns it with its id and instants. */
  readonly create: OperationSignature<TenantRequest & Partial<IdInput<"tenantId">>, { readonly tenant: Tenant }>;
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<IdInput<"tenantId">, { readonly tenant: Tenant }>;
  /** Returns all records in the caller's scope. */
  readonly list: OperationSignature<Record<never, never>, { readonly tenants: readonly Tenant[] }>;
  /** Replaces a record; members that the request leaves out return to their defaults. */
  readonly update: OperationSignature<TenantRequest & IdInput<"tenantId">, { readonly tenant: Tenant }>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"tenantId">, { readonly tenant: Tenant }>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<RemoveTenantInput, undefined>;
  /** Searches records; returns a page in the requested order, and the total. */
  readonly search: OperationSignature<SearchInput<{ readonly name?: string }>, SearchOutput<"tenants", Tenant>>;
  /** The rules for passwords of a tenant, default: the only one; nobody needs a credential to read them. */
  readonly passwordRules: OperationSignature<Partial<IdInput<"tenantId">>, PasswordRulesResponse>;
}

/** Members of a stored tenant that the wire does not show. */
export interface HiddenTenant {
  readonly isDefault?: boolean;
  /** What its tokens said in `iss` before: they are still good. */
  readonly formerIssuers?: readonly string[];
  readonly removal?: PendingRemoval;
}

/** The removal of a tenant that is under way: who asked for it, and which process erases the tenant until when. */
export interface PendingRemoval {
  readonly origin?: Origin;
  readonly owner?: string;
  /** Epoch milliseconds. */
  readonly until?: number;
}

/** A tenant's own tenant is itself, so that a scope of one tenant sees that tenant. */
export const tenantsTable: Table = defineTable({
  name: "tenants",
  tenancy: "tenant",
  since: 1,
  columns: { nameFolded: foldedName, state: { type: "text" } },
  uniqueKeys: [{ name: "name", columns: ["nameFolded"] }],
  // Each process looks for those that are removed every 10 seconds.
  indexes: [
    { columns: ["state"], since: 10 },
    { columns: ["tenantId"], since: 10 },
  ],
});

/** The tables that the ids inside of a tenant lead to, by their paths. */
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

/** The family of tenants (docs/reference/tenants.md#tenants). */
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

/** The tenant that a record holds, parsed once for each record that was read: so its settings are worked out once too. */
export function parseTenant(stored: StoredRecord): Tenant {
  const tenant = parsedTenants.get(stored) ?? parseRecord<Tenant>(stored);
  parsedTenants.set(stored, tenant);
  return tenant;
}

const defaultIssuer = "latchkey";

/** What the tokens of a tenant say in `iss`. */
export function issuerOf({ issuer }: { readonly issuer?: string | undefined }): string {
  return issuer ?? defaultIssuer;
}
