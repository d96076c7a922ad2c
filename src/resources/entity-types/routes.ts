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
import { entityTypes } from "./rules.js";
import type { EntityType, EntityTypeRequest } from "./schema.js";

type Id = IdInput<"entityTypeId">;

/** The answer that shows one entity type. */
export interface EntityTypeResponse {
  /** The stored type, with its permissions. */
  readonly entityType: EntityType;
}

/** What can be done with entity types (docs/reference/entities.md). */
export interface EntityTypeOperations {
  /** Creates a record; returns it with its id and instants. */
  readonly create: OperationSignature<EntityTypeRequest & Partial<Id>, EntityTypeResponse>;
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<Id, EntityTypeResponse>;
  /** Returns all records in the caller's scope. */
  readonly list: OperationSignature<Record<never, never>, { readonly entityTypes: readonly EntityType[] }>;
  /** Replaces a record; members that the request leaves out return to their defaults. */
  readonly update: OperationSignature<EntityTypeRequest & Id, EntityTypeResponse>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"entityTypeId">, EntityTypeResponse>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<Id, undefined>;
  /** Searches records; returns a page in the requested order, and the total. */
  readonly search: OperationSignature<SearchInput<{ readonly name?: string }>, SearchOutput<"entityTypes", EntityType>>;
}

export const entityTypeOperations: OperationsOf<EntityTypeOperations> = {
  create: createOperation(entityTypes),
  retrieve: retrieveOperation(entityTypes),
  list: listOperation(entityTypes),
  update: updateOperation(entityTypes),
  patch: patchOperation(entityTypes),
  remove: removeOperation(entityTypes),
  search: searchOperation(entityTypes),
};

export const entityTypeRoutes: readonly Route<AnyOperation>[] = defineRecordRoutes<AnyOperation>(
  "/api/entity/type/:entityTypeId",
  "global",
  entityTypeOperations,
);
