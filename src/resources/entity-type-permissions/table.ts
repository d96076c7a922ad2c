import type { Table } from "../../ports/storage.js";
import { defineTable, foldedName } from "../define-table.js";

export const entityTypePermissionsTable: Table = defineTable({
  name: "entityTypePermissions",
  tenancy: "global",
  since: 2,
  columns: {
    entityTypeId: { type: "id", references: { table: "entityTypes", onRemove: "cascade" } },
    nameFolded: foldedName,
  },
  uniqueKeys: [{ name: "name", columns: ["entityTypeId", "nameFolded"] }],
  indexes: [],
});
