import type { Table } from "../../ports/storage.js";
import { defineTable } from "../define-table.js";

export const apiKeysTable: Table = defineTable({
  name: "apiKeys",
  tenancy: "optional",
  since: 1,
  columns: { digest: { type: "text" }, nameFolded: { type: "text", isNullable: true } },
  uniqueKeys: [
    { name: "key", columns: ["digest"] },
    { name: "name", columns: ["nameFolded"] },
  ],
  indexes: [],
});

/** When and from where a key was last used: beside the key, so that noting it changes no version. */
export const apiKeyUsesTable: Table = defineTable({
  name: "apiKeyUses",
  tenancy: "global",
  since: 1,
  columns: { keyId: { type: "id", references: { table: "apiKeys", onRemove: "cascade" } } },
  uniqueKeys: [{ name: "keyId", columns: ["keyId"] }],
  indexes: [],
});
