import { defineRoutes, type Route } from "../../http/route/define-route.js";
import { type AnyOperation, defineOperation, type OperationSignature, type OperationsOf } from "../../operations/operation.js";
import { searchOperation } from "../../operations/verbs/search.js";
import type { IdInput, SearchInput, SearchOutput } from "../../operations/wire-types.js";
import { replayEvents, resendEvent, retrieveAttemptLog, retrieveEventLog, webhookEventLogs } from "./rules.js";
import type { WebhookAttemptLog, WebhookEventLog, WebhookEventResult } from "./schema.js";

/** The criteria of a search in the logs of events (docs/reference/events.md#event-log). */
export interface WebhookEventLogCriteria {
  /** The first instant, in epoch milliseconds. */
  readonly start?: number;
  /** The instant before which they happened, in epoch milliseconds. */
  readonly end?: number;
  /** What the text of the event holds. */
  readonly event?: string;
  /** Only events with this result. */
  readonly eventResult?: WebhookEventResult;
  /** Only events of this type, such as `user.create`. */
  readonly eventType?: string;
}

type LogResponse = { readonly webhookEventLog: WebhookEventLog };

/** What can be done with the logs of events (docs/reference/events.md#event-log). */
export interface WebhookEventLogOperations {
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<IdInput<"webhookEventLogId">, LogResponse>;
  /** Returns one attempt to deliver an event; 404 for an unknown one. */
  readonly retrieveAttempt: OperationSignature<IdInput<"webhookAttemptLogId">, { readonly webhookAttemptLog: WebhookAttemptLog }>;
  /** Searches records; returns a page in the requested order, and the total. */
  readonly search: OperationSignature<SearchInput<WebhookEventLogCriteria>, SearchOutput<"webhookEventLogs", WebhookEventLog>>;
  /** Sends an event to all of its receivers once more; with `webhookId` to that webhook alone, even if it was made later. */
  readonly resend: OperationSignature<IdInput<"webhookEventLogId"> & Partial<IdInput<"webhookId">>, LogResponse>;
  /** Sends all events of a search once more; a dry run only counts them. */
  readonly replay: OperationSignature<
    { readonly search: WebhookEventLogCriteria & { readonly start: number } },
    { readonly total: number }
  >;
}

export const webhookEventLogOperations: OperationsOf<WebhookEventLogOperations> = {
  retrieve: defineOperation("webhookEventLogs.retrieve", ["webhookEventLogId"], retrieveEventLog),
  retrieveAttempt: defineOperation("webhookEventLogs.retrieveAttempt", ["webhookAttemptLogId"], retrieveAttemptLog),
  search: searchOperation(webhookEventLogs),
  resend: defineOperation("webhookEventLogs.resend", ["webhookEventLogId", "webhookId"], resendEvent),
  replay: defineOperation("webhookEventLogs.replay", [], replayEvents),
};

const { retrieve, retrieveAttempt, search, resend, replay } = webhookEventLogOperations;

export const webhookEventLogRoutes: readonly Route<AnyOperation>[] = defineRoutes<AnyOperation>([
  ["GET", "/api/system/webhook-event-log/search", "tenant", search],
  ["POST", "/api/system/webhook-event-log/search", "tenant", search],
  ["POST", "/api/system/webhook-event-log/replay", "global", replay],
  ["POST", "/api/system/webhook-event-log/:webhookEventLogId/resend", "global", resend],
  ["GET", "/api/system/webhook-event-log/:webhookEventLogId", "tenant", retrieve],
  ["GET", "/api/system/webhook-attempt-log/:webhookAttemptLogId", "tenant", retrieveAttempt],
]);
