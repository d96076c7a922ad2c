import type { Origin } from "../../delivery/events/recorded-event.js";
import { lambdaPathsIn } from "../../lambdas/types/lambda-paths.js";
import type { Table } from "../../ports/storage.js";
import { defineTable, foldedName } from "../define-table.js";

/** Members of a stored tenant that the wire does not show. */
export interface HiddenTenant {
  readonly isDefault?: boolean;
  /** What its tokens said in `iss` before: they are still good. */
  readonly formerIssuers?: readonly string[];
  readonly removal?: PendingRemoval;
}

/** The removal of a tenant that is under way: who asked for it, and which process erases the tenant until when. */
export interface PendingRemoval {
  readonly origin?: Origin;
  readonly owner?: string;
  /** Epoch milliseconds. */
  readonly until?: number;
}

/** A tenant's own tenant is itself, so that a scope of one tenant sees that tenant. */
export const tenantsTable: Table = defineTable({
  name: "tenants",
  tenancy: "tenant",
  since: 1,
  columns: { nameFolded: foldedName, state: { type: "text" } },
  uniqueKeys: [{ name: "name", columns: ["nameFolded"] }],
  indexes: [],
});

/** The tables that the ids inside of a tenant lead to, by their paths. */
export const tenantReferences: Readonly<Record<string, string>> = {
  "accessControlConfiguration.uiIPAccessControlListId": "accessLists",
  "formConfiguration.adminUserFormId": "forms",
  "jwtConfiguration.accessTokenKeyId": "keys",
  "jwtConfiguration.idTokenKeyId": "keys",
  ...Object.fromEntries(lambdaPathsIn("tenant").map((path) => [path, "lambdas"])),
};
