import type { OperationResult } from "../../http/transport/write-response.js";
import { isInsideHost, type OperationCall } from "../../operations/operation.js";
import { pagesOfEntries, prepareNext, toParts } from "../../operations/snapshot-lines.js";
import { withScope } from "../../operations/verbs/read.js";
import type { Filter, StorageReader, StoredRecord } from "../../ports/storage.js";
import { auditLogSearch, auditLogsTable } from "../../records/audit-logs/family.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import { parseGivenCriteria } from "../../search/parse-criteria.js";

const exportAuditLogsRequest = lazySchema("audit", "exportAuditLogsRequest");

/**
 * POST: streams entries of the audit log as NDJSON, the oldest first, from a snapshot.
 * @throws IdentityError 400 for wrong criteria, 503 when too many exports run.
 */
export async function exportAuditLogs(call: OperationCall, toLine: (record: StoredRecord) => string): Promise<OperationResult> {
  const { search } = await parseWith(exportAuditLogsRequest, call.body ?? {});
  if (isInsideHost(call))
    throw new Error("An export reads one state of the storage by itself: call it outside of identity.transaction.");
  const { filter } = parseGivenCriteria(auditLogSearch, withScope({ ...search }, call));
  const { storage, streams } = call.service;
  const stream = await streams.start(
    storage,
    (reader) => linesOf(call, reader, filter, toLine),
    async () => undefined,
  );
  return { status: 200, json: "", stream, headers: { "content-type": "application/x-ndjson" } };
}

async function* linesOf(
  { scope, service }: OperationCall,
  reader: StorageReader,
  filter: Filter | undefined,
  toLine: (record: StoredRecord) => string,
): AsyncGenerator<Uint8Array> {
  for await (const page of prepareNext(pagesOfEntries(reader, { scope, table: auditLogsTable, filter }))) {
    yield* toParts(page, toLine);
    await service.runtime.timers.nextTurn();
  }
}
