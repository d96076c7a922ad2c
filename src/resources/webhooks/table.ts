import type { Filter, Table } from "../../ports/storage.js";
import { equalsFilter, type SearchDefinition } from "../../search/parse-criteria.js";
import { defineTable } from "../define-table.js";

export const webhooksTable: Table = defineTable({
  name: "webhooks",
  tenancy: "global",
  since: 2,
  columns: {
    urlFolded: { type: "text" },
    descriptionFolded: { type: "text", isNullable: true },
    global: { type: "boolean" },
  },
  uniqueKeys: [],
  indexes: [],
});

/** Which tenants a webhook applies to: each row is in the tenant that it names, and so goes with it. */
export const webhookTenantsTable: Table = defineTable({
  name: "webhookTenants",
  tenancy: "tenant",
  since: 2,
  columns: { webhookId: { type: "id", references: { table: "webhooks", onRemove: "cascade" } } },
  uniqueKeys: [{ name: "tenant", columns: ["webhookId", "tenantId"] }],
  indexes: [{ columns: ["tenantId"] }],
});

/** Which applications a webhook applies to until 1.37.0. The applications may be a host's own. */
export const webhookApplicationsTable: Table = defineTable({
  name: "webhookApplications",
  tenancy: "tenant",
  since: 2,
  columns: {
    webhookId: { type: "id", references: { table: "webhooks", onRemove: "cascade" } },
    applicationId: { type: "id", references: { table: "applications", onRemove: "cascade", isEnforced: false } },
  },
  uniqueKeys: [{ name: "application", columns: ["webhookId", "applicationId"] }],
  indexes: [{ columns: ["applicationId"] }],
});

// The webhooks that a tenant's events go to: those that name it, and the global ones.
function appliesTo(tenantId: string): Filter {
  const filter = equalsFilter("tenantId", tenantId);
  const namesTenant = { op: "exists", table: "webhookTenants", localColumn: "id", foreignColumn: "webhookId", filter } as const;
  return { op: "or", filters: [equalsFilter("global", true), namesTenant] };
}

/** What can be searched and sorted (docs/reference/webhooks.md#fields). */
export const webhookSearch: SearchDefinition = {
  filters: {
    description: { kind: "text", column: "descriptionFolded" },
    url: { kind: "text", column: "urlFolded" },
    tenantId: { kind: "anyId", toFilter: appliesTo },
  },
  sortable: {
    id: { column: "id" },
    insertInstant: { column: "insertInstant" },
    description: { column: "descriptionFolded" },
    url: { column: "urlFolded" },
  },
  // The reference names it as the order that a search has by default; webhooks have no name.
  unsorted: ["name"],
  defaultOrder: "insertInstant DESC, id DESC",
};
