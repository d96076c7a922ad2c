import { defineRecordRoutes } from "../../http/route/define-route.js";
import { defineTable, foldedName } from "../../operations/family/family.js";
import { type IdInput, type RecordOperations, type RecordRow, recordOperations } from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import { lazySchema } from "../schemas.js";
import type { ParsedUserActionReasonRequest, UserActionReason, UserActionReasonRequest } from "./schema.js";

/** Operations on reasons for actions (docs/reference/user-actions.md#reasons). */
export interface UserActionReasonOperations
  extends RecordOperations<"userActionReason", "userActionReasons", UserActionReason, UserActionReasonRequest> {
  /** Removes a record; 404 for an unknown one. Existing actions keep its texts. */
  readonly remove: OperationSignature<IdInput<"userActionReasonId">, undefined>;
}

export const userActionReasonsTable: Table = defineTable({
  name: "userActionReasons",
  tenancy: "global",
  since: 8,
  columns: { codeFolded: foldedName, textFolded: foldedName },
  uniqueKeys: [
    { name: "code", columns: ["codeFolded"] },
    { name: "text", columns: ["textFolded"] },
  ],
  indexes: [],
});

/** The family of reasons for actions. */
export const userActionReasonFamily: RecordRow<
  "userActionReasons",
  UserActionReason,
  ParsedUserActionReasonRequest,
  UserActionReasonOperations
> = {
  name: "userActionReasons",
  wrapper: "userActionReason",
  plural: "userActionReasons",
  idParameter: "userActionReasonId",
  table: userActionReasonsTable,
  request: lazySchema("users", "userActionReasonRequest"),
  search: { filters: {}, sortable: { text: { column: "textFolded" } }, defaultOrder: "text ASC" },
  uniquePaths: { code: "userActionReason.code", text: "userActionReason.text" },
  setPaths: new Set(),
  operations: recordOperations,
  routes: defineRecordRoutes("/api/user-action-reason/:userActionReasonId", "shared"),
  tables: [userActionReasonsTable],
  auditName: "user action reason",
  configuration: { key: ["code"] },
};
