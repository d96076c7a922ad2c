import { defineRecordRoutes, defineRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { defineTable } from "../../operations/family/family.js";
import {
  customOperation,
  type IdInput,
  type PatchInput,
  type RecordRow,
  type SearchInput,
  type SearchOutput,
  searchableOperations,
} from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Filter, Table } from "../../ports/storage.js";
import { equalsFilter, type SearchDefinition } from "../../search/parse-criteria.js";
import { sealedField } from "../../security/seal.js";
import { lazySchema } from "../schemas.js";
import type { WebhookAttemptLog } from "../webhook-event-logs/schema.js";
import type { ParsedWebhookRequest, Webhook, WebhookRequest } from "./schema.js";

/** The criteria of a webhook search (docs/reference/webhooks.md#fields). `tenantId` finds the webhooks of a tenant and the global ones. */
export interface WebhookCriteria {
  /** A text filter on the description. */
  readonly description?: string;
  /** Webhooks that list this tenant, and global ones. */
  readonly tenantId?: string;
  /** A text filter on the address. */
  readonly url?: string;
}

/** What became of a test event: its attempt as the logs of events show attempts. */
export interface WebhookTestResponse {
  /** What happened; the log of events does not record it. */
  readonly webhookAttemptLog: Omit<WebhookAttemptLog, "id" | "webhookEventLogId">;
}

/** What can be done with webhooks (docs/reference/webhooks.md#fields). */
export interface WebhookOperations {
  /** Creates a record; returns it with its id and instants. */
  readonly create: OperationSignature<WebhookRequest & Partial<IdInput<"webhookId">>, { readonly webhook: Webhook }>;
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<IdInput<"webhookId">, { readonly webhook: Webhook }>;
  /** Returns all records in the caller's scope. */
  readonly list: OperationSignature<Record<never, never>, { readonly webhooks: readonly Webhook[] }>;
  /** Replaces a record; members that the request leaves out return to their defaults. */
  readonly update: OperationSignature<WebhookRequest & IdInput<"webhookId">, { readonly webhook: Webhook }>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"webhookId">, { readonly webhook: Webhook }>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<IdInput<"webhookId">, undefined>;
  /** Searches records; returns a page in the requested order, and the total. */
  readonly search: OperationSignature<SearchInput<WebhookCriteria>, SearchOutput<"webhooks", Webhook>>;
  /** Sends the event `test`, regardless of the webhook's subscriptions, and returns the result. It is not logged. */
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

/** The family of webhooks (docs/reference/webhooks.md#fields). */
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
  // Headers may hold credentials as well.
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
