import type { Table } from "../../ports/storage.js";
import { defineTable } from "../../resources/define-table.js";

/**
 * The outbox: events that wait for delivery, or are leased by the process that delivers them. A record is written in the transaction of
 * the change that caused it, and stands for the event's `.complete` twin too (see `toEvents`).
 */
export const eventsTable: Table = defineTable({
  name: "events",
  tenancy: "global",
  since: 1,
  columns: { leasedUntil: { type: "integer", isNullable: true, since: 6 }, type: { type: "text" } },
  uniqueKeys: [],
  indexes: [],
  isLog: true,
});

/** What decided about the receivers of waiting events before it changed (see `EarlierReceivers`). */
export const earlierReceiversTable: Table = defineTable({
  name: "earlierReceivers",
  tenancy: "global",
  since: 7,
  columns: { lastPosition: { type: "integer", isNullable: true } },
  uniqueKeys: [],
  indexes: [],
});

/** Records that could not be gone on with, and what was wrong: moved here so that they stand in the way of no other. */
export const setAsideTable: Table = defineTable({
  name: "setAside",
  tenancy: "global",
  since: 7,
  columns: { tableName: { type: "text" } },
  uniqueKeys: [],
  indexes: [],
});
