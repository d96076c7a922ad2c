import { defineRecordRoutes, defineSearchRoutes } from "../../../src/http/route/define-route.js";
import { defineTable, foldedName, nameSearch } from "../../../src/operations/family/family.js";
import { type RecordRow, type SearchableOperations, searchableOperations } from "../../../src/operations/family/family-row.js";
import type { Table } from "../../../src/ports/storage.js";
import { sealedField } from "../../../src/security/seal.js";
import { type Gadget, type GadgetRequest, gadgetRequest } from "./schema.js";

/** What can be done with gadgets. */
export interface GadgetOperations
  extends SearchableOperations<"gadget", "gadgets", Gadget, GadgetRequest, { readonly name?: string }> {}

const gadgetsTable: Table = defineTable({
  name: "gadgets",
  tenancy: "tenant",
  since: 1,
  columns: { nameFolded: foldedName, expiryInstant: { type: "integer" } },
  uniqueKeys: [{ name: "name", columns: ["tenantId", "nameFolded"] }],
  indexes: [],
});

/** The family of gadgets. */
export const gadgetFamily: RecordRow<"gadgets", Gadget, GadgetRequest, GadgetOperations> = {
  name: "gadgets",
  wrapper: "gadget",
  plural: "gadgets",
  searchPath: "/api/gadget/search",
  idParameter: "gadgetId",
  table: gadgetsTable,
  // Loaded with the row, for this start may be slow; a family of the service takes it from `records/schemas/`.
  request: () => gadgetRequest,
  search: nameSearch,
  uniquePaths: { name: "gadget.name" },
  setPaths: new Set(),
  sealedPaths: ["pin"],
  sealedPart: sealedField,
  operations: searchableOperations,
  routes: [...defineRecordRoutes("/api/gadget/:gadgetId", "tenant"), ...defineSearchRoutes("/api/gadget/search", "tenant")],
  tables: [gadgetsTable],
  retention: [[gadgetsTable, "expiryInstant", 0]],
  auditName: "gadget",
  configuration: { key: ["tenantId", "name"], references: { tenantId: "tenants" }, secrets: ["pin"] },
};
