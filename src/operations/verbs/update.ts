import type { OperationResult } from "../../http/transport/write-response.js";
import type { StoredRecord } from "../../ports/storage.js";
import { startAudit } from "../family/audit-change.js";
import { type BaseRecord, copyFixedFields, type Family } from "../family/family.js";
import {
  assertPrecondition,
  loadRecord,
  parseRequest,
  prepareRequest,
  presentOne,
  replaceRecord,
  toRecordToStore,
} from "../family/record-steps.js";
import { checkResponseSize } from "../family/response-size.js";
import { openRecord, sealFields } from "../family/wire-records.js";
import { fillWriteOnly } from "../family/write-only.js";
import type { OperationCall, WriteCall } from "../operation.js";
import { assertValidKeys } from "../references/key-purposes.js";
import { assertUsableTenant, checkReferences, saveReferences } from "../references/references.js";
import { followWrite } from "./follow-write.js";

/** PUT: replaces a record by the body; nothing is merged. */
export async function runUpdate<Wire extends BaseRecord, Request>(
  call: OperationCall,
  family: Family<Wire, Request>,
): Promise<OperationResult> {
  // An unknown id is 404 even with an invalid body, so the record is read first.
  const found = await loadRecord(call, family);
  const body = fillWriteOnly(family, copyFixedFields(family, call.body, found), found);
  const parsed = await parseRequest(call, family, body);
  const request = await prepareRequest(call, family, parsed, { id: found.id, stored: found });
  return call.write(async (write) => {
    const stored = await loadRecord(write, family);
    await assertPrecondition(write, family, stored);
    return changeRecord(write, family, stored, request);
  });
}

/** Replaces a stored record by a request. @throws IdentityError 400 when its tenant is being deleted. */
export async function changeRecord<Wire extends BaseRecord, Request>(
  call: WriteCall,
  family: Family<Wire, Request>,
  stored: StoredRecord,
  request: Request,
): Promise<OperationResult> {
  const tenant = await assertUsableTenant(call, stored.tenantId);
  const noteChange = await startAudit(call, family, stored);
  const { sealer } = call.service;
  const original = openRecord<Wire>(sealer, family, stored);
  const now = call.service.runtime.clock();
  const draft = await family.rules.toDraft(call, request, {
    id: stored.id,
    tenantId: stored.tenantId ?? undefined,
    tenant,
    now,
    current: { record: original, hidden: stored.hidden },
  });
  const change = { kind: "update", request, draft, original, stored } as const;
  await family.rules.check?.(call, change);
  const references = await checkReferences(call, family, draft.record, stored.tenantId ?? undefined);
  if (references !== undefined) await assertValidKeys(call, references, family.referencesOf?.(original));
  const record = toRecordToStore(sealFields(sealer, family, draft, stored), stored.tenantId, stored.version + 1);
  await replaceRecord(call, family, record);
  if (references !== undefined) await saveReferences(call, family, record, { references, isNew: false });
  await followWrite(call, family, change, record);
  await noteChange?.(record);
  // Inside the transaction: a record that is too large to answer is not stored.
  return checkResponseSize(call.service, await presentOne(call, family, record));
}
