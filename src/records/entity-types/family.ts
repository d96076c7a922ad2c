import { defineRecordRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { defineTable, foldedName, nameSearch, parseHidden, parseRecord } from "../../operations/family/family.js";
import { type RecordRow, type SearchableOperations, searchableOperations } from "../../operations/family/family-row.js";
import type { ColumnValue, RecordToStore, StoredRecord, Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import { foldText } from "../../shared/text.js";
import { lazySchema } from "../schemas.js";
import type { EntityType, EntityTypeRequest, ParsedEntityTypeRequest } from "./schema.js";

/** The response of the calls for one entity type. */
export interface EntityTypeResponse {
  /** The stored type, with its permissions. */
  readonly entityType: EntityType;
}

/** Operations on entity types (docs/reference/entities.md). */
export interface EntityTypeOperations
  extends SearchableOperations<
    "entityType",
    "entityTypes",
    EntityType,
    EntityTypeRequest,
    { readonly name?: string },
    EntityTypeResponse
  > {}

export const entityTypesTable: Table = defineTable({
  name: "entityTypes",
  tenancy: "global",
  since: 2,
  columns: { nameFolded: foldedName, permissionsCount: { type: "integer" } },
  uniqueKeys: [{ name: "name", columns: ["nameFolded"] }],
  indexes: [],
});

/** The type of the built-in entity of this API: the same id in every storage, created at the first start. */
export const apiEntityTypeId = "3a9e64f7-81cb-4f0d-b2a4-0c5d9f16e87b";

/** Filters and sortable fields (docs/reference/search.md). */
export const entityTypeSearch: SearchDefinition = {
  ...nameSearch,
  sortable: {
    ...nameSearch.sortable,
    entityTypePermissionsCount: { column: "permissionsCount" },
    lastUpdateInstant: { column: "lastUpdateInstant" },
  },
};

/** The number of permissions of a type, as a sort key. */
export interface HiddenEntityType {
  readonly permissionsCount: number;
}

/** The columns of an entity type. */
export function toColumns(name: string, { permissionsCount }: HiddenEntityType): Readonly<Record<string, ColumnValue>> {
  return { nameFolded: foldText(name), permissionsCount };
}

/** Returns the type with an adjusted number of permissions, ready to store. */
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

/** The family of entity types. */
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
