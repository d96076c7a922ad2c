import type { Column, Table } from "../ports/storage.js";
import type { SearchDefinition } from "../search/parse-criteria.js";

/** Checks what TypeScript cannot: that unique keys and indexes name columns that exist. */
export function defineTable(table: Table): Table {
  const known = new Set(["id", "tenantId", "insertInstant", "lastUpdateInstant", ...Object.keys(table.columns)]);
  const named = [...table.uniqueKeys, ...table.indexes].flatMap((index) => index.columns);
  for (const column of named) if (!known.has(column)) throw new TypeError(`${table.name} has no column ${column}.`);
  return Object.freeze(table);
}

/** A column for a name that is searched, sorted and compared without case. */
export const foldedName: Column = Object.freeze({ type: "text" });

/** The search of a family that has a name and nothing else to ask for. */
export const nameSearch: SearchDefinition = {
  filters: { name: { kind: "text", column: "nameFolded" } },
  sortable: {
    id: { column: "id" },
    insertInstant: { column: "insertInstant" },
    name: { column: "nameFolded" },
  },
  defaultOrder: "name ASC",
};
