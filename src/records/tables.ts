import { defineTable } from "../operations/family/family.js";
import type { Table } from "../ports/storage.js";

/**
 * Counters of failed attempts: a record for each subject, each source, and each pair of both. The id is a digest of these, so
 * the storage contains neither names nor addresses. Ignored after its expiry.
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
 * Used proofs of possession (RFC 9449, 11.1). The id is derived from the identity of the proof, so a replay collides in any
 * process, without a further unique key.
 */
export const usedProofsTable: Table = defineTable({
  name: "usedProofs",
  tenancy: "global",
  since: 3,
  columns: {},
  uniqueKeys: [],
  indexes: [{ columns: ["insertInstant"] }],
});
