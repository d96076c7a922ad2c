import type { Table } from "../../ports/storage.js";
import { defineTable, foldedName } from "../define-table.js";

export const applicationRolesTable: Table = defineTable({
  name: "applicationRoles",
  tenancy: "tenant",
  since: 1,
  columns: {
    applicationId: { type: "id", references: { table: "applications", onRemove: "cascade" } },
    nameFolded: foldedName,
  },
  uniqueKeys: [{ name: "name", columns: ["applicationId", "nameFolded"] }],
  indexes: [],
});
