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
import { accessLists } from "./rules.js";
import type { AccessList, AccessListRequest } from "./schema.js";

type Id = IdInput<"ipAccessControlListId">;

/** The answer that shows one access list. */
export interface AccessListResponse {
  /** The stored list, with addresses in canonical form (RFC 5952) and entries in order of their texts. */
  readonly ipAccessControlList: AccessList;
}

/** What can be done with access lists (docs/reference/api-keys.md#access-lists). */
export interface AccessListOperations {
  /** Creates a record; returns it with its id and instants. */
  readonly create: OperationSignature<AccessListRequest & Partial<Id>, AccessListResponse>;
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<Id, AccessListResponse>;
  /** Returns all records in the caller's scope. */
  readonly list: OperationSignature<Record<never, never>, { readonly ipAccessControlLists: readonly AccessList[] }>;
  /** Replaces a record; members that the request leaves out return to their defaults. */
  readonly update: OperationSignature<AccessListRequest & Id, AccessListResponse>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"ipAccessControlListId">, AccessListResponse>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<Id, undefined>;
  /** Searches records; returns a page in the requested order, and the total. */
  readonly search: OperationSignature<SearchInput<{ readonly name?: string }>, SearchOutput<"ipAccessControlLists", AccessList>>;
}

export const accessListOperations: OperationsOf<AccessListOperations> = {
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
