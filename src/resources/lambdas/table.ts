import { lambdaTypeAliases, lambdaTypeNames } from "../../lambdas/types/lambda-types.js";
import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import { defineTable, foldedName, nameSearch } from "../define-table.js";

export const lambdasTable: Table = defineTable({
  name: "lambdas",
  tenancy: "global",
  since: 2,
  columns: {
    nameFolded: foldedName,
    bodyFolded: { type: "text" },
    engineType: { type: "text" },
    type: { type: "text" },
  },
  uniqueKeys: [],
  indexes: [],
});

/** What can be searched and sorted (docs/reference/lambdas.md#fields). Both names of a type find it. */
export const lambdaSearch: SearchDefinition = {
  filters: {
    ...nameSearch.filters,
    body: { kind: "text", column: "bodyFolded" },
    type: { kind: "option", column: "type", values: lambdaTypeNames, kept: lambdaTypeAliases },
  },
  sortable: { ...nameSearch.sortable, engineType: { column: "engineType" } },
  defaultOrder: nameSearch.defaultOrder,
};
