import type { Table } from "../ports/storage.js";
import { defineTable } from "./define-table.js";

/** The installation that a storage belongs to: one record, made at the first start. */
export const installationsTable: Table = defineTable({
  name: "installations",
  tenancy: "global",
  since: 1,
  columns: { kickstartInstant: { type: "integer", isNullable: true } },
  uniqueKeys: [],
  indexes: [],
});
