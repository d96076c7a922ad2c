import { lambdaPathsIn } from "../../lambdas/types/lambda-paths.js";
import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import { defineTable, foldedName, nameSearch } from "../define-table.js";

export const applicationsTable: Table = defineTable({
  name: "applications",
  tenancy: "tenant",
  since: 1,
  columns: { nameFolded: foldedName, state: { type: "text" } },
  uniqueKeys: [{ name: "name", columns: ["tenantId", "nameFolded"] }],
  indexes: [],
});

/** What can be searched and sorted (docs/reference/search.md). */
export const applicationSearch: SearchDefinition = {
  filters: {
    ...nameSearch.filters,
    state: { kind: "option", column: "state", values: ["Active", "Inactive"] },
    tenantId: { kind: "id", column: "tenantId" },
  },
  sortable: { ...nameSearch.sortable, tenant: { column: "nameFolded", via: { table: "tenants", localColumn: "tenantId" } } },
  defaultOrder: nameSearch.defaultOrder,
};

/** The tables that the ids inside of an application lead to, by their paths. */
export const applicationReferences: Readonly<Record<string, string>> = {
  "accessControlConfiguration.uiIPAccessControlListId": "accessLists",
  "formConfiguration.adminRegistrationFormId": "forms",
  "formConfiguration.selfServiceFormId": "forms",
  "jwtConfiguration.accessTokenKeyId": "keys",
  "jwtConfiguration.idTokenKeyId": "keys",
  ...Object.fromEntries(lambdaPathsIn("application").map((path) => [path, "lambdas"])),
  "registrationConfiguration.formId": "forms",
};
