import type { Table } from "../../ports/storage.js";
import { defineTable, foldedName } from "../define-table.js";

export const formsTable: Table = defineTable({
  name: "forms",
  tenancy: "global",
  since: 2,
  columns: { nameFolded: foldedName },
  uniqueKeys: [{ name: "name", columns: ["nameFolded"] }],
  indexes: [],
});
