import { defineRecordRoutes, type Route } from "../../http/route/define-route.js";
import type { AnyOperation, OperationSignature, OperationsOf } from "../../operations/operation.js";
import { createOperation } from "../../operations/verbs/create.js";
import { listOperation } from "../../operations/verbs/list.js";
import { patchOperation } from "../../operations/verbs/patch.js";
import { removeOperation } from "../../operations/verbs/remove.js";
import { retrieveOperation } from "../../operations/verbs/retrieve.js";
import { searchOperation } from "../../operations/verbs/search.js";
import { updateOperation } from "../../operations/verbs/update.js";
import type { IdInput, PatchInput, SearchInput, SearchOutput } from "../../operations/wire-types.js";
import { groups } from "./rules.js";
import type { Group, GroupRequest } from "./schema.js";

/** The criteria of a group search (docs/reference/groups.md). */
export interface GroupCriteria {
  /** A text filter on the name: part of it, or with `*` at its ends. */
  readonly name?: string;
  /** Only groups of this tenant. */
  readonly tenantId?: string;
}

/** What can be done with groups (docs/reference/groups.md). */
export interface GroupOperations {
  /** Creates a record; returns it with its id and instants. */
  readonly create: OperationSignature<GroupRequest & Partial<IdInput<"groupId">>, { readonly group: Group }>;
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<IdInput<"groupId">, { readonly group: Group }>;
  /** Returns all records in the caller's scope. */
  readonly list: OperationSignature<Record<never, never>, { readonly groups: readonly Group[] }>;
  /** Replaces a record; members that the request leaves out return to their defaults. */
  readonly update: OperationSignature<GroupRequest & IdInput<"groupId">, { readonly group: Group }>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"groupId">, { readonly group: Group }>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<IdInput<"groupId">, undefined>;
  /** Searches records; returns a page in the requested order, and the total. */
  readonly search: OperationSignature<SearchInput<GroupCriteria>, SearchOutput<"groups", Group>>;
}

export const groupOperations: OperationsOf<GroupOperations> = {
  create: createOperation(groups),
  retrieve: retrieveOperation(groups),
  list: listOperation(groups),
  update: updateOperation(groups),
  patch: patchOperation(groups),
  remove: removeOperation(groups),
  search: searchOperation(groups),
};

export const groupRoutes: readonly Route<AnyOperation>[] = defineRecordRoutes<AnyOperation>(
  "/api/group/:groupId",
  "tenant",
  groupOperations,
);
