import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import type { QueryFields } from "../../search/query-fields.js";
import { queryFilters } from "../../search/query-filters.js";
import { defineTable, foldedName, nameSearch } from "../define-table.js";

export const entitiesTable: Table = defineTable({
  name: "entities",
  tenancy: "tenant",
  since: 2,
  columns: {
    nameFolded: foldedName,
    clientIdFolded: { type: "text" },
    typeId: { type: "id", references: { table: "entityTypes", onRemove: "restrict" } },
    // Databases need not watch over a table that points to itself: a tenant's entities go in one statement, in any order.
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

/** What can be searched and sorted (docs/reference/entities.md): a query in one of two languages, or ids. */
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
