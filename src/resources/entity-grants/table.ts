import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import { defineTable } from "../define-table.js";

/** Who may do what with an entity. The users may be a host's own. */
export const entityGrantsTable: Table = defineTable({
  name: "entityGrants",
  tenancy: "tenant",
  since: 2,
  columns: {
    entityId: { type: "id", references: { table: "entities", onRemove: "cascade" } },
    recipientEntityId: { type: "id", isNullable: true, references: { table: "entities", onRemove: "cascade" } },
    userId: { type: "id", isNullable: true, references: { table: "users", onRemove: "cascade", isEnforced: false } },
  },
  uniqueKeys: [
    { name: "recipientEntityId", columns: ["entityId", "recipientEntityId"] },
    { name: "userId", columns: ["entityId", "userId"] },
  ],
  indexes: [{ columns: ["recipientEntityId"] }, { columns: ["userId"] }],
});

const viaEntity = { table: "entities", localColumn: "entityId" } as const;

/** What can be searched and sorted (docs/reference/search.md). The name is that of the entity. */
export const entityGrantSearch: SearchDefinition = {
  filters: {
    entityId: { kind: "id", column: "entityId" },
    name: { kind: "text", column: "nameFolded", via: viaEntity },
    userId: { kind: "id", column: "userId" },
  },
  sortable: { insertInstant: { column: "insertInstant" }, name: { column: "nameFolded", via: viaEntity } },
  defaultOrder: "name ASC",
};
