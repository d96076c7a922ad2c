import { defineTable } from "../operations/family/family.js";
import type { Table } from "../ports/storage.js";

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
