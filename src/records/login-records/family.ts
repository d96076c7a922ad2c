import { defineRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { type BaseRecord, defineTable } from "../../operations/family/family.js";
import { customOperation, type SearchOperation, type SearchRow, standard } from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import type { ExportLoginRecordsRequest, LoginRecord } from "./schema.js";

/** The criteria of a search for logins (docs/reference/tokens.md#login-records). */
export interface LoginRecordCriteria {
  /** Only logins to this application. */
  readonly applicationId?: string;
  /** The instant before which the logins took place, in epoch milliseconds. */
  readonly end?: number;
  /** The first instant, in epoch milliseconds. */
  readonly start?: number;
  /** Only logins of this user. */
  readonly userId?: string;
}

/** A page of logins, newest first. */
export interface RecentLoginsInput {
  /** The number of logins; default 10. */
  readonly limit?: number;
  /** The number of newer logins to skip; default 0. */
  readonly offset?: number;
  /** Only logins of this user. */
  readonly userId?: string;
}

/** Operations on login records (docs/reference/tokens.md#login-records). */
export interface LoginRecordOperations extends SearchOperation<"logins", LoginRecord, LoginRecordCriteria> {
  /** Returns the newest logins. */
  readonly recent: OperationSignature<RecentLoginsInput, { readonly logins: readonly LoginRecord[] }>;
  /** Returns a zip file of a CSV file with at most 100,000 logins, newest first. */
  readonly export: OperationSignature<ExportLoginRecordsRequest, Uint8Array>;
}

export const loginRecordsTable: Table = defineTable({
  name: "loginRecords",
  tenancy: "tenant",
  since: 8,
  columns: {
    applicationId: { type: "id", isNullable: true },
    userId: { type: "id", references: { table: "users", onRemove: "cascade", isEnforced: false } },
  },
  uniqueKeys: [],
  indexes: [{ columns: ["insertInstant"] }, { columns: ["userId", "insertInstant"] }],
});

const yearMs = 365 * 24 * 3_600_000;

/** The family of login records, which the service writes (docs/reference/tokens.md#login-records). */
export const loginRecordFamily: SearchRow<"loginRecords", BaseRecord, unknown, LoginRecordOperations> = {
  name: "loginRecords",
  wrapper: "login",
  plural: "logins",
  table: loginRecordsTable,
  search: {
    filters: {
      applicationId: { kind: "id", column: "applicationId" },
      end: { kind: "instant", column: "insertInstant", comparison: "<" },
      start: { kind: "instant", column: "insertInstant", comparison: ">=" },
      userId: { kind: "id", column: "userId" },
    },
    sortable: { instant: { column: "insertInstant" } },
    defaultOrder: "instant DESC",
  },
  operations: { recent: customOperation("limit", "offset", "userId"), export: customOperation(), search: standard },
  routes: [
    ...defineRoutes([
      ["GET", "/api/user/recent-login", "tenant", "recent"],
      ["POST", "/api/system/login-record/export", "tenant", "export"],
    ]),
    ...defineSearchRoutes("/api/system/login-record/search", "tenant"),
  ],
  tables: [loginRecordsTable],
  retention: [[loginRecordsTable, "insertInstant", yearMs]],
};
