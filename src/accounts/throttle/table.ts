import { defineTable } from "../../operations/define-table.js";
import type { Table } from "../../ports/storage.js";

/**
 * Failed attempts, counted: a record for each subject, source, and pair of the two, by an id that is a digest of what is counted, so
 * that neither names nor addresses are stored. Ignored after its expiry.
 */
export const attemptsTable: Table = defineTable({
  name: "attempts",
  tenancy: "global",
  since: 3,
  columns: { expiryInstant: { type: "integer" } },
  uniqueKeys: [],
  indexes: [{ columns: ["expiryInstant"] }],
});
