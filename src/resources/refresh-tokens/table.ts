import type { Table } from "../../ports/storage.js";
import { defineTable } from "../define-table.js";

/** Refresh tokens, found by the digest of their value (see `secrets/digest.ts`). */
export const refreshTokensTable: Table = defineTable({
  name: "refreshTokens",
  tenancy: "tenant",
  since: 3,
  columns: {
    userId: { type: "id", references: { table: "users", onRemove: "cascade" } },
    applicationId: { type: "id", isNullable: true, references: { table: "applications", onRemove: "cascade" } },
    digest: { type: "text" },
    expirationInstant: { type: "integer" },
  },
  uniqueKeys: [{ name: "digest", columns: ["digest"] }],
  indexes: [{ columns: ["userId"] }, { columns: ["applicationId"] }, { columns: ["expirationInstant"] }],
});
