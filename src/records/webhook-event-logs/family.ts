import { eventTypes } from "../../availability/event-types.js";
import { defineRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { type BaseRecord, defineTable } from "../../operations/family/family.js";
import {
  customOperation,
  type IdInput,
  type SearchOperation,
  type SearchRow,
  standard,
} from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import type { WebhookAttemptLog, WebhookEventLog, WebhookEventResult } from "./schema.js";

/** The criteria of an event log search (docs/reference/events.md#event-log). */
export interface WebhookEventLogCriteria {
  /** The first instant, in epoch milliseconds. */
  readonly start?: number;
  /** The instant before which the events were recorded, in epoch milliseconds. */
  readonly end?: number;
  /** A text filter on the JSON of the event. */
  readonly event?: string;
  /** Only events with this result. */
  readonly eventResult?: WebhookEventResult;
  /** Only events of this type, such as `user.create`. */
  readonly eventType?: string;
}

type LogResponse = { readonly webhookEventLog: WebhookEventLog };

/** Operations on the event log (docs/reference/events.md#event-log). */
export interface WebhookEventLogOperations extends SearchOperation<"webhookEventLogs", WebhookEventLog, WebhookEventLogCriteria> {
  /** Returns a record; 404 for an unknown id. */
  readonly retrieve: OperationSignature<IdInput<"webhookEventLogId">, LogResponse>;
  /** Returns one attempt to deliver an event; 404 for an unknown one. */
  readonly retrieveAttempt: OperationSignature<IdInput<"webhookAttemptLogId">, { readonly webhookAttemptLog: WebhookAttemptLog }>;
  /** Resends an event to all its receivers; with `webhookId` to that webhook only, even if it was created later. */
  readonly resend: OperationSignature<IdInput<"webhookEventLogId"> & Partial<IdInput<"webhookId">>, LogResponse>;
  /** Resends all events of a search; a dry run only counts them. */
  readonly replay: OperationSignature<
    { readonly search: WebhookEventLogCriteria & { readonly start: number } },
    { readonly total: number }
  >;
}

/**
 * Events with the state of their delivery (docs/reference/events.md#event-log). An event is due until each receiver has it or
 * is given up; a lease keeps other processes from delivering it. `dueInstant` is null after the delivery. The text of the event
 * is stored once, in the hidden part; `eventFolded` is empty if a search can fold that text itself.
 */
export const webhookEventLogsTable: Table = defineTable({
  name: "webhookEventLogs",
  tenancy: "optional",
  outlivesTenant: true,
  since: 4,
  columns: {
    claimedUntil: { type: "integer" },
    dueInstant: { type: "integer", isNullable: true },
    eventFolded: { type: "text", isLong: true },
    eventResult: { type: "text" },
    eventType: { type: "text" },
    lastAttemptInstant: { type: "integer", isNullable: true },
    linkedObjectId: { type: "text", isNullable: true },
    sequence: { type: "integer" },
  },
  uniqueKeys: [],
  indexes: [{ columns: ["dueInstant"] }, { columns: ["insertInstant"] }, { columns: ["tenantId", "sequence"] }],
});

/** The attempts to deliver an event to one receiver (docs/reference/events.md#event-log). */
export const webhookAttemptLogsTable: Table = defineTable({
  name: "webhookAttemptLogs",
  tenancy: "optional",
  outlivesTenant: true,
  since: 4,
  columns: { webhookEventLogId: { type: "id", references: { table: "webhookEventLogs", onRemove: "cascade" } } },
  uniqueKeys: [],
  // The retention finds expired rows by instant.
  indexes: [{ columns: ["webhookEventLogId"] }, { columns: ["insertInstant"], since: 10 }],
});

/**
 * Filters and sortable fields (docs/reference/events.md#event-log, docs/reference/search.md). `event` searches the complete
 * text.
 */
export const webhookEventLogSearch: SearchDefinition = {
  filters: {
    start: { kind: "instant", column: "insertInstant", comparison: ">=" },
    end: { kind: "instant", column: "insertInstant", comparison: "<" },
    event: { kind: "text", column: "eventFolded", plainColumn: "hidden" },
    eventResult: { kind: "option", column: "eventResult", values: ["Running", "Succeeded", "Failed"] },
    eventType: { kind: "option", column: "eventType", values: eventTypes.map(({ name }) => name) },
  },
  sortable: {
    eventResult: { column: "eventResult" },
    eventType: { column: "eventType" },
    id: { column: "id" },
    insertInstant: { column: "insertInstant" },
    lastAttemptInstant: { column: "lastAttemptInstant" },
    linkedObjectId: { column: "linkedObjectId" },
    sequence: { column: "sequence" },
  },
  defaultOrder: "insertInstant DESC, id DESC",
};

const dayMs = 24 * 3_600_000;

/** The family of event logs, read-only over the API. */
export const webhookEventLogFamily: SearchRow<"webhookEventLogs", BaseRecord, unknown, WebhookEventLogOperations> = {
  name: "webhookEventLogs",
  wrapper: "webhookEventLog",
  plural: "webhookEventLogs",
  table: webhookEventLogsTable,
  search: webhookEventLogSearch,
  operations: {
    retrieve: customOperation("webhookEventLogId"),
    retrieveAttempt: customOperation("webhookAttemptLogId"),
    search: standard,
    resend: customOperation("webhookEventLogId", "webhookId"),
    replay: customOperation(),
  },
  routes: [
    ...defineSearchRoutes("/api/system/webhook-event-log/search", "tenant"),
    ...defineRoutes([
      ["POST", "/api/system/webhook-event-log/replay", "global", "replay"],
      ["POST", "/api/system/webhook-event-log/:webhookEventLogId/resend", "global", "resend"],
      ["GET", "/api/system/webhook-event-log/:webhookEventLogId", "tenant", "retrieve"],
      ["GET", "/api/system/webhook-attempt-log/:webhookAttemptLogId", "tenant", "retrieveAttempt"],
    ]),
  ],
  tables: [webhookEventLogsTable, webhookAttemptLogsTable],
  // Longer than the retries of any receiver.
  retention: [
    [webhookAttemptLogsTable, "insertInstant", 30 * dayMs],
    [webhookEventLogsTable, "insertInstant", 30 * dayMs],
  ],
};
