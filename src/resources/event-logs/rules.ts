import { generalError } from "../../errors/identity-error.js";
import { publishEvent } from "../../events/publish-event.js";
import type { BaseRecord } from "../../operations/family.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import type { SearchableFamily } from "../../operations/search.js";
import { globalScope, type Transaction } from "../../ports/storage.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import type { OperationResult } from "../../transport/write-response.js";
import { toCanonicalJson } from "../../values/canonical-json.js";
import { foldText } from "../../values/fold-text.js";
import type { EventLog } from "./schema.js";
import { eventLogNumbersTable, eventLogSearch, eventLogsTable } from "./table.js";

/** The family of entries of the event log, which nobody makes or changes over the API. */
export const eventLogs: SearchableFamily<BaseRecord, unknown> = {
  name: "eventLogs",
  wrapper: "eventLog",
  plural: "eventLogs",
  table: eventLogsTable,
  search: eventLogSearch,
};

const orderedCharacters = 191;
const numbersId = "00000000-0000-0000-0000-000000000000";

/** An entry that is to be written. */
export type NewEventLog = Pick<EventLog, "message" | "type">;

/** Writes an entry and causes the event `event-log.create`, which is not noted itself: it would go round in circles (facts.md 3.3). */
export async function writeEventLog(call: WriteCall, { message, type }: NewEventLog): Promise<EventLog> {
  const { clock, newId } = call.service.runtime;
  const insertInstant = clock();
  const eventLog: EventLog = { id: await nextNumber(call.tx, insertInstant), insertInstant, message: toStorable(message), type };
  const messageFolded = foldText(eventLog.message);
  const messageStart = messageFolded.slice(0, orderedCharacters).toWellFormed();
  const record = {
    id: newId(),
    tenantId: null,
    version: 1,
    insertInstant,
    lastUpdateInstant: insertInstant,
    json: toCanonicalJson(eventLog),
    hidden: null,
    columns: { number: eventLog.id, messageFolded, messageStart, type },
  };
  await call.tx.insert(globalScope, eventLogsTable, [record]);
  await publishEvent(call, { type: "event-log.create", fields: { eventLog } });
  return eventLog;
}

async function nextNumber(tx: Transaction, now: number): Promise<number> {
  const last = await tx.retrieve(globalScope, eventLogNumbersTable, numbersId);
  const number = (last?.version ?? 0) + 1;
  const instants = { insertInstant: now, lastUpdateInstant: now };
  const record = { id: numbersId, tenantId: null, version: number, ...instants, json: "{}", hidden: null, columns: {} };
  if (last === undefined) await tx.insert(globalScope, eventLogNumbersTable, [record]);
  else await tx.update(globalScope, eventLogNumbersTable, record);
  return number;
}

// What databases refuse in a text (see `isSafeText`) is shown as a character that is not known.
function toStorable(message: string): string {
  return message.replaceAll("\0", "\ufffd").toWellFormed();
}

/** The entry with the number that the call names. @throws IdentityError 404 for whatever is no number of one. */
export async function retrieveEventLog({ reader, params: { eventLogId = "" } }: OperationCall): Promise<OperationResult> {
  const isNumber = /^[1-9]\d{0,14}$/.test(eventLogId);
  const filter = equalsFilter("number", Number(eventLogId));
  const [found] = isNumber ? await reader.find(globalScope, eventLogsTable, filter, { limit: 1 }) : [];
  if (found === undefined) throw generalError("notFound");
  return { status: 200, json: `{"eventLog":${found.json}}` };
}
