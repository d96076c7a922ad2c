import type { WriteCall } from "../operations/operation.js";
import type { Runtime } from "../ports/runtime.js";
import { globalScope, type RecordToStore, type Transaction } from "../ports/storage.js";
import { toCanonicalJson } from "../values/canonical-json.js";
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
export async function publishEvent(call: WriteCall, event: NewEvent): Promise<void> {
  await recordEvents(call.service.runtime, call.tx, [event, { ...event, type: `${event.type}.complete` }]);
}

/** Records an event that has no `.complete` twin. */
export async function publishSingleEvent(call: WriteCall, event: NewEvent): Promise<void> {
  await recordEvents(call.service.runtime, call.tx, [event]);
}

/** Writes events into the outbox, in the transaction of what caused them. */
export async function recordEvents(runtime: Runtime, tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  const records = events.map((event) => toOutboxRecord(runtime, event));
  await tx.insert(globalScope, eventsTable, records);
}

function toOutboxRecord(runtime: Runtime, { type, tenantId, linkedObjectId, fields }: NewEvent): RecordToStore {
  const id = runtime.newId();
  const createInstant = runtime.clock();
  return {
    id,
    tenantId: null,
    version: 1,
    insertInstant: createInstant,
    lastUpdateInstant: createInstant,
    json: toCanonicalJson({ event: { ...fields, id, createInstant, linkedObjectId, tenantId, type } }),
    hidden: null,
    columns: { type },
  };
}
