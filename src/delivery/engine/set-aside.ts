import { writeEventLog } from "../../audit/event-logs/rules.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import type { EventCause } from "../../operations/outbox/publish-event.js";
import { eventsTable, setAsideTable } from "../../operations/outbox/tables.js";
import type { ServiceContext } from "../../operations/service-context.js";
import {
  type Filter,
  globalScope,
  type RecordToStore,
  StorageUnavailable,
  type StoredRecord,
  type Table,
  type Transaction,
} from "../../ports/storage.js";
import { webhookAttemptLogsTable, webhookEventLogsTable } from "../../records/webhook-event-logs/family.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { inChunks } from "../../shared/in-steps.js";
import type { OutboxLease } from "./delivery-state.js";

/** A poison record: every transaction that processes it fails. */
export interface PoisonRecord {
  readonly table: Table;
  readonly record: Pick<StoredRecord, "hidden" | "id" | "json">;
  readonly error: unknown;
}

/** The receivers of events could not be read: no fault of the events. */
export class ReceiversUnknown extends Error {}

/** Whether an error may pass by itself and is no fault of a record. */
export function isTransient(error: unknown): boolean {
  return error instanceof StorageUnavailable || error instanceof ReceiversUnknown;
}

const maxReasonLength = 500;

/**
 * Stores a poison record, with an entry of the event log, in the transaction that removes it from its own table; logs it after
 * the commit.
 */
export async function setAsideRecord(service: ServiceContext, tx: Transaction, bad: PoisonRecord): Promise<void> {
  const { error, record, table } = bad;
  const { clock, newId } = service.runtime;
  const now = clock();
  const id = newId();
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, maxReasonLength);
  const reported = { id, recordId: record.id, reason, table: table.name };
  const stored: RecordToStore = {
    id,
    tenantId: null,
    version: 1,
    insertInstant: now,
    lastUpdateInstant: now,
    // Escaped: characters that a database refuses may be the reason.
    json: toStorable(toCanonicalJson(reported)),
    hidden: toStorable(JSON.stringify({ hidden: record.hidden, json: record.json })),
    columns: { tableName: table.name },
  };
  await tx.insert(globalScope, setAsideTable, [stored]);
  await publish({ service, tx }, bad);
  tx.afterCommit(() =>
    service.runtime.logger.error(
      { err: error, id: record.id, table: table.name },
      "a record was set aside: it could not be delivered",
    ),
  );
}

// In JSON, an escaped NUL is no NUL, but databases with JSON types refuse it anyway.
function toStorable(json: string): string {
  return json.replaceAll("\\u0000", "\\ufffd").toWellFormed();
}

/** Moves a record out of its table, in a transaction of its own, so that it blocks no others. */
export async function setAside(service: ServiceContext, bad: PoisonRecord): Promise<void> {
  const { record, table } = bad;
  await move(service, bad, async (tx) => {
    if (table === webhookEventLogsTable)
      await tx.remove(globalScope, webhookAttemptLogsTable, equalsFilter("webhookEventLogId", record.id));
    return (await tx.remove(globalScope, table, equalsFilter("id", record.id))) > 0;
  });
}

/** Like {@link setAside}, for a leased record of the outbox. */
export function setLeasedAside(service: ServiceContext, bad: PoisonRecord, { position, until }: OutboxLease): Promise<void> {
  return move(service, bad, async (tx) => (await tx.removeLeased(bad.table, [position], until)).length > 0);
}

async function move(service: ServiceContext, bad: PoisonRecord, remove: (tx: Transaction) => Promise<boolean>): Promise<void> {
  try {
    await service.storage.transaction(async (tx) => {
      if (await remove(tx)) await setAsideRecord(service, tx, bad);
    });
  } catch (error) {
    if (isTransient(error)) throw error;
    const { record, table } = bad;
    service.runtime.logger.error({ err: error, id: record.id, table: table.name }, "a record could not be set aside");
  }
}

// This entry is itself an event: it is not published about a poison record of its own kind.
async function publish(cause: EventCause, { record, table }: PoisonRecord): Promise<void> {
  if (record.json.includes('"event-log.create"')) return;
  const message = `A record of ${table.name} could not be delivered and was set aside: ${record.id}`;
  await writeEventLog(cause, { message, type: "Error" });
}

const batch = 100;

const ofEvents: Filter = { op: "in", column: "tableName", values: [eventsTable.name, webhookEventLogsTable.name] };

/** Moves poison events back into the outbox, and counts them; other records stay. */
export async function retrySetAside(call: OperationCall): Promise<OperationResult> {
  const ids = await call.reader.findIds(globalScope, setAsideTable, "id", ofEvents);
  let retried = 0;
  await inChunks({ ...call.service.runtime, size: batch }, ids, async (chunk) => {
    retried += await call.write((write) => restore(write, chunk));
  });
  return { status: 200, json: toCanonicalJson({ retried, kept: ids.length - retried }) };
}

async function restore({ service, tx }: WriteCall, values: readonly string[]): Promise<number> {
  const { clock, newId } = service.runtime;
  const isOne: Filter = { op: "in", column: "id", values };
  const restored = (await tx.find(globalScope, setAsideTable, isOne)).flatMap((one) => {
    const record = toOutboxRecord(one, newId(), clock());
    return record === undefined ? [] : [{ id: one.id, record }];
  });
  if (restored.length === 0) return 0;
  const gone: Filter = { op: "in", column: "id", values: restored.map(({ id }) => id) };
  await tx.remove(globalScope, setAsideTable, gone);
  const records = restored.map(({ record }) => record);
  await tx.insert(globalScope, eventsTable, records);
  tx.afterCommit(service.wakeDeliverer);
  return restored.length;
}

// The event is the `json` of an outbox record and the `hidden` part of a log. The attempts of a log are lost.
function toOutboxRecord({ hidden: stored, json }: StoredRecord, id: string, now: number): RecordToStore | undefined {
  try {
    const { table } = JSON.parse(json) as { readonly table: string };
    const record = JSON.parse(stored ?? "") as Pick<StoredRecord, "hidden" | "json">;
    const [text, hidden] = table === eventsTable.name ? [record.json, record.hidden] : [record.hidden, null];
    const { type } = JSON.parse(text ?? "").event;
    if (typeof type !== "string" || text === null) return undefined;
    return { id, tenantId: null, version: 1, insertInstant: now, lastUpdateInstant: now, json: text, hidden, columns: { type } };
  } catch {
    return undefined;
  }
}
