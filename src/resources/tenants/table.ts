import type { Table } from "../../ports/storage.js";
import { defineTable, foldedName } from "../define-table.js";

/** A tenant's own tenant is itself, so that a scope of one tenant sees that tenant. */
export const tenantsTable: Table = defineTable({
  name: "tenants",
  tenancy: "tenant",
  since: 1,
  columns: { nameFolded: foldedName, state: { type: "text" } },
  uniqueKeys: [{ name: "name", columns: ["nameFolded"] }],
  indexes: [],
});
