import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseHidden, parseRecord } from "../../operations/family.js";
import type { ColumnValue, RecordToStore, StoredRecord, Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import { foldText } from "../../shared/text/fold-text.js";
import { defineTable, foldedName, nameSearch } from "../define-table.js";
import type { EntityType } from "./schema.js";

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
