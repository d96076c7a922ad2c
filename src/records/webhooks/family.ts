import { defineRecordRoutes, defineRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { defineTable } from "../../operations/family/family.js";
import {
  customOperation,
  type IdInput,
  type RecordRow,
  type SearchableOperations,
  searchableOperations,
} from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Filter, Table } from "../../ports/storage.js";
import { equalsFilter, maxSortLength, type SearchDefinition } from "../../search/parse-criteria.js";
import { sealedField } from "../../security/seal.js";
import { lazySchema } from "../schemas.js";
import type { WebhookAttemptLog } from "../webhook-event-logs/schema.js";
import type { ParsedWebhookRequest, Webhook, WebhookRequest } from "./schema.js";

/** The criteria of a webhook search (docs/reference/webhooks.md#fields). */
export interface WebhookCriteria {
  /** A text filter on the description. */
  readonly description?: string;
  /** Webhooks that list this tenant, and global ones. */
  readonly tenantId?: string;
  /** A text filter on the URL. */
  readonly url?: string;
}

/** The result of a test event, in the format of attempt logs. */
export interface WebhookTestResponse {
  /** The attempt; the event log does not record it. */
  readonly webhookAttemptLog: Omit<WebhookAttemptLog, "id" | "webhookEventLogId">;
}

/** Operations on webhooks (docs/reference/webhooks.md#fields). */
export interface WebhookOperations extends SearchableOperations<"webhook", "webhooks", Webhook, WebhookRequest, WebhookCriteria> {
  /**
   * Sends the event `test`, regardless of the webhook's subscriptions, and returns the result. The event log does not record
   * it.
   */
  readonly test: OperationSignature<IdInput<"webhookId"> & { readonly message?: string }, WebhookTestResponse>;
}

export const webhooksTable: Table = defineTable({
  name: "webhooks",
  tenancy: "global",
  since: 2,
  columns: {
    urlFolded: { type: "text", isLong: true },
    descriptionFolded: { type: "text", isLong: true, isNullable: true },
    global: { type: "boolean" },
  },
  uniqueKeys: [],
  indexes: [],
});

/** The tenants of each webhook. Each row belongs to its tenant, and is deleted with it. */
export const webhookTenantsTable: Table = defineTable({
  name: "webhookTenants",
  tenancy: "tenant",
  since: 2,
  columns: { webhookId: { type: "id", references: { table: "webhooks", onRemove: "cascade" } } },
  uniqueKeys: [{ name: "tenant", columns: ["webhookId", "tenantId"] }],
  indexes: [{ columns: ["tenantId"] }],
});

/** The applications of each webhook until 1.37.0. No enforced reference: applications may be the host's own. */
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

// A filter for the webhooks that receive a tenant's events: those that list it, and the global ones.
function appliesTo(tenantId: string): Filter {
  const filter = equalsFilter("tenantId", tenantId);
  const namesTenant = { op: "exists", table: "webhookTenants", localColumn: "id", foreignColumn: "webhookId", filter } as const;
  return { op: "or", filters: [equalsFilter("global", true), namesTenant] };
}

export const webhookSearch: SearchDefinition = {
  filters: {
    description: { kind: "text", column: "descriptionFolded" },
    url: { kind: "text", column: "urlFolded" },
    tenantId: { kind: "anyId", toFilter: appliesTo },
  },
  sortable: {
    id: { column: "id" },
    insertInstant: { column: "insertInstant" },
    description: { column: "descriptionFolded", maxLength: maxSortLength },
    url: { column: "urlFolded", maxLength: maxSortLength },
  },
  // The reference documents it as the default order, but webhooks have no name.
  unsorted: ["name"],
  defaultOrder: "insertInstant DESC, id DESC",
};

/** The family of webhooks. */
export const webhookFamily: RecordRow<"webhooks", Webhook, ParsedWebhookRequest, WebhookOperations> = {
  name: "webhooks",
  wrapper: "webhook",
  plural: "webhooks",
  searchPath: "/api/webhook/search",
  idParameter: "webhookId",
  table: webhooksTable,
  request: lazySchema("messages", "webhookRequest"),
  search: webhookSearch,
  uniquePaths: {},
  keyedMaps: { headers: "name" },
  setPaths: new Set(["webhook.tenantIds", "webhook.applicationIds", "webhook.excludeActors"]),
  // Headers may contain credentials too.
  sealedPaths: ["headers", "httpAuthenticationPassword"],
  operations: { ...searchableOperations, test: customOperation("webhookId") },
  routes: [
    ...defineRecordRoutes("/api/webhook/:webhookId", "global"),
    ...defineSearchRoutes("/api/webhook/search", "global"),
    ...defineRoutes([["POST", "/api/webhook/:webhookId/test", "global", "test"]]),
  ],
  sealedPart: sealedField,
  tables: [webhooksTable, webhookTenantsTable, webhookApplicationsTable],
  auditName: "webhook",
  configuration: {
    key: ["url"],
    references: {
      "tenantIds[]": "tenants",
      "applicationIds[]": "applications",
      "signatureConfiguration.signingKeyId": "keys",
      sslCertificateKeyId: "keys",
    },
    sets: ["tenantIds", "applicationIds"],
    secrets: ["headers", "httpAuthenticationPassword"],
  },
};
