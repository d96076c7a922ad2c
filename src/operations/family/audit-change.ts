import type { StoredRecord } from "../../ports/storage.js";
import type { WriteCall } from "../operation.js";
import type { BaseRecord, PresentedFamily } from "./family.js";
import { presentWithoutSecrets } from "./record-steps.js";

/** Records the state of a record after a change; without `after`, its removal. */
type WriteAuditEntry = (after?: StoredRecord) => Promise<void>;

/**
 * Reads a record before its change; undefined for a new one. Call the result after the whole change to write the audit entry.
 * Undefined where changes are not audited.
 */
export async function startAudit<Wire extends BaseRecord, Request>(
  call: WriteCall,
  family: PresentedFamily<Wire, Request>,
  before?: StoredRecord,
): Promise<WriteAuditEntry | undefined> {
  if (call.service.auditing === undefined) return undefined;
  const show = async (record: StoredRecord | undefined): Promise<unknown> =>
    record && (await presentWithoutSecrets(call, family, record));
  const oldValue = await show(before);
  return async (after) => {
    const newValue = await show(after);
    const tenantId = after === undefined ? tenantOfRemoved(before) : after.tenantId;
    await recordAuditChanges(call, family.name, tenantId, [[oldValue, newValue]]);
  };
}

/** Does `work`, which returns the changed record, and records the change in the audit log. */
export async function audited<Wire extends BaseRecord, Request>(
  call: WriteCall,
  family: PresentedFamily<Wire, Request>,
  before: StoredRecord,
  work: () => Promise<StoredRecord>,
): Promise<StoredRecord> {
  const noteChange = await startAudit(call, family, before);
  const after = await work();
  await noteChange?.(after);
  return after;
}

/** The old and the new state of a record; undefined where there is none. */
export type AuditedChange = readonly [oldValue: unknown, newValue: unknown];

/** Records changes of records that the audit log shows as stored, with the state before and after each. */
export async function recordAuditChanges(
  call: WriteCall,
  family: string,
  tenantId: string | null,
  sides: readonly AuditedChange[],
): Promise<void> {
  const changes = sides.map(([oldValue, newValue]) => ({ family, tenantId, oldValue, newValue }));
  await call.service.auditing?.write(call, changes);
}

// The tenant's records are removed with it, so the entry about that belongs to no tenant.
function tenantOfRemoved(record: StoredRecord | undefined): string | null {
  return record === undefined || record.tenantId === record.id ? null : record.tenantId;
}
