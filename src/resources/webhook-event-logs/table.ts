import { eventTypes } from "../../delivery/events/event-types.js";
import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import { defineTable } from "../define-table.js";

/**
 * Events that were delivered or tried, and how far their delivery is (docs/reference/events.md#event-log): each is due until all receivers have it or were given
 * up, and no other process delivers it while it is leased. `dueInstant` is null for what is over. The event's text is stored once, as the hidden
 * member; `eventFolded` is empty where folding that is easily done at any time.
 */
export const webhookEventLogsTable: Table = defineTable({
  name: "webhookEventLogs",
  tenancy: "optional",
  outlivesTenant: true,
  since: 4,
  columns: {
    claimedUntil: { type: "integer" },
    dueInstant: { type: "integer", isNullable: true },
    eventFolded: { type: "text" },
    eventResult: { type: "text" },
    eventType: { type: "text" },
    lastAttemptInstant: { type: "integer", isNullable: true },
    linkedObjectId: { type: "text", isNullable: true },
    sequence: { type: "integer" },
  },
  uniqueKeys: [],
  indexes: [{ columns: ["dueInstant"] }, { columns: ["insertInstant"] }, { columns: ["tenantId", "sequence"] }],
});

/** Each try to deliver an event to one receiver (docs/reference/events.md#event-log). */
export const webhookAttemptLogsTable: Table = defineTable({
  name: "webhookAttemptLogs",
  tenancy: "optional",
  outlivesTenant: true,
  since: 4,
  columns: { webhookEventLogId: { type: "id", references: { table: "webhookEventLogs", onRemove: "cascade" } } },
  uniqueKeys: [],
  indexes: [{ columns: ["webhookEventLogId"] }],
});

/** What can be searched and sorted (docs/reference/events.md#event-log, docs/reference/search.md). `event` is looked for in the event's whole text. */
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
