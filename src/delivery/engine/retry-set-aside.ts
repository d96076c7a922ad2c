import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { type Filter, globalScope, type RecordToStore, type StoredRecord } from "../../ports/storage.js";
import { webhookEventLogsTable } from "../../resources/webhook-event-logs/table.js";
import { inChunks } from "../../shared/async/in-steps.js";
import { eventsTable, setAsideTable } from "./table.js";

const batch = 100;

const ofEvents: Filter = { op: "in", column: "tableName", values: [eventsTable.name, webhookEventLogsTable.name] };

/** Puts events that were set aside back into the outbox, and counts them; what holds no event stays where it is. */
export async function retrySetAside(call: OperationCall): Promise<OperationResult> {
  const ids = await call.reader.findIds(globalScope, setAsideTable, "id", ofEvents);
  let retried = 0;
  await inChunks(
    ids,
    async (chunk) => {
      retried += await call.write((write) => restore(write, chunk));
    },
    batch,
  );
  return { status: 200, json: toCanonicalJson({ retried, kept: ids.length - retried }) };
}

async function restore({ service, tx }: WriteCall, values: readonly string[]): Promise<number> {
  const { clock, newId } = service.runtime;
  const isOne: Filter = { op: "in", column: "id", values };
  const restored = (await tx.find(globalScope, setAsideTable, isOne)).flatMap((stored) => {
    const record = toOutboxRecord(stored, newId(), clock());
    return record === undefined ? [] : [{ id: stored.id, record }];
  });
  if (restored.length === 0) return 0;
  const gone: Filter = { op: "in", column: "id", values: restored.map(({ id }) => id) };
  await tx.remove(globalScope, setAsideTable, gone);
  const records = restored.map(({ record }) => record);
  await tx.insert(globalScope, eventsTable, records);
  tx.afterCommit(service.wakeDeliverer);
  return restored.length;
}

// An event is `json` of a record of the outbox and `hidden` of a log, whose attempts are gone: it begins from the start.
function toOutboxRecord({ hidden: kept, json }: StoredRecord, id: string, now: number): RecordToStore | undefined {
  try {
    const { table } = JSON.parse(json) as { readonly table: string };
    const record = JSON.parse(kept ?? "") as Pick<StoredRecord, "hidden" | "json">;
    const [text, hidden] = table === eventsTable.name ? [record.json, record.hidden] : [record.hidden, null];
    const { type } = JSON.parse(text ?? "").event;
    if (typeof type !== "string" || text === null) return undefined;
    return { id, tenantId: null, version: 1, insertInstant: now, lastUpdateInstant: now, json: text, hidden, columns: { type } };
  } catch {
    return undefined;
  }
}
