import { defineRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { type BaseRecord, defineTable } from "../../operations/family/family.js";
import { customOperation, type SearchOperation, type SearchRow, standard } from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import { type EventLog, type EventLogType, eventLogTypes } from "./schema.js";

/** The criteria of a search in the event log. */
export interface EventLogCriteria {
  /** The first instant, in epoch milliseconds. */
  readonly start?: number;
  /** The instant before which entries were written, in epoch milliseconds. */
  readonly end?: number;
  /** A text filter on the message. */
  readonly message?: string;
  /** Only entries of this type. Default: all types. */
  readonly type?: EventLogType;
}

/** Operations on the event log (docs/reference/system.md). */
export interface EventLogOperations extends SearchOperation<"eventLogs", EventLog, EventLogCriteria> {
  /** Returns a record; 404 for an unknown id. */
  readonly retrieve: OperationSignature<{ readonly eventLogId: number }, { readonly eventLog: EventLog }>;
}

/** The event log. The id of an entry on the wire is its number. */
export const eventLogsTable: Table = defineTable({
  name: "eventLogs",
  tenancy: "global",
  since: 4,
  columns: {
    number: { type: "integer" },
    messageFolded: { type: "text", isLong: true },
    /** The sort key of messages: a prefix, so that a page token does not contain a whole message. */
    messageStart: { type: "text" },
    type: { type: "text" },
  },
  uniqueKeys: [{ name: "number", columns: ["number"] }],
  indexes: [{ columns: ["insertInstant", "number"] }],
});

/** The last assigned number: the version of the only record, so that numbers continue after entries are deleted. */
export const eventLogNumbersTable: Table = defineTable({
  name: "eventLogNumbers",
  tenancy: "global",
  since: 4,
  columns: {},
  uniqueKeys: [],
  indexes: [],
});

/** Filters and sortable fields (docs/reference/system.md, docs/reference/search.md). */
export const eventLogSearch: SearchDefinition = {
  filters: {
    start: { kind: "instant", column: "insertInstant", comparison: ">=" },
    end: { kind: "instant", column: "insertInstant", comparison: "<" },
    message: { kind: "text", column: "messageFolded" },
    type: { kind: "option", column: "type", values: eventLogTypes },
  },
  sortable: {
    id: { column: "number" },
    insertInstant: { column: "insertInstant" },
    message: { column: "messageStart" },
    type: { column: "type" },
  },
  defaultOrder: "insertInstant DESC, id DESC",
};

const dayMs = 24 * 3_600_000;

/** The family of entries of the event log, read-only over the API. */
export const eventLogFamily: SearchRow<"eventLogs", BaseRecord, unknown, EventLogOperations> = {
  name: "eventLogs",
  wrapper: "eventLog",
  plural: "eventLogs",
  table: eventLogsTable,
  search: eventLogSearch,
  operations: { retrieve: customOperation("eventLogId"), search: standard },
  routes: [
    ...defineSearchRoutes("/api/system/event-log/search", "global"),
    ...defineRoutes([["GET", "/api/system/event-log/:eventLogId", "global", "retrieve"]]),
  ],
  tables: [eventLogsTable, eventLogNumbersTable],
  retention: [[eventLogsTable, "insertInstant", 30 * dayMs]],
};
