import type { StoredRecord } from "../../ports/storage.js";
import { type RecordCount, runBulkWrite } from "../bulk-write.js";
import { startAudit } from "../family/audit-change.js";
import type { BaseRecord, Family } from "../family/family.js";
import { assertPrecondition, loadRecord } from "../family/record-steps.js";
import { openRecord } from "../family/wire-records.js";
import { type AnyOperation, emptyResult, type OperationCall, type WriteCall } from "../operation.js";
import { publishEvents } from "../outbox/publish-event.js";
import { removePurposes } from "../references/key-purposes.js";
import { assertUnused, assertUsableTenant, removeReferences } from "../references/references.js";
import { RemovalProgress, removeWithReferences } from "../references/remove-with-references.js";

/** DELETE by id: removes a record and its dependents. */
export function runRemove<Wire extends BaseRecord, Request>(
  call: OperationCall,
  family: Family<Wire, Request>,
): ReturnType<AnyOperation["run"]> {
  return runBulkWrite(call, async (write, noteCount) => {
    const stored = await loadRecord(write, family);
    await assertPrecondition(write, family, stored);
    await removeRecord(write, family, stored, noteCount);
    return emptyResult;
  });
}

/**
 * Removes a stored record and its dependents, each with its events: first those of the dependents. @throws IdentityError 400 when
 * its tenant is being deleted.
 */
export async function removeRecord<Wire extends BaseRecord, Request>(
  call: WriteCall,
  family: Family<Wire, Request>,
  stored: StoredRecord,
  noteCount: RecordCount,
): Promise<void> {
  const { removing } = call.service;
  await assertUsableTenant(call, stored.tenantId);
  const noteChange = await startAudit(call, family, stored);
  const record = openRecord<Wire>(call.service.sealer, family, stored);
  await family.rules.beforeRemove?.(call, record);
  await assertUnused(call, family, stored.id);
  // Before the removal: the events show the removed records.
  const events = await removing.describe(call, family.table, [stored]);
  await removeWithReferences(call, family.table, [stored.id], new RemovalProgress(family.idParameter, noteCount));
  await publishEvents(call, events);
  if (family.referencesOf !== undefined) {
    await removeReferences(call, family.table, stored.id);
    await removePurposes(call, family.table, stored.id);
  }
  await family.rules.afterRemove?.(call, record);
  await noteChange?.();
}

/** Removes stored records of a family without references of its own, like {@link removeRecord}, in shared statements. */
export async function removeRecords<Wire extends BaseRecord, Request>(
  call: WriteCall,
  family: Family<Wire, Request>,
  stored: readonly StoredRecord[],
  noteCount: RecordCount,
): Promise<void> {
  for (const tenantId of new Set(stored.map((record) => record.tenantId))) await assertUsableTenant(call, tenantId);
  const audits: Awaited<ReturnType<typeof startAudit>>[] = [];
  for (const record of stored) {
    audits.push(await startAudit(call, family, record));
    await assertUnused(call, family, record.id);
  }
  const events = await call.service.removing.describe(call, family.table, stored);
  const ids = stored.map(({ id }) => id);
  await removeWithReferences(call, family.table, ids, new RemovalProgress(family.idParameter, noteCount));
  await publishEvents(call, events);
  for (const noteChange of audits) await noteChange?.();
}
