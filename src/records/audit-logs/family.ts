import { defineRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { type BaseRecord, defineTable } from "../../operations/family/family.js";
import {
  customOperation,
  type SearchInput,
  type SearchOutput,
  type SearchRow,
  standard,
} from "../../operations/family/family-row.js";
import type { OperationSignature, StreamSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import type { AuditLog, AuditLogCriteria, AuditLogRequest, ExportAuditLogsRequest } from "./schema.js";

/** What can be done with the audit log (docs/reference/system.md). Nobody changes or removes an entry. */
export interface AuditLogOperations {
  /** Creates a record; returns it with its id and instants. */
  readonly create: OperationSignature<AuditLogRequest, { readonly auditLog: AuditLog }>;
  /** Streams entries as lines of JSON, the oldest first (docs/audit.md#export). */
  readonly export: StreamSignature<Partial<ExportAuditLogsRequest>, AsyncIterable<Uint8Array>>;
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<{ readonly auditLogId: number }, { readonly auditLog: AuditLog }>;
  /** Searches records; returns a page in the requested order, and the total. */
  readonly search: OperationSignature<SearchInput<AuditLogCriteria>, SearchOutput<"auditLogs", AuditLog>>;
}

/** The audit log. On the wire an entry is known by its number. Searchable texts are stored folded beside it. */
export const auditLogsTable: Table = defineTable({
  name: "auditLogs",
  tenancy: "optional",
  outlivesTenant: true,
  since: 5,
  columns: {
    number: { type: "integer" },
    insertUserFolded: { type: "text" },
    messageFolded: { type: "text", isLong: true },
    /** What entries are ordered by: the token of a next page must not hold a whole message. */
    messageStart: { type: "text" },
    newValueFolded: { type: "text", isLong: true, isNullable: true },
    oldValueFolded: { type: "text", isLong: true, isNullable: true },
    reasonFolded: { type: "text", isLong: true, isNullable: true },
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

/** The digests of entries that are not in the chain yet: written with an entry, in the order of commits. */
export const auditQueueTable: Table = defineTable({
  name: "auditQueue",
  tenancy: "global",
  since: 11,
  columns: {},
  uniqueKeys: [],
  indexes: [],
  isLog: true,
});

/** The chain of digests: one link for each entry, also for those whose contents are gone. */
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

/** The last link of the chain: one record, which each process that adds links must find unchanged. */
export const auditChainTable: Table = defineTable({
  name: "auditChain",
  tenancy: "global",
  since: 11,
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

/** The audit log as it is written, shown and searched. */
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
  // Keys of a tenant write and see the entries of their tenant (docs/reference/api-keys.md#global-endpoints).
  routes: [
    ...defineRoutes([
      ["POST", "/api/system/audit-log", "tenant", "create"],
      ["POST", "/api/system/audit-log/export", "tenant", "export"],
      ["GET", "/api/system/audit-log/:auditLogId", "tenant", "retrieve"],
    ]),
    ...defineSearchRoutes("/api/system/audit-log/search", "tenant"),
  ],
  tables: [auditLogsTable, auditLogNumbersTable, auditQueueTable, auditDigestsTable, auditChainTable],
  // How long the host says: see `Housekeeping.prune`.
};
