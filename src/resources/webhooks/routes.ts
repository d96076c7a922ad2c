import { defineRecordRoutes, defineRoutes, type Route } from "../../http/route/define-route.js";
import {
  type AnyOperation,
  defineOperation,
  lazyOperation,
  type OperationSignature,
  type OperationsOf,
} from "../../operations/operation.js";
import { createOperation } from "../../operations/verbs/create.js";
import { listOperation } from "../../operations/verbs/list.js";
import { patchOperation } from "../../operations/verbs/patch.js";
import { removeOperation } from "../../operations/verbs/remove.js";
import { retrieveOperation } from "../../operations/verbs/retrieve.js";
import { searchOperation } from "../../operations/verbs/search.js";
import { updateOperation } from "../../operations/verbs/update.js";
import type { IdInput, PatchInput, SearchInput, SearchOutput } from "../../operations/wire-types.js";
import type { WebhookAttemptLog } from "../webhook-event-logs/schema.js";
import { webhooks } from "./rules.js";
import type { Webhook, WebhookRequest } from "./schema.js";

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

export const webhookOperations: OperationsOf<WebhookOperations> = {
  create: createOperation(webhooks),
  retrieve: retrieveOperation(webhooks),
  list: listOperation(webhooks),
  update: updateOperation(webhooks),
  patch: patchOperation(webhooks),
  remove: removeOperation(webhooks),
  search: searchOperation(webhooks),
  test: defineOperation(
    "webhooks.test",
    ["webhookId"],
    lazyOperation(() => import("../../delivery/webhooks/test-webhook.js"), "testWebhook"),
  ),
};

export const webhookRoutes: readonly Route<AnyOperation>[] = [
  ...defineRecordRoutes<AnyOperation>("/api/webhook/:webhookId", "global", webhookOperations),
  ...defineRoutes<AnyOperation>([["POST", "/api/webhook/:webhookId/test", "global", webhookOperations.test]]),
];
