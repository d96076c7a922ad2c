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
import { entities } from "./rules.js";
import type { Entity, EntityRequest } from "./schema.js";

type Id = IdInput<"entityId">;

/** The answer that shows one entity. */
export interface EntityResponse {
  /** The stored entity; its secret is shown to callers that hold its rights. */
  readonly entity: Entity;
}

/** The criteria of an entity search (docs/reference/entities.md); docs/reference/search.md#users-and-entities describes the two query languages. */
export interface EntityCriteria {
  /** The entities with these ids; pass this, `query` or `queryString`. */
  readonly ids?: readonly string[];
  /** A query as a JSON text: `match_all`, `bool`, `match`, `term`, `terms`, `prefix`, `wildcard`, `nested`. */
  readonly query?: unknown;
  /** A query as terms, `field:value`, quotes, `*`, AND, OR, NOT and parentheses. */
  readonly queryString?: string;
  /** The order of the page: names of sortable fields, ascending unless `order` says `desc`. */
  readonly sortFields?: readonly { readonly name: string; readonly order?: "asc" | "desc" }[];
  /** Only entities of this tenant. */
  readonly tenantId?: string;
}

/** What can be done with entities (docs/reference/entities.md). */
export interface EntityOperations {
  /** Creates a record; returns it with its id and instants. */
  readonly create: OperationSignature<EntityRequest & Partial<Id>, EntityResponse>;
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<Id, EntityResponse>;
  /** Returns all records in the caller's scope. */
  readonly list: OperationSignature<Record<never, never>, { readonly entities: readonly Entity[] }>;
  /** Replaces a record; members that the request leaves out return to their defaults. */
  readonly update: OperationSignature<EntityRequest & Id, EntityResponse>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"entityId">, EntityResponse>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<Id, undefined>;
  /** Searches records; returns a page in the requested order, and the total. */
  readonly search: OperationSignature<SearchInput<EntityCriteria>, SearchOutput<"entities", Entity>>;
}

export const entityOperations: OperationsOf<EntityOperations> = {
  create: createOperation(entities),
  retrieve: retrieveOperation(entities),
  list: listOperation(entities),
  update: updateOperation(entities),
  patch: patchOperation(entities),
  remove: removeOperation(entities),
  search: searchOperation(entities),
};

export const entityRoutes: readonly Route<AnyOperation>[] = defineRecordRoutes<AnyOperation>(
  "/api/entity/:entityId",
  "tenant",
  entityOperations,
);
