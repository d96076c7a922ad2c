import type { Table } from "../ports/storage.js";
import { defineTable } from "../resources/define-table.js";

/**
 * Events that have receivers, and how far their delivery is (facts.md 3.6): each is due until all receivers have it or were given up, and
 * nobody else delivers it while it is claimed. `dueInstant` is null for what is over.
 */
export const webhookEventLogsTable: Table = defineTable({
  name: "webhookEventLogs",
  tenancy: "optional",
  since: 4,
  columns: {
    claimedUntil: { type: "integer" },
    dueInstant: { type: "integer", isNullable: true },
    eventResult: { type: "text" },
    eventType: { type: "text" },
    lastAttemptInstant: { type: "integer", isNullable: true },
    linkedObjectId: { type: "text", isNullable: true },
    sequence: { type: "integer" },
  },
  uniqueKeys: [],
  indexes: [{ columns: ["dueInstant"] }, { columns: ["insertInstant"] }, { columns: ["tenantId", "sequence"] }],
});

/** Each try to deliver an event to one receiver (facts.md 3.6). */
export const webhookAttemptLogsTable: Table = defineTable({
  name: "webhookAttemptLogs",
  tenancy: "optional",
  since: 4,
  columns: { webhookEventLogId: { type: "id", references: { table: "webhookEventLogs", onRemove: "cascade" } } },
  uniqueKeys: [],
  indexes: [{ columns: ["webhookEventLogId"] }],
});
