import { lambdaPathsIn } from "../../availability/lambda-paths.js";
import { defineRecordRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { defineTable, foldedName, nameSearch } from "../../operations/family/family.js";
import {
  customOperation,
  type RecordRow,
  type SearchableOperations,
  searchableOperations,
} from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import { sealedField } from "../../security/seal.js";
import { lazySchema } from "../schemas.js";
import { textTemplateReferences } from "../settings/phone-settings.js";
import { samlReferences } from "../settings/saml-settings.js";
import { templateReferences } from "../settings/tenant-settings.js";
import type { Application, ApplicationRequest, ParsedApplicationRequest } from "./schema.js";

/** The application, and whether to delete it. */
export interface RemoveApplicationInput {
  /** The application to deactivate or remove. */
  readonly applicationId: string;
  /** True removes the application, its roles and registrations; false deactivates it. Default false. */
  readonly hardDelete?: boolean;
}

/** The body of PUT, or `reactivate` without a body. */
export type UpdateApplicationInput = Partial<ApplicationRequest> & {
  readonly applicationId: string;
  readonly reactivate?: boolean;
};

/** The criteria of an application search (docs/reference/search.md). */
export interface ApplicationCriteria {
  /** A text filter on the name: part of it, or with `*` at its ends. */
  readonly name?: string;
  /** Only applications in this state. Default: both. */
  readonly state?: "Active" | "Inactive";
  /** Only applications of this tenant. */
  readonly tenantId?: string;
}

/** Operations on applications (docs/reference/tenants.md#applications). */
export interface ApplicationOperations
  extends Omit<
    SearchableOperations<"application", "applications", Application, ApplicationRequest, ApplicationCriteria>,
    "update"
  > {
  /** Returns all records in the caller's scope. */
  readonly list: OperationSignature<{ readonly inactive?: boolean }, { readonly applications: readonly Application[] }>;
  /** Replaces a record; missing members return to their defaults. */
  readonly update: OperationSignature<UpdateApplicationInput, { readonly application: Application }>;
  /** Deactivates an application; `hardDelete: true` erases it; 404 for an unknown one. */
  readonly remove: OperationSignature<RemoveApplicationInput, undefined>;
}

export const applicationsTable: Table = defineTable({
  name: "applications",
  tenancy: "tenant",
  since: 1,
  columns: { nameFolded: foldedName, state: { type: "text" } },
  uniqueKeys: [{ name: "name", columns: ["tenantId", "nameFolded"] }],
  indexes: [],
});

export const applicationSearch: SearchDefinition = {
  filters: {
    ...nameSearch.filters,
    state: { kind: "option", column: "state", values: ["Active", "Inactive"] },
    tenantId: { kind: "id", column: "tenantId" },
  },
  sortable: { ...nameSearch.sortable, tenant: { column: "nameFolded", via: { table: "tenants", localColumn: "tenantId" } } },
  defaultOrder: nameSearch.defaultOrder,
};

/** The tables that the ids in an application refer to, by path. */
export const applicationReferences: Readonly<Record<string, string>> = {
  "accessControlConfiguration.uiIPAccessControlListId": "accessLists",
  ...templateReferences,
  ...textTemplateReferences,
  "formConfiguration.adminRegistrationFormId": "forms",
  "formConfiguration.selfServiceFormId": "forms",
  "jwtConfiguration.accessTokenKeyId": "keys",
  "jwtConfiguration.idTokenKeyId": "keys",
  ...Object.fromEntries(lambdaPathsIn("application").map((path) => [path, "lambdas"])),
  "registrationConfiguration.formId": "forms",
  ...samlReferences,
  themeId: "themes",
  verificationEmailTemplateId: "emailTemplates",
};

const clientSecretPath = "oauthConfiguration.clientSecret";

/** The family of applications. */
export const applicationFamily: RecordRow<"applications", Application, ParsedApplicationRequest, ApplicationOperations> = {
  name: "applications",
  wrapper: "application",
  plural: "applications",
  searchPath: "/api/application/search",
  idParameter: "applicationId",
  table: applicationsTable,
  request: lazySchema("tenants", "applicationRequest"),
  search: applicationSearch,
  uniquePaths: { name: "application.name" },
  setPaths: new Set(),
  replacedPaths: new Set(
    [
      "oauthConfiguration.authorizedOriginURLs",
      "oauthConfiguration.authorizedRedirectURLs",
      "oauthConfiguration.enabledGrants",
      "samlv2Configuration.authorizedRedirectURLs",
      "samlv2Configuration.verificationKeyIds",
    ].map((list) => `application.${list}`),
  ),
  namedMembers: ["moderationConfiguration"],
  sealedPaths: [clientSecretPath, "moderationConfiguration.apiKey"],
  operations: {
    ...searchableOperations,
    list: { parameters: ["inactive"] },
    update: customOperation("applicationId", "reactivate"),
    remove: customOperation("applicationId", "hardDelete"),
  },
  routes: [
    ...defineRecordRoutes("/api/application/:applicationId", "tenant"),
    ...defineSearchRoutes("/api/application/search", "tenant"),
  ],
  sealedPart: sealedField,
  tables: [applicationsTable],
  auditName: "application",
  configuration: {
    key: ["tenantId", "name"],
    references: { tenantId: "tenants", ...applicationReferences, "samlv2Configuration.verificationKeyIds[]": "keys" },
    secrets: [clientSecretPath],
    own: [clientSecretPath],
    removal: () => ({ hardDelete: true }),
  },
};
