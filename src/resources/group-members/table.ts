import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import { defineTable } from "../define-table.js";

/** Who is in which group. The users may be a host's own. */
export const groupMembersTable: Table = defineTable({
  name: "groupMembers",
  tenancy: "tenant",
  since: 1,
  columns: {
    groupId: { type: "id", references: { table: "groups", onRemove: "cascade" } },
    userId: { type: "id", references: { table: "users", onRemove: "cascade", isEnforced: false } },
  },
  uniqueKeys: [{ name: "member", columns: ["groupId", "userId"] }],
  // The groups of a user are read in the index alone.
  indexes: [{ columns: ["userId", "groupId"] }, { columns: ["insertInstant", "userId", "groupId"] }],
});

/** What can be searched and sorted (docs/reference/search.md). */
export const groupMemberSearch: SearchDefinition = {
  filters: {
    groupId: { kind: "id", column: "groupId" },
    userId: { kind: "id", column: "userId" },
    tenantId: { kind: "id", column: "tenantId" },
  },
  sortable: {
    id: { column: "id" },
    insertInstant: { column: "insertInstant" },
    groupId: { column: "groupId" },
    tenantId: { column: "tenantId" },
    userId: { column: "userId" },
  },
  defaultOrder: "insertInstant ASC, userId ASC, groupId ASC",
};
