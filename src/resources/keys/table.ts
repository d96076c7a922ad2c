import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import { keyAlgorithms, keyTypes } from "../../security/keys/algorithms.js";
import { defineTable, foldedName, nameSearch } from "../define-table.js";

export const keysTable: Table = defineTable({
  name: "keys",
  tenancy: "global",
  since: 2,
  columns: {
    nameFolded: foldedName,
    kid: { type: "text" },
    type: { type: "text" },
    algorithm: { type: "text" },
    expirationInstant: { type: "integer", isNullable: true },
  },
  uniqueKeys: [
    { name: "kid", columns: ["kid"] },
    { name: "name", columns: ["nameFolded"] },
  ],
  indexes: [],
});

/** What can be searched and sorted (docs/reference/search.md). */
export const keySearch: SearchDefinition = {
  filters: {
    ...nameSearch.filters,
    algorithm: { kind: "option", column: "algorithm", values: keyAlgorithms },
    type: { kind: "option", column: "type", values: keyTypes },
  },
  sortable: {
    ...nameSearch.sortable,
    algorithm: { column: "algorithm" },
    expiration: { column: "expirationInstant" },
    type: { column: "type" },
  },
  defaultOrder: nameSearch.defaultOrder,
};

/** The id of the key that signs where nobody names one: the same in every storage, made at the first start. */
export const defaultSigningKeyId = "8f4c1f6e-2a57-4c0b-9d3e-61b7c0a4d2e5";
