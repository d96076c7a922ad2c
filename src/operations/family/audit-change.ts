import type { StoredRecord } from "../../ports/storage.js";
import type { WriteCall } from "../operation.js";
import type { BaseRecord, PresentedFamily } from "./family.js";
import { presentWithoutSecrets } from "./record-steps.js";

/** Records the state of a record after a change; without one, its removal. */
type WriteAuditEntry = (after?: StoredRecord) => Promise<void>;

/**
 * Looks at a record before it is changed, undefined for a new one; what comes back writes the entry of the audit log once all of the change
 * is done. Undefined where changes are not audited.
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

/** What a record was and what it is; undefined where there is none. */
export type AuditedChange = readonly [oldValue: unknown, newValue: unknown];

/** Records changes in the audit log for records that are shown as stored, with the state before and after each. */
export async function recordAuditChanges(
  call: WriteCall,
  family: string,
  tenantId: string | null,
  sides: readonly AuditedChange[],
): Promise<void> {
  const changes = sides.map(([oldValue, newValue]) => ({ family, tenantId, oldValue, newValue }));
  await call.service.auditing?.write(call, changes);
}

// Removing a tenant removes its records, so the entry about that removal belongs to no tenant.
function tenantOfRemoved(record: StoredRecord | undefined): string | null {
  return record === undefined || record.tenantId === record.id ? null : record.tenantId;
}
