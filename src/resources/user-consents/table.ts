import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import { defineTable } from "../define-table.js";

/** Users may be a host's own. */
export const userConsentsTable: Table = defineTable({
  name: "userConsents",
  tenancy: "tenant",
  since: 2,
  columns: {
    consentId: { type: "id", references: { table: "consents", onRemove: "cascade" } },
    userId: { type: "id", references: { table: "users", onRemove: "cascade", isEnforced: false } },
  },
  uniqueKeys: [],
  indexes: [{ columns: ["consentId"] }, { columns: ["userId"] }],
});

/** They are listed by user, in the order in which they were given; there is no search. */
export const userConsentSearch: SearchDefinition = {
  filters: {},
  sortable: { insertInstant: { column: "insertInstant" } },
  defaultOrder: "insertInstant ASC",
};
