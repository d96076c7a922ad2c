import { defineRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { defineTable } from "../../operations/family/family.js";
import { customOperation, type SearchOperation, type SearchRow, standard } from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import type { BulkPath } from "../../shared/find-unsafe-value.js";
import type { GroupMember, GroupMembersRequest, GroupMembersResponse, RemoveMembersRequest } from "./schema.js";

/**
 * The input of the five forms of DELETE (docs/reference/groups.md): by membership id, by group and user, by group, and two
 * bodies.
 */
export type RemoveMembersInput = RemoveMembersRequest & {
  readonly memberId?: string;
  readonly groupId?: string;
  readonly userId?: string;
};

/** The criteria of a member search (docs/reference/groups.md#members). */
export interface GroupMemberCriteria {
  /** Only members of this group. */
  readonly groupId?: string;
  /** Only memberships of this user. */
  readonly userId?: string;
  /** Only members of groups of this tenant. */
  readonly tenantId?: string;
}

/** Operations on memberships (docs/reference/groups.md). */
export interface GroupMemberOperations extends SearchOperation<"members", GroupMember, GroupMemberCriteria> {
  /** Adds users to groups. */
  readonly add: OperationSignature<GroupMembersRequest, GroupMembersResponse>;
  /** Replaces all members of groups. */
  readonly replace: OperationSignature<GroupMembersRequest, GroupMembersResponse>;
  /** Removes memberships. */
  readonly remove: OperationSignature<RemoveMembersInput, undefined>;
}

/** Memberships of users in groups. No enforced reference to users: they may be the host's own. */
export const groupMembersTable: Table = defineTable({
  name: "groupMembers",
  tenancy: "tenant",
  since: 1,
  columns: {
    groupId: { type: "id", references: { table: "groups", onRemove: "cascade" } },
    userId: { type: "id", references: { table: "users", onRemove: "cascade", isEnforced: false } },
  },
  uniqueKeys: [{ name: "member", columns: ["groupId", "userId"] }],
  // An index-only scan reads the groups of a user.
  indexes: [{ columns: ["userId", "groupId"] }, { columns: ["insertInstant", "userId", "groupId"] }],
});

/** Filters and sortable fields (docs/reference/search.md). */
export const groupMemberSearch: SearchDefinition = {
  filters: {
    groupId: { kind: "id", column: "groupId" },
    userId: { kind: "id", column: "userId" },
    tenantId: { kind: "id", column: "tenantId" },
  },
  sortable: {
    id: { column: "id" },
    insertInstant: { column: "insertInstant" },
    groupId: { column: "groupId" },
    tenantId: { column: "tenantId" },
    userId: { column: "userId" },
  },
  defaultOrder: "insertInstant ASC, userId ASC, groupId ASC",
};

// A group has any number of members; only the size of the body limits a request.
const memberLists: readonly BulkPath[] = [["members", "*"]];

/** The family of memberships. */
export const groupMemberFamily: SearchRow<
  "groupMembers",
  GroupMember & { lastUpdateInstant: number },
  never,
  GroupMemberOperations
> = {
  name: "groupMembers",
  wrapper: "member",
  plural: "members",
  table: groupMembersTable,
  search: groupMemberSearch,
  operations: {
    add: { ...customOperation(), bulkLists: memberLists },
    replace: { ...customOperation(), bulkLists: memberLists },
    remove: customOperation("memberId", "groupId", "userId"),
    search: standard,
  },
  routes: [
    ...defineRoutes([
      ["POST", "/api/group/member", "tenant", "add"],
      ["PUT", "/api/group/member", "tenant", "replace"],
      ["DELETE", "/api/group/member", "tenant", "remove"],
      ["DELETE", "/api/group/member/:memberId", "tenant", "remove"],
    ]),
    ...defineSearchRoutes("/api/group/member/search", "tenant"),
  ],
  tables: [groupMembersTable],
  announced: [groupMembersTable],
  auditName: "group member",
};
