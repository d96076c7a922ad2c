import { defineRecordRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { defineTable, foldedName, nameSearch } from "../../operations/family/family.js";
import { type RecordRow, type SearchableOperations, searchableOperations } from "../../operations/family/family-row.js";
import type { Table } from "../../ports/storage.js";
import { lazySchema } from "../schemas.js";
import type { Consent, ConsentRequest, ParsedConsentRequest } from "./schema.js";

/** The criteria of a consent search (docs/reference/search.md). */
export interface ConsentCriteria {
  /** A text filter on the name: part of it, or with `*` at its ends. */
  readonly name?: string;
}

/** Operations on consents (docs/reference/forms.md#consents). */
export interface ConsentOperations
  extends SearchableOperations<"consent", "consents", Consent, ConsentRequest, ConsentCriteria> {}

export const consentsTable: Table = defineTable({
  name: "consents",
  tenancy: "global",
  since: 2,
  columns: { nameFolded: foldedName },
  uniqueKeys: [{ name: "name", columns: ["nameFolded"] }],
  indexes: [],
});

/** The families that the ids in a consent refer to, by path. */
export const consentReferences: Readonly<Record<string, string>> = {
  consentEmailTemplateId: "emailTemplates",
  "emailPlus.emailTemplateId": "emailTemplates",
};

/** The family of consents. */
export const consentFamily: RecordRow<"consents", Consent, ParsedConsentRequest, ConsentOperations> = {
  name: "consents",
  wrapper: "consent",
  plural: "consents",
  searchPath: "/api/consent/search",
  idParameter: "consentId",
  table: consentsTable,
  request: lazySchema("users", "consentRequest"),
  search: nameSearch,
  uniquePaths: { name: "consent.name" },
  keyedMaps: { countryMinimumAgeForSelfConsent: "name" },
  setPaths: new Set(["consent.values"]),
  operations: searchableOperations,
  // All tenants share consents: keys of a tenant can read but not search or change them
  // (docs/reference/api-keys.md#permissions, docs/reference/api-keys.md#global-endpoints).
  routes: [...defineRecordRoutes("/api/consent/:consentId", "shared"), ...defineSearchRoutes("/api/consent/search", "global")],
  tables: [consentsTable],
  auditName: "consent",
  configuration: {
    key: ["name"],
    references: consentReferences,
  },
};
