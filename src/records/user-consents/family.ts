import { defineRecordRoutes } from "../../http/route/define-route.js";
import { defineTable } from "../../operations/family/family.js";
import {
  customOperation,
  type IdInput,
  type RecordOperations,
  type RecordRow,
  recordOperations,
} from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import { lazySchema } from "../schemas.js";
import type { ParsedUserConsentRequest, UserConsent, UserConsentRequest, UserConsentUpdate } from "./schema.js";

/** Operations on users' consents (docs/reference/forms.md#consents). */
export interface UserConsentOperations
  extends Omit<RecordOperations<"userConsent", "userConsents", UserConsent, UserConsentRequest>, "update"> {
  /** Returns all records in the caller's scope. */
  readonly list: OperationSignature<IdInput<"userId">, { readonly userConsents: readonly UserConsent[] }>;
  /** Replaces a record; missing members return to their defaults. */
  readonly update: OperationSignature<UserConsentUpdate & IdInput<"userConsentId">, { readonly userConsent: UserConsent }>;
  /** Revokes a consent; the record stays. */
  readonly remove: OperationSignature<IdInput<"userConsentId">, undefined>;
}

/** No enforced reference: users may be the host's own. */
export const userConsentsTable: Table = defineTable({
  name: "userConsents",
  tenancy: "tenant",
  since: 2,
  columns: {
    consentId: { type: "id", references: { table: "consents", onRemove: "cascade" } },
    userId: { type: "id", references: { table: "users", onRemove: "cascade", isEnforced: false } },
  },
  uniqueKeys: [],
  indexes: [{ columns: ["consentId"] }, { columns: ["userId"] }],
});

/** No filters: callers list consents by user, oldest first. */
export const userConsentSearch: SearchDefinition = {
  filters: {},
  sortable: { insertInstant: { column: "insertInstant" } },
  defaultOrder: "insertInstant ASC",
};

/** The family of users' consents. */
export const userConsentFamily: RecordRow<"userConsents", UserConsent, ParsedUserConsentRequest, UserConsentOperations> = {
  name: "userConsents",
  wrapper: "userConsent",
  plural: "userConsents",
  idParameter: "userConsentId",
  table: userConsentsTable,
  request: lazySchema("users", "userConsentRequest"),
  search: userConsentSearch,
  uniquePaths: {},
  setPaths: new Set(["userConsent.values"]),
  operations: { ...recordOperations, list: { parameters: ["userId"] }, remove: customOperation("userConsentId") },
  routes: defineRecordRoutes("/api/user/consent/:userConsentId", "tenant"),
  tables: [userConsentsTable],
  auditName: "user consent",
};
