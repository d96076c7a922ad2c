import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import { defineTable, foldedName, nameSearch } from "../define-table.js";

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

/** Which roles a group carries. The roles may be a host's own. */
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

/** What can be searched and sorted (docs/reference/search.md). */
export const groupSearch: SearchDefinition = {
  filters: { ...nameSearch.filters, tenantId: { kind: "id", column: "tenantId" } },
  sortable: { ...nameSearch.sortable, tenant: { column: "nameFolded", via: { table: "tenants", localColumn: "tenantId" } } },
  defaultOrder: nameSearch.defaultOrder,
};
