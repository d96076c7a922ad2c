import { defineRecordRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { defineTable, foldedName, nameSearch } from "../../operations/family/family.js";
import {
  type IdInput,
  type PatchInput,
  type RecordRow,
  type SearchInput,
  type SearchOutput,
  searchableOperations,
} from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import { lazySchema } from "../schemas.js";
import type { AccessList, AccessListRequest, ParsedAccessListRequest } from "./schema.js";

type Id = IdInput<"ipAccessControlListId">;

/** The response of the calls for one access list. */
export interface AccessListResponse {
  /** The stored list, with addresses in canonical form (RFC 5952) and entries in order of their texts. */
  readonly ipAccessControlList: AccessList;
}

/** Operations on access lists (docs/reference/api-keys.md#access-lists). */
export interface AccessListOperations {
  /** Creates and returns a record. */
  readonly create: OperationSignature<AccessListRequest & Partial<Id>, AccessListResponse>;
  /** Returns a record; 404 for an unknown id. */
  readonly retrieve: OperationSignature<Id, AccessListResponse>;
  /** Returns all records in the caller's scope. */
  readonly list: OperationSignature<Record<never, never>, { readonly ipAccessControlLists: readonly AccessList[] }>;
  /** Replaces a record; missing members return to their defaults. */
  readonly update: OperationSignature<AccessListRequest & Id, AccessListResponse>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"ipAccessControlListId">, AccessListResponse>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<Id, undefined>;
  /** Searches records; returns a sorted page and the total. */
  readonly search: OperationSignature<SearchInput<{ readonly name?: string }>, SearchOutput<"ipAccessControlLists", AccessList>>;
}

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
