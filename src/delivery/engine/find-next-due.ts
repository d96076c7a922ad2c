import type { ServiceContext } from "../../operations/service-context.js";
import { type Filter, globalScope, type StoredRecord, type Table } from "../../ports/storage.js";
import { webhookEventLogsTable } from "../../resources/webhook-event-logs/table.js";
import { mailsTable } from "../mail/table.js";
import { dueInstantOf } from "../outbox/outbox.js";
import { textMessagesTable } from "../sms/table.js";
import { nextInstant } from "./delivery.js";
import { readClaim } from "./leased-event.js";

/** What is tried again, and when a record of it is due. */
const kinds: readonly (readonly [table: Table, dueOf: (stored: StoredRecord) => number | null])[] = [
  [webhookEventLogsTable, (stored) => nextInstant(readClaim(stored).state)],
  [mailsTable, dueInstantOf],
  [textMessagesTable, dueInstantOf],
];

/** When the next of all that waits for a later attempt is due, in epoch milliseconds; undefined when nothing waits. */
export async function findNextDue({ runtime, storage }: ServiceContext): Promise<number | undefined> {
  const later: Filter = { op: "compare", column: "dueInstant", comparison: ">", value: runtime.clock() };
  const sort = [{ column: "dueInstant", direction: "asc" } as const];
  const found = kinds.map(async ([table, dueOf]) =>
    (await storage.find(globalScope, table, later, { sort, limit: 1 })).flatMap((stored) => {
      try {
        return dueOf(stored) ?? [];
      } catch {
        // What makes no sense is set aside when it is due.
        return [];
      }
    }),
  );
  const instants = (await Promise.all(found)).flat();
  return instants.length === 0 ? undefined : Math.min(...instants);
}
