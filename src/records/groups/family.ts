import { defineRecordRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { defineTable, foldedName, nameSearch } from "../../operations/family/family.js";
import { type RecordRow, type SearchableOperations, searchableOperations } from "../../operations/family/family-row.js";
import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import { lazySchema } from "../schemas.js";
import type { Group, GroupRequest, ParsedGroupRequest } from "./schema.js";

/** The criteria of a group search (docs/reference/groups.md). */
export interface GroupCriteria {
  /** A text filter on the name: part of it, or with `*` at its ends. */
  readonly name?: string;
  /** Only groups of this tenant. */
  readonly tenantId?: string;
}

/** Operations on groups (docs/reference/groups.md). */
export interface GroupOperations extends SearchableOperations<"group", "groups", Group, GroupRequest, GroupCriteria> {}

export const groupsTable: Table = defineTable({
  name: "groups",
  tenancy: "tenant",
  since: 1,
  columns: { nameFolded: foldedName },
  uniqueKeys: [{ name: "name", columns: ["tenantId", "nameFolded"] }],
  indexes: [
    { columns: ["nameFolded"], whenLarge: true, since: 6 },
    { columns: ["nameFolded"], kind: "substring", since: 6 },
  ],
});

/** The roles of each group. No enforced reference to roles: they may be the host's own. */
export const groupRolesTable: Table = defineTable({
  name: "groupRoles",
  tenancy: "tenant",
  since: 1,
  columns: {
    groupId: { type: "id", references: { table: "groups", onRemove: "cascade" } },
    roleId: { type: "id", references: { table: "applicationRoles", onRemove: "cascade", isEnforced: false } },
  },
  uniqueKeys: [{ name: "role", columns: ["groupId", "roleId"] }],
  indexes: [{ columns: ["roleId"] }],
});

/** Filters and sortable fields (docs/reference/search.md). */
export const groupSearch: SearchDefinition = {
  filters: { ...nameSearch.filters, tenantId: { kind: "id", column: "tenantId" } },
  sortable: { ...nameSearch.sortable, tenant: { column: "nameFolded", via: { table: "tenants", localColumn: "tenantId" } } },
  defaultOrder: nameSearch.defaultOrder,
};

/** The family of groups. */
export const groupFamily: RecordRow<"groups", Group, ParsedGroupRequest, GroupOperations> = {
  name: "groups",
  wrapper: "group",
  plural: "groups",
  searchPath: "/api/group/search",
  idParameter: "groupId",
  table: groupsTable,
  request: lazySchema("groups", "groupRequest"),
  search: groupSearch,
  uniquePaths: { name: "group.name" },
  setPaths: new Set(["roleIds"]),
  operations: searchableOperations,
  routes: [...defineRecordRoutes("/api/group/:groupId", "tenant"), ...defineSearchRoutes("/api/group/search", "tenant")],
  tables: [groupsTable, groupRolesTable],
  announced: [groupsTable, groupRolesTable],
  auditName: "group",
  configuration: {
    key: ["tenantId", "name"],
    references: { tenantId: "tenants", "roleIds[]": "applicationRoles" },
    beside: ["roleIds"],
    sets: ["roleIds"],
  },
};
