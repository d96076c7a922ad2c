import { defineTable } from "../../operations/define-table.js";
import type { Table } from "../../ports/storage.js";

/**
 * The proofs of possession that were used (RFC 9449, 11.1). The id is made of what makes a proof the same, so that a second use collides
 * with the first in any process, and needs no unique key besides the id.
 */
export const usedProofsTable: Table = defineTable({
  name: "usedProofs",
  tenancy: "global",
  since: 3,
  columns: {},
  uniqueKeys: [],
  indexes: [{ columns: ["insertInstant"] }],
});
