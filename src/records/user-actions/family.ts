import { defineRecordRoutes } from "../../http/route/define-route.js";
import { defineTable, foldedName, nameSearch } from "../../operations/family/family.js";
import {
  customOperation,
  type IdInput,
  type RecordOperations,
  type RecordRow,
  recordOperations,
} from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import { lazySchema } from "../schemas.js";
import type { ParsedUserActionRequest, UserAction, UserActionRequest } from "./schema.js";

/** Operations on the kinds of actions that moderators take (docs/reference/user-actions.md#actions). */
export interface UserActionOperations
  extends Omit<RecordOperations<"userAction", "userActions", UserAction, UserActionRequest>, "update"> {
  /** Returns the active actions; with `inactive: true` the others. */
  readonly list: OperationSignature<{ readonly inactive?: boolean }, { readonly userActions: readonly UserAction[] }>;
  /** Replaces a record, or reactivates an inactive one with `reactivate: true`. */
  readonly update: OperationSignature<
    Partial<UserActionRequest> & IdInput<"userActionId"> & { readonly reactivate?: boolean },
    { readonly userAction: UserAction }
  >;
  /** Deactivates a kind of action; `hardDelete: true` removes it with all actions of the kind. */
  readonly remove: OperationSignature<IdInput<"userActionId"> & { readonly hardDelete?: boolean }, undefined>;
}

export const userActionsTable: Table = defineTable({
  name: "userActions",
  tenancy: "global",
  since: 8,
  columns: { active: { type: "boolean" }, nameFolded: foldedName },
  uniqueKeys: [{ name: "name", columns: ["nameFolded"] }],
  indexes: [],
});

/** The families that the ids in a kind of action refer to, by path. */
export const userActionReferences: Readonly<Record<string, string>> = {
  cancelEmailTemplateId: "emailTemplates",
  endEmailTemplateId: "emailTemplates",
  modifyEmailTemplateId: "emailTemplates",
  startEmailTemplateId: "emailTemplates",
};

/** The family of the kinds of actions that moderators take. */
export const userActionFamily: RecordRow<"userActions", UserAction, ParsedUserActionRequest, UserActionOperations> = {
  name: "userActions",
  wrapper: "userAction",
  plural: "userActions",
  idParameter: "userActionId",
  table: userActionsTable,
  request: lazySchema("users", "userActionRequest"),
  search: nameSearch,
  uniquePaths: { name: "userAction.name" },
  setPaths: new Set(),
  operations: {
    ...recordOperations,
    list: { parameters: ["inactive"] },
    update: customOperation("userActionId", "reactivate"),
    remove: customOperation("userActionId", "hardDelete"),
  },
  // All tenants share them, like consents.
  routes: defineRecordRoutes("/api/user-action/:userActionId", "shared"),
  tables: [userActionsTable],
  auditName: "user action",
  configuration: {
    key: ["name"],
    references: userActionReferences,
    isConfigured: ({ active }) => active === true,
    removal: () => ({ hardDelete: true }),
  },
};
