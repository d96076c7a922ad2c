import { defineRoutes, type Route } from "../../http/route/define-route.js";
import type { AnyOperation, OperationSignature, OperationsOf } from "../../operations/operation.js";
import { removeOperation } from "../../operations/verbs/remove.js";
import { searchOperation } from "../../operations/verbs/search.js";
import type { SearchInput, SearchOutput } from "../../operations/wire-types.js";
import {
  entityGrants,
  type FindGrantsInput,
  type FindGrantsOutput,
  findGrants,
  type UpsertGrantInput,
  upsertGrant,
} from "./rules.js";
import type { EntityGrant } from "./schema.js";

/** The criteria of a grant search (docs/reference/search.md). The name is that of the entity which the permissions are on. */
export interface EntityGrantCriteria {
  /** Only grants on this entity. */
  readonly entityId?: string;
  /** A text filter on the name of the entity. */
  readonly name?: string;
  /** Only grants to this user. */
  readonly userId?: string;
}

/** What can be done with grants on entities (docs/reference/entities.md). */
export interface EntityGrantOperations {
  /** Creates or replaces the grant of one recipient on an entity; returns nothing. */
  readonly upsert: OperationSignature<UpsertGrantInput, undefined>;
  /** Returns the grants on an entity: all of them, or the one of a recipient; 404 when that has none. */
  readonly find: OperationSignature<FindGrantsInput, FindGrantsOutput>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<FindGrantsInput, undefined>;
  /** Searches records; returns a page in the requested order, and the total. */
  readonly search: OperationSignature<SearchInput<EntityGrantCriteria>, SearchOutput<"grants", EntityGrant>>;
}

export const entityGrantOperations: OperationsOf<EntityGrantOperations> = {
  upsert: upsertGrant,
  find: findGrants,
  remove: removeOperation(entityGrants),
  search: searchOperation(entityGrants),
};

const { upsert, find, remove, search } = entityGrantOperations;

export const entityGrantRoutes: readonly Route<AnyOperation>[] = defineRoutes<AnyOperation>([
  ["POST", "/api/entity/:entityId/grant", "tenant", upsert],
  ["PUT", "/api/entity/:entityId/grant", "tenant", upsert],
  ["GET", "/api/entity/:entityId/grant", "tenant", find],
  ["DELETE", "/api/entity/:entityId/grant", "tenant", remove],
  ["GET", "/api/entity/grant/search", "tenant", search],
  ["POST", "/api/entity/grant/search", "tenant", search],
]);
