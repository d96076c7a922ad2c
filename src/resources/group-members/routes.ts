import { defineRoutes, type Route } from "../../http/route/define-route.js";
import type { AnyOperation, OperationSignature, OperationsOf } from "../../operations/operation.js";
import { searchOperation } from "../../operations/verbs/search.js";
import type { SearchInput, SearchOutput } from "../../operations/wire-types.js";
import { addMembers, groupMembers, type RemoveMembersInput, removeMembers, replaceMembers } from "./rules.js";
import type { GroupMember, GroupMembersRequest, GroupMembersResponse } from "./schema.js";

/** The criteria of a member search (docs/reference/groups.md#members). */
export interface GroupMemberCriteria {
  /** Only members of this group. */
  readonly groupId?: string;
  /** Only memberships of this user. */
  readonly userId?: string;
  /** Only members of groups of this tenant. */
  readonly tenantId?: string;
}

/** What can be done with memberships (docs/reference/groups.md). */
export interface GroupMemberOperations {
  /** Adds users to groups. */
  readonly add: OperationSignature<GroupMembersRequest, GroupMembersResponse>;
  /** Replaces all members of groups. */
  readonly replace: OperationSignature<GroupMembersRequest, GroupMembersResponse>;
  /** Removes memberships. */
  readonly remove: OperationSignature<RemoveMembersInput, undefined>;
  /** Searches records; returns a page in the requested order, and the total. */
  readonly search: OperationSignature<SearchInput<GroupMemberCriteria>, SearchOutput<"members", GroupMember>>;
}

export const groupMemberOperations: OperationsOf<GroupMemberOperations> = {
  add: addMembers,
  replace: replaceMembers,
  remove: removeMembers,
  search: searchOperation(groupMembers),
};

const { add, replace, remove, search } = groupMemberOperations;

export const groupMemberRoutes: readonly Route<AnyOperation>[] = defineRoutes<AnyOperation>([
  ["POST", "/api/group/member", "tenant", add],
  ["PUT", "/api/group/member", "tenant", replace],
  ["DELETE", "/api/group/member", "tenant", remove],
  ["DELETE", "/api/group/member/:memberId", "tenant", remove],
  ["GET", "/api/group/member/search", "tenant", search],
  ["POST", "/api/group/member/search", "tenant", search],
]);
