import { defineRoutes, type Route } from "../../http/route/define-route.js";
import { type AnyOperation, defineOperation, type OperationSignature, type OperationsOf } from "../../operations/operation.js";
import { searchOperation } from "../../operations/verbs/search.js";
import type { SearchInput, SearchOutput } from "../../operations/wire-types.js";
import { auditLogs, createAuditLog, retrieveAuditLog } from "./rules.js";
import type { AuditLog, AuditLogRequest } from "./schema.js";

/** The criteria of a search in the audit log (docs/reference/search.md). */
export interface AuditLogCriteria {
  /** The first instant, in epoch milliseconds. */
  readonly start?: number;
  /** The instant before which entries were made, in epoch milliseconds. */
  readonly end?: number;
  /** A text filter on the message. */
  readonly message?: string;
  /** What the JSON of the new value holds. */
  readonly newValue?: string;
  /** What the JSON of the old value holds. */
  readonly oldValue?: string;
  /** A text filter on the reason. */
  readonly reason?: string;
  /** Only entries of this tenant. */
  readonly tenantId?: string;
  /** Who did it: what `insertUser` holds. */
  readonly user?: string;
}

/** What can be done with the audit log (docs/reference/system.md). Nobody changes or removes an entry. */
export interface AuditLogOperations {
  /** Creates a record; returns it with its id and instants. */
  readonly create: OperationSignature<AuditLogRequest, { readonly auditLog: AuditLog }>;
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<{ readonly auditLogId: number }, { readonly auditLog: AuditLog }>;
  /** Searches records; returns a page in the requested order, and the total. */
  readonly search: OperationSignature<SearchInput<AuditLogCriteria>, SearchOutput<"auditLogs", AuditLog>>;
}

export const auditLogOperations: OperationsOf<AuditLogOperations> = {
  create: defineOperation("auditLogs.create", [], createAuditLog),
  retrieve: defineOperation("auditLogs.retrieve", ["auditLogId"], retrieveAuditLog),
  search: searchOperation(auditLogs),
};

const { create, retrieve, search } = auditLogOperations;

// Keys of a tenant write and see the entries of their tenant (docs/reference/api-keys.md#global-endpoints).
export const auditLogRoutes: readonly Route<AnyOperation>[] = defineRoutes<AnyOperation>([
  ["POST", "/api/system/audit-log", "tenant", create],
  ["GET", "/api/system/audit-log/search", "tenant", search],
  ["POST", "/api/system/audit-log/search", "tenant", search],
  ["GET", "/api/system/audit-log/:auditLogId", "tenant", retrieve],
]);
