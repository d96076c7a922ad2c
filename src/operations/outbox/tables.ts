import type { Table } from "../../ports/storage.js";
import { defineTable } from "../family/family.js";

/**
 * The outbox: events that wait for delivery, or are leased to the process that delivers them. Each is written in the transaction
 * of its change, and also serves as its `.complete` twin (see `toEvents`).
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

/** Earlier states of the records that selected the receivers of waiting events (see `EarlierReceivers`). */
export const earlierReceiversTable: Table = defineTable({
  name: "earlierReceivers",
  tenancy: "global",
  since: 7,
  columns: { lastPosition: { type: "integer", isNullable: true } },
  uniqueKeys: [],
  indexes: [],
});

/** Poison records, with the reason: moved here so that they block no others. */
export const setAsideTable: Table = defineTable({
  name: "setAside",
  tenancy: "global",
  since: 7,
  columns: { tableName: { type: "text" } },
  uniqueKeys: [],
  indexes: [],
});

/** Mails to send, and the results of sent ones. */
export const mailsTable: Table = messagesTable("mails", 4);

/** Text messages to send, and the results of sent ones. */
export const textMessagesTable: Table = messagesTable("textMessages", 5);

/** Logout tokens to send, and the results of sent ones. */
export const logoutTokensTable: Table = messagesTable("logoutTokens", 13);

// The transaction that sends a message writes its record. The content is sealed, and removed once the message is delivered or
// given up; `dueInstant` is null from then on. `claimedUntil` is the end of a lease.
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
