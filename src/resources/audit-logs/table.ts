import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import { defineTable } from "../define-table.js";

/** The audit log. On the wire an entry is known by its number. Searchable texts are stored folded beside it. */
export const auditLogsTable: Table = defineTable({
  name: "auditLogs",
  tenancy: "optional",
  outlivesTenant: true,
  since: 5,
  columns: {
    number: { type: "integer" },
    insertUserFolded: { type: "text" },
    messageFolded: { type: "text" },
    /** What entries are ordered by: the token of a next page must not hold a whole message. */
    messageStart: { type: "text" },
    newValueFolded: { type: "text", isNullable: true },
    oldValueFolded: { type: "text", isNullable: true },
    reasonFolded: { type: "text", isNullable: true },
  },
  uniqueKeys: [{ name: "number", columns: ["number"] }],
  indexes: [{ columns: ["insertInstant", "number"] }, { columns: ["tenantId", "insertInstant", "number"] }],
});

/** The last number that was given (see `nextNumber`). */
export const auditLogNumbersTable: Table = defineTable({
  name: "auditLogNumbers",
  tenancy: "global",
  since: 5,
  columns: {},
  uniqueKeys: [],
  indexes: [],
});

/** What can be searched and sorted (docs/reference/search.md). Values are looked for in their JSON. */
export const auditLogSearch: SearchDefinition = {
  filters: {
    start: { kind: "instant", column: "insertInstant", comparison: ">=" },
    end: { kind: "instant", column: "insertInstant", comparison: "<" },
    message: { kind: "text", column: "messageFolded" },
    newValue: { kind: "text", column: "newValueFolded" },
    oldValue: { kind: "text", column: "oldValueFolded" },
    reason: { kind: "text", column: "reasonFolded" },
    tenantId: { kind: "id", column: "tenantId" },
    user: { kind: "text", column: "insertUserFolded" },
  },
  sortable: {
    id: { column: "number" },
    insertInstant: { column: "insertInstant" },
    insertUser: { column: "insertUserFolded" },
    message: { column: "messageStart" },
    tenant: { column: "nameFolded", via: { table: "tenants", localColumn: "tenantId" } },
  },
  defaultOrder: "insertInstant DESC, id DESC",
};
