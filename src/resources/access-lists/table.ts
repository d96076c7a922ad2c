import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import { defineTable, foldedName, nameSearch } from "../define-table.js";

export const accessListsTable: Table = defineTable({
  name: "accessLists",
  tenancy: "global",
  since: 2,
  columns: { nameFolded: foldedName },
  uniqueKeys: [{ name: "name", columns: ["nameFolded"] }],
  indexes: [],
});

/** What can be searched and sorted (docs/reference/search.md). */
export const accessListSearch: SearchDefinition = {
  ...nameSearch,
  sortable: { ...nameSearch.sortable, lastUpdateInstant: { column: "lastUpdateInstant" } },
};
