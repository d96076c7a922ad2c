import { defineRecordRoutes, type Route } from "../../http/route/define-route.js";
import type { AnyOperation, Operation } from "../../operations/operation.js";
import { createOperation } from "../../operations/verbs/create.js";
import { listOperation } from "../../operations/verbs/list.js";
import { patchOperation } from "../../operations/verbs/patch.js";
import { removeOperation } from "../../operations/verbs/remove.js";
import { retrieveOperation } from "../../operations/verbs/retrieve.js";
import { searchOperation } from "../../operations/verbs/search.js";
import { updateOperation } from "../../operations/verbs/update.js";
import type { IdInput, PatchInput, SearchInput, SearchOutput } from "../../operations/wire-types.js";
import { accessLists } from "./rules.js";
import type { AccessList, AccessListRequest } from "./schema.js";

type Id = IdInput<"ipAccessControlListId">;

/** The answer that shows one access list. */
export interface AccessListResponse {
  readonly ipAccessControlList: AccessList;
}

/** What can be done with access lists (docs/reference/api-keys.md#access-lists). */
export interface AccessListOperations {
  readonly create: Operation<AccessListRequest & Partial<Id>, AccessListResponse>;
  readonly retrieve: Operation<Id, AccessListResponse>;
  readonly list: Operation<Record<never, never>, { readonly ipAccessControlLists: readonly AccessList[] }>;
  readonly update: Operation<AccessListRequest & Id, AccessListResponse>;
  readonly patch: Operation<PatchInput<"ipAccessControlListId">, AccessListResponse>;
  readonly remove: Operation<Id, undefined>;
  readonly search: Operation<SearchInput<{ readonly name?: string }>, SearchOutput<"ipAccessControlLists", AccessList>>;
}

export const accessListOperations: AccessListOperations = {
  create: createOperation(accessLists),
  retrieve: retrieveOperation(accessLists),
  list: listOperation(accessLists),
  update: updateOperation(accessLists),
  patch: patchOperation(accessLists),
  remove: removeOperation(accessLists),
  search: searchOperation(accessLists),
};

export const accessListRoutes: readonly Route<AnyOperation>[] = defineRecordRoutes<AnyOperation>(
  "/api/ip-acl/:ipAccessControlListId",
  "global",
  accessListOperations,
);
