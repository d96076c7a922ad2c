import type { Table } from "../../ports/storage.js";
import { defineTable, foldedName } from "../define-table.js";

export const emailTemplatesTable: Table = defineTable({
  name: "emailTemplates",
  tenancy: "global",
  since: 2,
  columns: { nameFolded: foldedName },
  uniqueKeys: [{ name: "name", columns: ["nameFolded"] }],
  indexes: [],
});
