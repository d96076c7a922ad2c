import type { WriteCall } from "../operations/operation.js";
import type { Runtime } from "../ports/runtime.js";
import { globalScope, type RecordToStore, type Transaction } from "../ports/storage.js";
import { joinTexts, toCanonicalJson } from "../values/canonical-json.js";
import { eventsTable } from "./table.js";

/** An event about to be recorded: its type, whose it is, and the members that its kind has beside the envelope (facts.md 3.1). */
export interface NewEvent {
  readonly type: string;
  /** Absent on events of the whole instance. */
  readonly tenantId?: string;
  /** The id of the record that the event is about. */
  readonly linkedObjectId?: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Records an event and its `.complete` twin in the outbox, in the transaction of the change: both or neither are kept.
 * The envelope gets a fresh id, which receivers may rely on to drop repetitions.
 */
export function publishEvent(call: WriteCall, event: NewEvent): Promise<void> {
  return recordEvent(call.service.runtime, call.tx, event, [event.type, `${event.type}.complete`]);
}

/** Records an event that has no `.complete` twin. */
export function publishSingleEvent(call: WriteCall, event: NewEvent): Promise<void> {
  return recordEvent(call.service.runtime, call.tx, event, [event.type]);
}

/** Writes an event under one or more types into the outbox, in the transaction of what caused it. */
export async function recordEvent(runtime: Runtime, tx: Transaction, event: NewEvent, types: readonly string[]): Promise<void> {
  // Twins say the same of the change, so its text is made once.
  const fields = Object.entries(event.fields).map(([name, value]) => [
    name,
    value === undefined ? undefined : toCanonicalJson(value),
  ]);
  const texts: Record<string, string | undefined> = Object.fromEntries(fields);
  const records = types.map((type) => toOutboxRecord(runtime, event, type, texts));
  await tx.insert(globalScope, eventsTable, records);
}

function toOutboxRecord(
  runtime: Runtime,
  { tenantId, linkedObjectId }: NewEvent,
  type: string,
  texts: Readonly<Record<string, string | undefined>>,
): RecordToStore {
  const id = runtime.newId();
  const createInstant = runtime.clock();
  const envelope = { id, createInstant, linkedObjectId, tenantId, type };
  const envelopeTexts = Object.entries(envelope).map(([name, value]) => [
    name,
    value === undefined ? undefined : JSON.stringify(value),
  ]);
  return {
    id,
    tenantId: null,
    version: 1,
    insertInstant: createInstant,
    lastUpdateInstant: createInstant,
    json: `{"event":${joinTexts({ ...texts, ...Object.fromEntries(envelopeTexts) })}}`,
    hidden: null,
    columns: { type },
  };
}
