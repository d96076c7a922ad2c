import type { Table } from "../ports/storage.js";
import { defineTable } from "../resources/define-table.js";

/** That a kickstart was run: one record, with the id of this installation. */
export const kickstartsTable: Table = defineTable({
  name: "kickstarts",
  tenancy: "global",
  since: 1,
  columns: {},
  uniqueKeys: [],
  indexes: [],
});
