import { defineRoutes } from "../../http/route/define-route.js";
import { defineTable } from "../../operations/family/family.js";
import { customOperation, type IdInput, type RecordRow, standard } from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Filter, Table } from "../../ports/storage.js";
import { lazySchema } from "../schemas.js";
import type { ParsedUserActionLogRequest, UserActionLog, UserActionLogRequest, UserActionLogUpdate } from "./schema.js";

/** A filter on the actions of a user: all, active ones, ended ones, or those that prevent a login now. */
export type UserActionLogFilter = IdInput<"userId"> & { readonly active?: boolean; readonly preventingLogin?: boolean };

/** Operations on actions taken on users (docs/reference/user-actions.md#taking-actions). */
export interface UserActionLogOperations {
  /** Takes an action on a user. */
  readonly create: OperationSignature<UserActionLogRequest, { readonly action: UserActionLog }>;
  /** Returns a record; 404 for an unknown id. */
  readonly retrieve: OperationSignature<IdInput<"actionId">, { readonly action: UserActionLog }>;
  /** Returns the actions taken on a user, newest first. */
  readonly list: OperationSignature<UserActionLogFilter, { readonly actions: readonly UserActionLog[] }>;
  /** Changes the end of a temporal action. */
  readonly update: OperationSignature<UserActionLogUpdate & IdInput<"actionId">, { readonly action: UserActionLog }>;
  /** Cancels a temporal action; the record stays. */
  readonly remove: OperationSignature<UserActionLogUpdate & IdInput<"actionId">, { readonly action: UserActionLog }>;
}

/**
 * Users may be the host's own. `endInstant` is the instant at which the service ends an action: 0 for an ended or non-temporal
 * one.
 */
export const userActionLogsTable: Table = defineTable({
  name: "userActionLogs",
  tenancy: "tenant",
  since: 8,
  columns: {
    endInstant: { type: "integer" },
    preventsLogin: { type: "boolean" },
    userActionId: { type: "id", references: { table: "userActions", onRemove: "cascade" } },
    userId: { type: "id", references: { table: "users", onRemove: "cascade", isEnforced: false } },
  },
  uniqueKeys: [],
  indexes: [{ columns: ["endInstant"] }, { columns: ["userActionId"] }, { columns: ["userId"] }],
});

/** A filter for active actions. */
export function lastsAt(now: number): Filter {
  return { op: "compare", column: "endInstant", comparison: ">", value: now };
}

/** A filter for expired actions that the service has not ended yet. */
export function isDueAt(now: number): Filter {
  const filters = [[">", 0] as const, ["<=", now] as const];
  return {
    op: "and",
    filters: filters.map(([comparison, value]) => ({ op: "compare", column: "endInstant", comparison, value })),
  };
}

/** The family of actions taken on users. */
export const userActionLogFamily: RecordRow<
  "userActionLogs",
  UserActionLog,
  ParsedUserActionLogRequest,
  UserActionLogOperations
> = {
  name: "userActionLogs",
  wrapper: "action",
  plural: "actions",
  idParameter: "actionId",
  table: userActionLogsTable,
  request: lazySchema("users", "userActionLogRequest"),
  search: { filters: {}, sortable: { insertInstant: { column: "insertInstant" } }, defaultOrder: "insertInstant DESC" },
  uniquePaths: {},
  setPaths: new Set(),
  operations: {
    create: standard,
    retrieve: standard,
    list: { parameters: ["userId", "active", "preventingLogin"] },
    update: standard,
    remove: customOperation("actionId"),
  },
  routes: defineRoutes([
    ["POST", "/api/user/action", "tenant", "create"],
    ["GET", "/api/user/action", "tenant", "list"],
    ["GET", "/api/user/action/:actionId", "tenant", "retrieve"],
    ["PUT", "/api/user/action/:actionId", "tenant", "update"],
    ["DELETE", "/api/user/action/:actionId", "tenant", "remove"],
  ]),
  tables: [userActionLogsTable],
  auditName: "action",
};
