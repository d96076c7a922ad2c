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

/** The audit log as it is written, shown and searched. */
export const auditLogs: AuditLogFamily = {
  ...auditLogFamily,
  request: lazySchema("audit", "auditLogRequest"),
  rules: { present: (_call, records) => records.map(showEntry) },
};

// An entry outlives its tenant, and is the instance's then.
function showEntry({ json, tenantId }: StoredRecord): string {
  return tenantId === null && json.includes('"tenantId":') ? addMembers(json, { tenantId: undefined }) : json;
}

/** POST: writes an entry and causes the event `audit-log.create`. @throws IdentityError 400. */
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

// What concerns no tenant is the instance's, even where there is one tenant only.
async function tenantOfEntry(call: WriteCall, tenantId: string | undefined): Promise<string | undefined> {
  if (call.scope.kind === "global" && tenantId === undefined) return undefined;
  return resolveTenant(call, { tenantId, path: "auditLog.tenantId" });
}

/** Stores an entry with its event, and queues its digest for the chain, all in the transaction of the call. */
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

/** What an entry is searched by. */
function columnsOf({ insertUser, newValue, oldValue, reason }: AuditLog): Readonly<Record<string, string | null>> {
  const foldJson = (value: unknown): string | null => (value === undefined ? null : foldText(toCanonicalJson(value)));
  return {
    insertUserFolded: foldText(insertUser),
    newValueFolded: foldJson(newValue),
    oldValueFolded: foldJson(oldValue),
    reasonFolded: reason === undefined ? null : foldText(reason),
  };
}

/** The entry with the number that the call names. @throws IdentityError 404 for a text that is no number of an entry in scope. */
async function retrieveAuditLog(call: OperationCall): Promise<OperationResult> {
  return presentOne(call, auditLogs, await findEntry(call, call.scope, auditLogsTable, call.params.auditLogId));
}

/** The operations of its own. */
export const operations: FamilyRulesModule["operations"] = {
  create: createAuditLog,
  export: async (call) => exportAuditLogs(call, showEntry),
  retrieve: retrieveAuditLog,
};

export const example: FamilyExample<AuditLogRequest> = ({ number }) => ({ auditLog: { message: `Change ${number}` } });
