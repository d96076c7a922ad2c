import { defineRecordRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { defineTable, foldedName, nameSearch } from "../../operations/family/family.js";
import { type RecordRow, type SearchableOperations, searchableOperations } from "../../operations/family/family-row.js";
import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import { lazySchema } from "../schemas.js";
import type { AccessList, AccessListRequest, ParsedAccessListRequest } from "./schema.js";

/** The response of the calls for one access list. */
export interface AccessListResponse {
  /** The stored list, with addresses in canonical form (RFC 5952) and entries in order of their texts. */
  readonly ipAccessControlList: AccessList;
}

/** Operations on access lists (docs/reference/api-keys.md#access-lists). */
export interface AccessListOperations
  extends SearchableOperations<
    "ipAccessControlList",
    "ipAccessControlLists",
    AccessList,
    AccessListRequest,
    { readonly name?: string },
    AccessListResponse
  > {}

export const accessListsTable: Table = defineTable({
  name: "accessLists",
  tenancy: "global",
  since: 2,
  columns: { nameFolded: foldedName },
  uniqueKeys: [{ name: "name", columns: ["nameFolded"] }],
  indexes: [],
});

/** Filters and sortable fields (docs/reference/search.md). */
export const accessListSearch: SearchDefinition = {
  ...nameSearch,
  sortable: { ...nameSearch.sortable, lastUpdateInstant: { column: "lastUpdateInstant" } },
};

/** The family of access lists. */
export const accessListFamily: RecordRow<"accessLists", AccessList, ParsedAccessListRequest, AccessListOperations> = {
  name: "accessLists",
  wrapper: "ipAccessControlList",
  plural: "ipAccessControlLists",
  searchPath: "/api/ip-acl/search",
  idParameter: "ipAccessControlListId",
  table: accessListsTable,
  request: lazySchema("keys", "accessListRequest"),
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
