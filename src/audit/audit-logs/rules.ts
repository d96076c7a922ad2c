import type { OperationResult } from "../../http/transport/write-response.js";
import { addMembers, toCanonicalJson } from "../../json/canonical-json.js";
import type { BaseRecord, Family, SearchableFamily } from "../../operations/family/family.js";
import type { FamilyExample, FamilyRulesModule } from "../../operations/family/family-row.js";
import { parseRequest, presentOne } from "../../operations/family/record-steps.js";
import { findEntry, insertEntry, nextNumber } from "../../operations/numbered-log.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { type EventCause, nameOfCaller, publishEvent } from "../../operations/outbox/publish-event.js";
import { resolveTenant } from "../../operations/references/references.js";
import type { Runtime } from "../../ports/runtime.js";
import { globalScope, type RecordToStore, type StoredRecord } from "../../ports/storage.js";
import { auditLogFamily, auditLogNumbersTable, auditLogsTable, auditQueueTable } from "../../records/audit-logs/family.js";
import type { AuditLog, AuditLogFields, AuditLogRequest } from "../../records/audit-logs/schema.js";
import { lazySchema } from "../../records/schemas.js";
import { digestOf, type QueuedEntry } from "../../security/audit-digests.js";
import { foldText } from "../../shared/text.js";
import { exportAuditLogs } from "./export-audit-logs.js";

type AuditLogFamily = SearchableFamily<BaseRecord, AuditLogRequest> & Pick<Family<BaseRecord, AuditLogRequest>, "request">;

/** The family of audit log entries. */
export const auditLogs: AuditLogFamily = {
  ...auditLogFamily,
  request: lazySchema("audit", "auditLogRequest"),
  rules: { present: (_call, records) => records.map(showEntry) },
};

// An entry outlives its tenant, and then belongs to the instance.
function showEntry({ json, tenantId }: StoredRecord): string {
  return tenantId === null && json.includes('"tenantId":') ? addMembers(json, { tenantId: undefined }) : json;
}

/** POST: writes an entry and publishes the event `audit-log.create`. @throws IdentityError 400. */
async function createAuditLog(call: OperationCall): Promise<OperationResult> {
  const request = await parseRequest(call, auditLogs, call.body);
  return call.write(async (write) => {
    return presentOne(write, auditLogs, await storeEntry(write, await completeEntry(write, request.auditLog)));
  });
}

async function completeEntry(call: WriteCall, fields: AuditLogFields): Promise<AuditLog> {
  const tenantId = await tenantOfEntry(call, fields.tenantId);
  const insertInstant = call.service.runtime.clock();
  const id = await nextNumber(call.tx, auditLogNumbersTable, insertInstant);
  return { ...fields, id, insertInstant, insertUser: fields.insertUser ?? nameOfCaller(call), tenantId };
}

// An entry without a tenant belongs to the instance, even if there is only one tenant.
async function tenantOfEntry(call: WriteCall, tenantId: string | undefined): Promise<string | undefined> {
  if (call.scope.kind === "global" && tenantId === undefined) return undefined;
  return resolveTenant(call, { tenantId, path: "auditLog.tenantId" });
}

/** Stores an entry with its event, and queues its digest for the chain, in the transaction of the call. */
export async function storeEntry(call: EventCause, auditLog: AuditLog): Promise<StoredRecord> {
  const record = await insertEntry(call, auditLogsTable, auditLog, columnsOf(auditLog));
  await call.tx.insert(globalScope, auditQueueTable, [toQueued(call.service.runtime, auditLog, record)]);
  await publishEvent(call, { type: "audit-log.create", fields: { auditLog } });
  return record;
}

function toQueued({ newId }: Runtime, { id: number, insertInstant }: AuditLog, { json }: StoredRecord): RecordToStore {
  const instants = { insertInstant, lastUpdateInstant: insertInstant };
  const queued: QueuedEntry = { content: digestOf(json), insertInstant, number };
  return { id: newId(), tenantId: null, version: 1, ...instants, json: toCanonicalJson(queued), hidden: null, columns: {} };
}

/** Returns the searchable columns of an entry. */
function columnsOf({ insertUser, newValue, oldValue, reason }: AuditLog): Readonly<Record<string, string | null>> {
  const foldJson = (value: unknown): string | null => (value === undefined ? null : foldText(toCanonicalJson(value)));
  return {
    insertUserFolded: foldText(insertUser),
    newValueFolded: foldJson(newValue),
    oldValueFolded: foldJson(oldValue),
    reasonFolded: reason === undefined ? null : foldText(reason),
  };
}

/** Returns the entry with the number in the call. @throws IdentityError 404 unless it is the number of an entry in scope. */
async function retrieveAuditLog(call: OperationCall): Promise<OperationResult> {
  return presentOne(call, auditLogs, await findEntry(call, call.scope, auditLogsTable, call.params.auditLogId));
}

/** The family's own operations. */
export const operations: FamilyRulesModule["operations"] = {
  create: createAuditLog,
  export: async (call) => exportAuditLogs(call, showEntry),
  retrieve: retrieveAuditLog,
};

export const example: FamilyExample<AuditLogRequest> = ({ number }) => ({ auditLog: { message: `Change ${number}` } });
