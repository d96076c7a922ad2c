import type { Table } from "../../ports/storage.js";
import { defineTable } from "../define-table.js";

/** Logins that wait for a second factor, by the digest of their `twoFactorId`. The second factor itself is stored with its user. */
export const pendingLoginsTable: Table = defineTable({
  name: "pendingLogins",
  tenancy: "tenant",
  since: 3,
  columns: {
    digest: { type: "text" },
    expirationInstant: { type: "integer" },
    userId: { type: "id", references: { table: "users", onRemove: "cascade" } },
  },
  uniqueKeys: [{ name: "digest", columns: ["digest"] }],
  indexes: [{ columns: ["expirationInstant"] }, { columns: ["userId"] }],
});
