import { defineRecordRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { lazySchema } from "../../http/schema/parse-with.js";
import { defineTable, foldedName, nameSearch } from "../../operations/define-table.js";
import { type RecordRow, searchableOperations } from "../../operations/family-row.js";
import type { SearchableOperations } from "../../operations/wire-types.js";
import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import type { AccessList, AccessListRequest, ParsedAccessListRequest } from "./schema.js";

/** The answer that shows one access list. */
export interface AccessListResponse {
  /** The stored list, with addresses in canonical form (RFC 5952) and entries in order of their texts. */
  readonly ipAccessControlList: AccessList;
}

/** What can be done with access lists (docs/reference/api-keys.md#access-lists). */
export type AccessListOperations = SearchableOperations<{
  id: "ipAccessControlListId";
  wrapper: "ipAccessControlList";
  plural: "ipAccessControlLists";
  record: AccessList;
  request: AccessListRequest;
  criteria: { readonly name?: string };
}>;

export const accessListsTable: Table = defineTable({
  name: "accessLists",
  tenancy: "global",
  since: 2,
  columns: { nameFolded: foldedName },
  uniqueKeys: [{ name: "name", columns: ["nameFolded"] }],
  indexes: [],
});

/** What can be searched and sorted (docs/reference/search.md). */
export const accessListSearch: SearchDefinition = {
  ...nameSearch,
  sortable: { ...nameSearch.sortable, lastUpdateInstant: { column: "lastUpdateInstant" } },
};

/** The family of access lists (docs/reference/api-keys.md#access-lists). */
export const accessListFamily: RecordRow<"accessLists", AccessList, ParsedAccessListRequest, AccessListOperations> = {
  name: "accessLists",
  wrapper: "ipAccessControlList",
  plural: "ipAccessControlLists",
  searchPath: "/api/ip-acl/search",
  idParameter: "ipAccessControlListId",
  table: accessListsTable,
  request: lazySchema(() => import("./schema.js"), "accessListRequest"),
  search: accessListSearch,
  uniquePaths: { name: "ipAccessControlList.name" },
  setPaths: new Set(),
  operations: searchableOperations,
  routes: [
    ...defineRecordRoutes("/api/ip-acl/:ipAccessControlListId", "global"),
    ...defineSearchRoutes("/api/ip-acl/search", "global"),
  ],
  tables: [accessListsTable],
  auditName: "access list",
  configuration: { key: ["name"] },
};
