import type { Table } from "../../ports/storage.js";

/**
 * A table in which messages of one kind wait, and say what became of them. A record is written in the transaction of what sends the
 * message; what it says is sealed, and forgotten once it is over. `dueInstant` is null for what is over; nobody else sends what is claimed.
 */
export function outboxTable(name: string, since: number): Table {
  return {
    name,
    tenancy: "tenant",
    since,
    columns: { claimedUntil: { type: "integer" }, dueInstant: { type: "integer", isNullable: true } },
    uniqueKeys: [],
    indexes: [{ columns: ["dueInstant"] }, { columns: ["lastUpdateInstant"] }],
  };
}
