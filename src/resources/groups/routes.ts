import { createOperation } from "../../operations/create.js";
import { listOperation } from "../../operations/list.js";
import type { AnyOperation, Operation } from "../../operations/operation.js";
import { patchOperation } from "../../operations/patch.js";
import { removeOperation } from "../../operations/remove.js";
import { retrieveOperation } from "../../operations/retrieve.js";
import { searchOperation } from "../../operations/search.js";
import { updateOperation } from "../../operations/update.js";
import type { IdInput, PatchInput, SearchInput, SearchOutput } from "../../operations/wire-types.js";
import { defineRoutes, type Route } from "../../route/define-route.js";
import { groups } from "./rules.js";
import type { Group, GroupRequest } from "./schema.js";

/** The criteria of a group search (reference 4.5). */
export interface GroupCriteria {
  readonly name?: string;
  readonly tenantId?: string;
}

/** What can be done with groups (reference 4.5). */
export interface GroupOperations {
  readonly create: Operation<GroupRequest & Partial<IdInput<"groupId">>, { readonly group: Group }>;
  readonly retrieve: Operation<IdInput<"groupId">, { readonly group: Group }>;
  readonly list: Operation<Record<never, never>, { readonly groups: readonly Group[] }>;
  readonly update: Operation<GroupRequest & IdInput<"groupId">, { readonly group: Group }>;
  readonly patch: Operation<PatchInput<"groupId">, { readonly group: Group }>;
  readonly remove: Operation<IdInput<"groupId">, undefined>;
  readonly search: Operation<SearchInput<GroupCriteria>, SearchOutput<"groups", Group>>;
}

export const groupOperations: GroupOperations = {
  create: createOperation(groups),
  retrieve: retrieveOperation(groups),
  list: listOperation(groups),
  update: updateOperation(groups),
  patch: patchOperation(groups),
  remove: removeOperation(groups),
  search: searchOperation(groups),
};

const { create, retrieve, list, update, patch, remove, search } = groupOperations;

export const groupRoutes: readonly Route<AnyOperation>[] = defineRoutes<AnyOperation>([
  ["POST", "/api/group", "tenant", create],
  ["POST", "/api/group/:groupId", "tenant", create],
  ["GET", "/api/group", "tenant", list],
  ["GET", "/api/group/:groupId", "tenant", retrieve],
  ["PUT", "/api/group", "tenant", update],
  ["PUT", "/api/group/:groupId", "tenant", update],
  ["PATCH", "/api/group", "tenant", patch],
  ["PATCH", "/api/group/:groupId", "tenant", patch],
  ["DELETE", "/api/group", "tenant", remove],
  ["DELETE", "/api/group/:groupId", "tenant", remove],
  ["GET", "/api/group/search", "tenant", search],
  ["POST", "/api/group/search", "tenant", search],
]);
