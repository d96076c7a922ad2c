import { defineRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { defineTable } from "../../operations/family/family.js";
import { type IdInput, type RecordRow, type SearchOperation, standard } from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import { maxSortLength } from "../../search/parse-criteria.js";
import { lazySchema } from "../schemas.js";
import type { UserComment, UserCommentRequest } from "./schema.js";

/** The criteria of a search for comments (docs/reference/user-actions.md#comments). */
export interface UserCommentCriteria {
  /** A text filter on the comment: part of it, or with `*` at its ends. */
  readonly comment?: string;
  /** Only comments of this user. */
  readonly commenterId?: string;
  /** Only comments of this tenant. */
  readonly tenantId?: string;
  /** Only comments about this user. */
  readonly userId?: string;
}

/** Operations on comments on users (docs/reference/user-actions.md#comments). */
export interface UserCommentOperations extends SearchOperation<"userComments", UserComment, UserCommentCriteria> {
  /** Creates and returns a record. */
  readonly create: OperationSignature<UserCommentRequest, { readonly userComment: UserComment }>;
  /** Returns the comments on a user, oldest first. */
  readonly list: OperationSignature<IdInput<"userId">, { readonly userComments: readonly UserComment[] }>;
}

/** No enforced reference: users may be the host's own. */
export const userCommentsTable: Table = defineTable({
  name: "userComments",
  tenancy: "tenant",
  since: 8,
  columns: {
    userId: { type: "id", references: { table: "users", onRemove: "cascade", isEnforced: false } },
    commenterId: { type: "id" },
    commentFolded: { type: "text", isLong: true },
  },
  uniqueKeys: [],
  indexes: [{ columns: ["userId"] }],
});

/** The family of comments on users. */
export const userCommentFamily: RecordRow<"userComments", UserComment, UserCommentRequest, UserCommentOperations> = {
  name: "userComments",
  wrapper: "userComment",
  plural: "userComments",
  searchPath: "/api/user/comment/search",
  idParameter: "userCommentId",
  table: userCommentsTable,
  request: lazySchema("users", "userCommentRequest"),
  search: {
    filters: {
      comment: { kind: "text", column: "commentFolded" },
      commenterId: { kind: "id", column: "commenterId" },
      tenantId: { kind: "id", column: "tenantId" },
      userId: { kind: "id", column: "userId" },
    },
    sortable: {
      comment: { column: "commentFolded", maxLength: maxSortLength },
      commenterId: { column: "commenterId" },
      insertInstant: { column: "insertInstant" },
      userId: { column: "userId" },
    },
    defaultOrder: "insertInstant ASC",
  },
  uniquePaths: {},
  setPaths: new Set(),
  operations: { create: standard, list: { parameters: ["userId"] }, search: standard },
  routes: [
    ...defineRoutes([
      ["POST", "/api/user/comment", "tenant", "create"],
      ["GET", "/api/user/comment/:userId", "tenant", "list"],
    ]),
    ...defineSearchRoutes("/api/user/comment/search", "tenant"),
  ],
  tables: [userCommentsTable],
  auditName: "user comment",
};
