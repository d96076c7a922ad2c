import type { Table } from "../../ports/storage.js";
import { defineTable } from "../define-table.js";

/** Holds one record. */
export const integrationsTable: Table = defineTable({
  name: "integrations",
  tenancy: "global",
  since: 2,
  columns: {},
  uniqueKeys: [],
  indexes: [],
});
