import type { Table } from "../../ports/storage.js";
import { defineTable } from "../define-table.js";

/** The right to choose a new password after proving the old one: found by the digest of its id (see `secrets/digest.ts`). */
export const passwordChangesTable: Table = defineTable({
  name: "passwordChanges",
  tenancy: "tenant",
  since: 3,
  columns: {
    userId: { type: "id", references: { table: "users", onRemove: "cascade" } },
    digest: { type: "text" },
    expirationInstant: { type: "integer" },
  },
  uniqueKeys: [{ name: "digest", columns: ["digest"] }],
  indexes: [{ columns: ["userId"] }, { columns: ["expirationInstant"] }],
});
