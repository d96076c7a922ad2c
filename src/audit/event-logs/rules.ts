import type { OperationResult } from "../../http/transport/write-response.js";
import type { BaseRecord, SearchableFamily } from "../../operations/family/family.js";
import type { FamilyRulesModule } from "../../operations/family/family-row.js";
import { findEntry, insertEntry, nextNumber } from "../../operations/numbered-log.js";
import type { OperationCall } from "../../operations/operation.js";
import { type EventCause, publishEvent } from "../../operations/outbox/publish-event.js";
import { globalScope } from "../../ports/storage.js";
import { eventLogFamily, eventLogNumbersTable, eventLogsTable } from "../../records/event-logs/family.js";
import type { EventLog } from "../../records/event-logs/schema.js";

/** The family of entries of the event log, which nobody makes or changes over the API. */
export const eventLogs: SearchableFamily<BaseRecord, unknown> = eventLogFamily;

/** An entry that is to be written. */
export type NewEventLog = Pick<EventLog, "message" | "type">;

/** Writes an entry and causes the event `event-log.create`, which is not noted itself: it would go round in circles (docs/reference/webhooks.md#transactional-events). */
export async function writeEventLog(cause: EventCause, { message, type }: NewEventLog): Promise<EventLog> {
  const insertInstant = cause.service.runtime.clock();
  const id = await nextNumber(cause.tx, eventLogNumbersTable, insertInstant);
  const eventLog: EventLog = { id, insertInstant, message: toStorable(message), type };
  await insertEntry(cause, eventLogsTable, eventLog, { type });
  await publishEvent(cause, { type: "event-log.create", fields: { eventLog } });
  return eventLog;
}

// What databases refuse in a text (see `isSafeText`) is shown as a character that is not known.
function toStorable(message: string): string {
  return message.replaceAll("\0", "\ufffd").toWellFormed();
}

/** The entry with the number that the call names. @throws IdentityError 404 for a text that is no number of an entry. */
async function retrieveEventLog(call: OperationCall): Promise<OperationResult> {
  const { json } = await findEntry(call, globalScope, eventLogsTable, call.params.eventLogId);
  return { status: 200, json: `{"eventLog":${json}}` };
}

/** The operations of its own. */
export const operations: FamilyRulesModule["operations"] = { retrieve: retrieveEventLog };
