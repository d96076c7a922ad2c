import { defineRecordRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { lazySchema } from "../../http/schema/parse-with.js";
import { defineTable, foldedName, nameSearch } from "../../operations/define-table.js";
import { type RecordRow, searchableOperations } from "../../operations/family-row.js";
import type { SearchableOperations } from "../../operations/wire-types.js";
import type { Table } from "../../ports/storage.js";
import type { Consent, ConsentRequest, ParsedConsentRequest } from "./schema.js";

/** The criteria of a consent search (docs/reference/search.md). */
export interface ConsentCriteria {
  /** A text filter on the name: part of it, or with `*` at its ends. */
  readonly name?: string;
}

/** What can be done with consents (docs/reference/forms.md#consents). */
export type ConsentOperations = SearchableOperations<{
  id: "consentId";
  wrapper: "consent";
  plural: "consents";
  record: Consent;
  request: ConsentRequest;
  criteria: ConsentCriteria;
}>;

export const consentsTable: Table = defineTable({
  name: "consents",
  tenancy: "global",
  since: 2,
  columns: { nameFolded: foldedName },
  uniqueKeys: [{ name: "name", columns: ["nameFolded"] }],
  indexes: [],
});

/** The families that the ids inside of a consent lead to, by their paths. */
export const consentReferences: Readonly<Record<string, string>> = {
  consentEmailTemplateId: "emailTemplates",
  "emailPlus.emailTemplateId": "emailTemplates",
};

/** The family of consents (docs/reference/forms.md#consents). */
export const consentFamily: RecordRow<"consents", Consent, ParsedConsentRequest, ConsentOperations> = {
  name: "consents",
  wrapper: "consent",
  plural: "consents",
  searchPath: "/api/consent/search",
  idParameter: "consentId",
  table: consentsTable,
  request: lazySchema(() => import("./schema.js"), "consentRequest"),
  search: nameSearch,
  uniquePaths: { name: "consent.name" },
  setPaths: new Set(["consent.values"]),
  operations: searchableOperations,
  // All tenants share consents: keys of one read them, all but the search, and change none (docs/reference/api-keys.md#permissions, docs/reference/api-keys.md#global-endpoints).
  routes: [...defineRecordRoutes("/api/consent/:consentId", "shared"), ...defineSearchRoutes("/api/consent/search", "global")],
  tables: [consentsTable],
  auditName: "consent",
  configuration: {
    key: ["name"],
    references: consentReferences,
  },
};
