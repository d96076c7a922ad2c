import { defineRecordRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { defineTable, foldedName, nameSearch, parseHidden, parseRecord } from "../../operations/family/family.js";
import {
  type IdInput,
  type PatchInput,
  type RecordRow,
  type SearchInput,
  type SearchOutput,
  searchableOperations,
} from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { ColumnValue, RecordToStore, StoredRecord, Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import { foldText } from "../../shared/text.js";
import { lazySchema } from "../schemas.js";
import type { EntityType, EntityTypeRequest, ParsedEntityTypeRequest } from "./schema.js";

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

export const entityTypesTable: Table = defineTable({
  name: "entityTypes",
  tenancy: "global",
  since: 2,
  columns: { nameFolded: foldedName, permissionsCount: { type: "integer" } },
  uniqueKeys: [{ name: "name", columns: ["nameFolded"] }],
  indexes: [],
});

/** The id of the type of the entity that stands for this API: the same in every storage, made at the first start. */
export const apiEntityTypeId = "3a9e64f7-81cb-4f0d-b2a4-0c5d9f16e87b";

/** What can be searched and sorted (docs/reference/search.md). */
export const entityTypeSearch: SearchDefinition = {
  ...nameSearch,
  sortable: {
    ...nameSearch.sortable,
    entityTypePermissionsCount: { column: "permissionsCount" },
    lastUpdateInstant: { column: "lastUpdateInstant" },
  },
};

/** How many permissions a type has: what types are ordered by, and which of them need no look-up. */
export interface HiddenEntityType {
  readonly permissionsCount: number;
}

/** The columns of an entity type. */
export function toColumns(name: string, { permissionsCount }: HiddenEntityType): Readonly<Record<string, ColumnValue>> {
  return { nameFolded: foldText(name), permissionsCount };
}

/** A type to be stored after its number of permissions has changed. */
export function updatePermissionCount(stored: StoredRecord, difference: number): RecordToStore {
  const { name, insertInstant, lastUpdateInstant } = parseRecord<EntityType>(stored);
  const hidden = { permissionsCount: (parseHidden<HiddenEntityType>(stored)?.permissionsCount ?? 0) + difference };
  return {
    ...stored,
    version: stored.version + 1,
    insertInstant,
    lastUpdateInstant,
    hidden: toCanonicalJson(hidden),
    columns: toColumns(name, hidden),
  };
}

/** The family of entity types (docs/reference/entities.md). */
export const entityTypeFamily: RecordRow<"entityTypes", EntityType, ParsedEntityTypeRequest, EntityTypeOperations> = {
  name: "entityTypes",
  wrapper: "entityType",
  plural: "entityTypes",
  searchPath: "/api/entity/type/search",
  idParameter: "entityTypeId",
  table: entityTypesTable,
  request: lazySchema("entities", "entityTypeRequest"),
  search: entityTypeSearch,
  uniquePaths: { name: "entityType.name" },
  setPaths: new Set(),
  operations: searchableOperations,
  routes: [
    ...defineRecordRoutes("/api/entity/type/:entityTypeId", "global"),
    ...defineSearchRoutes("/api/entity/type/search", "global"),
  ],
  tables: [entityTypesTable],
  auditName: "entity type",
  configuration: {
    key: ["name"],
    references: { "jwtConfiguration.accessTokenKeyId": "keys" },
    isBuiltIn: ({ id }) => id === apiEntityTypeId,
  },
};
