import type { Table } from "../ports/storage.js";
import { defineTable } from "../resources/define-table.js";

/**
 * Mails that wait to leave, and what became of others. A record is written in the transaction of the call that sends the mail; what it
 * says is sealed, and forgotten once it is over. `dueInstant` is null for what is over; nobody else sends a mail while it is claimed.
 */
export const mailsTable: Table = defineTable({
  name: "mails",
  tenancy: "tenant",
  since: 4,
  columns: {
    claimedUntil: { type: "integer" },
    dueInstant: { type: "integer", isNullable: true },
  },
  uniqueKeys: [],
  indexes: [{ columns: ["dueInstant"] }, { columns: ["lastUpdateInstant"] }],
});
