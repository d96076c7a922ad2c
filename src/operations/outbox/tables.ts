import type { Table } from "../../ports/storage.js";
import { defineTable } from "../family/family.js";

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

/** Records that make transactions fail, with the reason: moved here so that they stop no other. */
export const setAsideTable: Table = defineTable({
  name: "setAside",
  tenancy: "global",
  since: 7,
  columns: { tableName: { type: "text" } },
  uniqueKeys: [],
  indexes: [],
});

/** Mails that wait to be sent, and the results of others. */
export const mailsTable: Table = messagesTable("mails", 4);

/** Text messages that wait to be sent, and the results of others. */
export const textMessagesTable: Table = messagesTable("textMessages", 5);

/** Logout tokens that wait to be sent, and the results of others. */
export const logoutTokensTable: Table = messagesTable("logoutTokens", 13);

// A record is written in the transaction of what sends the message; its content is sealed, and removed once the message is delivered or
// given up. `dueInstant` is null from then on; no other process sends what is leased until `claimedUntil`.
function messagesTable(name: string, since: number): Table {
  return defineTable({
    name,
    tenancy: "tenant",
    since,
    columns: { claimedUntil: { type: "integer" }, dueInstant: { type: "integer", isNullable: true } },
    uniqueKeys: [],
    indexes: [{ columns: ["dueInstant"] }, { columns: ["lastUpdateInstant"] }],
  });
}
