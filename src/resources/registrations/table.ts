import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import { defineTable } from "../define-table.js";

export const registrationsTable: Table = defineTable({
  name: "registrations",
  tenancy: "tenant",
  since: 1,
  columns: {
    userId: { type: "id", references: { table: "users", onRemove: "cascade" } },
    applicationId: { type: "id", references: { table: "applications", onRemove: "cascade" } },
    moderationId: { type: "text", isNullable: true, since: 4 },
  },
  uniqueKeys: [{ name: "registration", columns: ["userId", "applicationId"] }],
  indexes: [{ columns: ["applicationId"] }, { columns: ["moderationId"], since: 4 }],
});

/** Registrations are found by user and application; there is no search of their own. */
export const registrationSearch: SearchDefinition = {
  filters: {},
  sortable: { insertInstant: { column: "insertInstant" } },
  defaultOrder: "insertInstant ASC",
};
