import type { WriteCall } from "../operations/operation.js";
import type { Runtime } from "../ports/runtime.js";
import { globalScope, type StoredRecord, type Transaction } from "../ports/storage.js";
import { toCanonicalJson } from "../values/canonical-json.js";
import { eventTypes } from "./event-types.js";
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

/** An event as it leaves: the envelope and the members of its kind. */
export interface RecordedEvent {
  readonly id: string;
  readonly type: string;
  readonly createInstant: number;
  readonly tenantId?: string;
  readonly linkedObjectId?: string;
  readonly [member: string]: unknown;
}

const completeSuffix = ".complete";

/** The types of events that have a `.complete` twin. */
const paired: ReadonlySet<string> = new Set(
  eventTypes.flatMap(({ name }) => (name.endsWith(completeSuffix) ? [name.slice(0, -completeSuffix.length)] : [])),
);

/**
 * Records an event in the outbox, in the transaction of the change: both or neither are kept. One record stands for a `.complete`
 * twin too. Each event has an id of its own, which receivers may rely on to drop repetitions.
 */
export function publishEvent(call: WriteCall, event: NewEvent): Promise<void> {
  call.tx.afterCommit(call.service.wakeDeliverer);
  return recordEvent(call.service.runtime, call.tx, event);
}

/** Writes an event into the outbox, in the transaction of what caused it. */
export async function recordEvent(runtime: Runtime, tx: Transaction, event: NewEvent): Promise<void> {
  const { type, tenantId, linkedObjectId, fields } = event;
  const id = runtime.newId();
  const createInstant = runtime.clock();
  const record = {
    id,
    tenantId: null,
    version: 1,
    insertInstant: createInstant,
    lastUpdateInstant: createInstant,
    json: toCanonicalJson({ event: { ...fields, createInstant, id, linkedObjectId, tenantId, type } }),
    hidden: null,
    columns: { type },
  };
  await tx.insert(globalScope, eventsTable, [record]);
}

/** The events that a record of the outbox stands for: one, or an event and its twin, which says the same of the change. */
export function toEvents(record: StoredRecord): readonly RecordedEvent[] {
  const { event } = JSON.parse(record.json) as { readonly event: RecordedEvent };
  if (!paired.has(event.type)) return [event];
  return [event, { ...event, id: twinIdOf(event.id), type: event.type + completeSuffix }];
}

// The same id but for its version, which tells the two apart and nothing else.
function twinIdOf(id: string): string {
  return id.slice(0, 14) + (id[14] === "8" ? "7" : "8") + id.slice(15);
}
