import { defineRecordRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { defineTable, foldedName, nameSearch } from "../../operations/family/family.js";
import { type RecordRow, type SearchableOperations, searchableOperations } from "../../operations/family/family-row.js";
import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import type { QueryFields } from "../../search/query-fields.js";
import { queryFilters } from "../../search/query-filters.js";
import { sealedField } from "../../security/seal.js";
import { lazySchema } from "../schemas.js";
import type { Entity, EntityRequest, ParsedEntityRequest } from "./schema.js";

/** The response of the calls for one entity. */
export interface EntityResponse {
  /** The stored entity, with its secret for callers that hold its rights. */
  readonly entity: Entity;
}

/**
 * The criteria of an entity search (docs/reference/entities.md), in one of two query languages
 * (docs/reference/search.md#users-and-entities).
 */
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

/** Operations on entities (docs/reference/entities.md). */
export interface EntityOperations
  extends SearchableOperations<"entity", "entities", Entity, EntityRequest, EntityCriteria, EntityResponse> {}

export const entitiesTable: Table = defineTable({
  name: "entities",
  tenancy: "tenant",
  since: 2,
  columns: {
    nameFolded: foldedName,
    clientIdFolded: { type: "text" },
    typeId: { type: "id", references: { table: "entityTypes", onRemove: "restrict" } },
    // Not enforced: one statement deletes the entities of a tenant, in any order.
    parentId: { type: "id", isNullable: true, references: { table: "entities", onRemove: "restrict", isEnforced: false } },
  },
  uniqueKeys: [
    { name: "name", columns: ["tenantId", "typeId", "nameFolded"] },
    { name: "clientId", columns: ["clientIdFolded"] },
  ],
  indexes: [
    { columns: ["typeId"] },
    { columns: ["parentId"] },
    { columns: ["nameFolded"], whenLarge: true, since: 6 },
    { columns: ["nameFolded", "clientIdFolded"], kind: "substring", since: 6 },
  ],
});

const queryFields: QueryFields = {
  fields: {
    id: { kind: "id", column: "id" },
    tenantId: { kind: "id", column: "tenantId" },
    name: { kind: "text", column: "nameFolded" },
    clientId: { kind: "text", column: "clientIdFolded" },
    parentId: { kind: "id", column: "parentId" },
    "type.id": { kind: "id", column: "typeId" },
  },
  termColumns: ["nameFolded", "clientIdFolded"],
};

/** Filters and sortable fields (docs/reference/entities.md): a query in one of two languages, or ids. */
export const entitySearch: SearchDefinition = {
  filters: { ...queryFilters(queryFields), tenantId: { kind: "id", column: "tenantId" } },
  sortable: {
    ...nameSearch.sortable,
    clientId: { column: "clientIdFolded" },
    lastUpdateInstant: { column: "lastUpdateInstant" },
    parentId: { column: "parentId" },
    tenantId: { column: "tenantId" },
    "type.id": { column: "typeId" },
  },
  defaultOrder: nameSearch.defaultOrder,
};

/** The family of entities. */
export const entityFamily: RecordRow<"entities", Entity, ParsedEntityRequest, EntityOperations> = {
  name: "entities",
  wrapper: "entity",
  plural: "entities",
  searchPath: "/api/entity/search",
  idParameter: "entityId",
  table: entitiesTable,
  request: lazySchema("entities", "entityRequest"),
  search: entitySearch,
  uniquePaths: { name: "entity.name", clientId: "entity.clientId" },
  setPaths: new Set(),
  sealedPaths: ["clientSecret"],
  operations: searchableOperations,
  routes: [...defineRecordRoutes("/api/entity/:entityId", "tenant"), ...defineSearchRoutes("/api/entity/search", "tenant")],
  sealedPart: sealedField,
  tables: [entitiesTable],
  announced: [entitiesTable],
  auditName: "entity",
  builtIn: { name: "apiEntity", variant: (service) => service.apiEntityId },
  configuration: {
    key: ["tenantId", "type.id", "name"],
    references: { tenantId: "tenants", "type.id": "entityTypes", parentId: "entities" },
    fixed: () => ["type.id"],
    secrets: ["clientSecret"],
    own: ["clientSecret"],
    isBuiltIn: ({ id }, _record, { apiEntityId }) => id === apiEntityId,
  },
};
