import { defineRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { type BaseRecord, defineTable } from "../../operations/family/family.js";
import { customOperation, type SearchOperation, type SearchRow, standard } from "../../operations/family/family-row.js";
import type { OperationSignature, StreamSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import type { AuditLog, AuditLogCriteria, AuditLogRequest, ExportAuditLogsRequest } from "./schema.js";

/** Operations on the audit log (docs/reference/system.md). Entries cannot be changed or removed. */
export interface AuditLogOperations extends SearchOperation<"auditLogs", AuditLog, AuditLogCriteria> {
  /** Creates and returns a record. */
  readonly create: OperationSignature<AuditLogRequest, { readonly auditLog: AuditLog }>;
  /** Streams entries as JSON lines, oldest first (docs/audit.md#export). */
  readonly export: StreamSignature<Partial<ExportAuditLogsRequest>, AsyncIterable<Uint8Array>>;
  /** Returns a record; 404 for an unknown id. */
  readonly retrieve: OperationSignature<{ readonly auditLogId: number }, { readonly auditLog: AuditLog }>;
}

/** The audit log. The id of an entry on the wire is its number. Columns hold the searchable texts in folded form. */
export const auditLogsTable: Table = defineTable({
  name: "auditLogs",
  tenancy: "optional",
  outlivesTenant: true,
  since: 5,
  columns: {
    number: { type: "integer" },
    insertUserFolded: { type: "text" },
    messageFolded: { type: "text", isLong: true },
    /** The sort key of messages: a prefix, so that a page token does not contain a whole message. */
    messageStart: { type: "text" },
    newValueFolded: { type: "text", isLong: true, isNullable: true },
    oldValueFolded: { type: "text", isLong: true, isNullable: true },
    reasonFolded: { type: "text", isLong: true, isNullable: true },
  },
  uniqueKeys: [{ name: "number", columns: ["number"] }],
  indexes: [{ columns: ["insertInstant", "number"] }, { columns: ["tenantId", "insertInstant", "number"] }],
});

/** The last assigned number (see `nextNumber`). */
export const auditLogNumbersTable: Table = defineTable({
  name: "auditLogNumbers",
  tenancy: "global",
  since: 5,
  columns: {},
  uniqueKeys: [],
  indexes: [],
});

/** The digests of entries that are not in the chain yet: written with their entries, in commit order. */
export const auditQueueTable: Table = defineTable({
  name: "auditQueue",
  tenancy: "global",
  since: 11,
  columns: {},
  uniqueKeys: [],
  indexes: [],
  isLog: true,
});

/** The chain of digests: one link for each entry, including entries with deleted contents. */
export const auditDigestsTable: Table = defineTable({
  name: "auditDigests",
  tenancy: "global",
  since: 11,
  columns: { number: { type: "integer" }, position: { type: "integer" } },
  uniqueKeys: [
    { name: "number", columns: ["number"] },
    { name: "position", columns: ["position"] },
  ],
  indexes: [],
});

/** The last link of the chain: one record, which a process compares and swaps to add links. */
export const auditChainTable: Table = defineTable({
  name: "auditChain",
  tenancy: "global",
  since: 11,
  columns: {},
  uniqueKeys: [],
  indexes: [],
});

/** Filters and sortable fields (docs/reference/search.md). Filters on values search their JSON. */
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

/** The family of entries of the audit log. */
export const auditLogFamily: SearchRow<"auditLogs", BaseRecord, AuditLogRequest, AuditLogOperations> = {
  name: "auditLogs",
  wrapper: "auditLog",
  plural: "auditLogs",
  table: auditLogsTable,
  search: auditLogSearch,
  operations: {
    create: customOperation(),
    export: { ...customOperation(), streamedType: "application/x-ndjson" },
    retrieve: customOperation("auditLogId"),
    search: standard,
  },
  // Keys of a tenant write and read the entries of their tenant (docs/reference/api-keys.md#global-endpoints).
  routes: [
    ...defineRoutes([
      ["POST", "/api/system/audit-log", "tenant", "create"],
      ["POST", "/api/system/audit-log/export", "tenant", "export"],
      ["GET", "/api/system/audit-log/:auditLogId", "tenant", "retrieve"],
    ]),
    ...defineSearchRoutes("/api/system/audit-log/search", "tenant"),
  ],
  tables: [auditLogsTable, auditLogNumbersTable, auditQueueTable, auditDigestsTable, auditChainTable],
  // No retention here: the host sets it, see `Housekeeping.prune`.
};
