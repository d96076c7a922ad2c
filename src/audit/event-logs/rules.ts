import type { OperationResult } from "../../http/transport/write-response.js";
import type { BaseRecord, SearchableFamily } from "../../operations/family/family.js";
import type { FamilyRulesModule } from "../../operations/family/family-row.js";
import { findEntry, insertEntry, nextNumber } from "../../operations/numbered-log.js";
import type { OperationCall } from "../../operations/operation.js";
import { type EventCause, publishEvent } from "../../operations/outbox/publish-event.js";
import { globalScope } from "../../ports/storage.js";
import { eventLogFamily, eventLogNumbersTable, eventLogsTable } from "../../records/event-logs/family.js";
import type { EventLog } from "../../records/event-logs/schema.js";

/** The family of event log entries, which are read-only in the API. */
export const eventLogs: SearchableFamily<BaseRecord, unknown> = eventLogFamily;

/** An entry to write. */
export type NewEventLog = Pick<EventLog, "message" | "type">;

/**
 * Writes an entry and publishes the event `event-log.create`. Failures of that event are not logged, to avoid a loop
 * (docs/reference/webhooks.md#transactional-events).
 */
export async function writeEventLog(cause: EventCause, { message, type }: NewEventLog): Promise<EventLog> {
  const insertInstant = cause.service.runtime.clock();
  const id = await nextNumber(cause.tx, eventLogNumbersTable, insertInstant);
  const eventLog: EventLog = { id, insertInstant, message: toStorable(message), type };
  await insertEntry(cause, eventLogsTable, eventLog, { type });
  await publishEvent(cause, { type: "event-log.create", fields: { eventLog } });
  return eventLog;
}

// Replaces characters that databases refuse (see `isSafeText`) by U+FFFD.
function toStorable(message: string): string {
  return message.replaceAll("\0", "\ufffd").toWellFormed();
}

/** Returns the entry with the number in the call. @throws IdentityError 404 unless it is the number of an entry. */
async function retrieveEventLog(call: OperationCall): Promise<OperationResult> {
  const { json } = await findEntry(call, globalScope, eventLogsTable, call.params.eventLogId);
  return { status: 200, json: `{"eventLog":${json}}` };
}

/** The family's own operations. */
export const operations: FamilyRulesModule["operations"] = { retrieve: retrieveEventLog };
