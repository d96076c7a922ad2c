import type { StoredRecord } from "../../ports/storage.js";
import type { BaseRecord, PresentableFamily } from "../family.js";
import type { WriteCall } from "../operation.js";
import { presentWithoutSecrets } from "../record-steps.js";

/** Tells of a record as it is after a change; without one, of its removal. */
export type NoteChange = (after?: StoredRecord) => Promise<void>;

/**
 * Looks at a record before it is changed, undefined for a new one; what comes back writes the entry of the audit log once all of the change
 * is done. Undefined where changes are not audited.
 */
export async function beginAudit<Wire extends BaseRecord, Request>(
  call: WriteCall,
  family: PresentableFamily<Wire, Request>,
  before?: StoredRecord,
): Promise<NoteChange | undefined> {
  if (call.service.auditing === undefined) return undefined;
  const show = async (record: StoredRecord | undefined): Promise<unknown> =>
    record && (await presentWithoutSecrets(call, family, record));
  const oldValue = await show(before);
  return async (after) => {
    const newValue = await show(after);
    const tenantId = after === undefined ? tenantOfRemoved(before) : after.tenantId;
    await noteChanges(call, family.name, tenantId, [[oldValue, newValue]]);
  };
}

/** Does `work`, which answers a record as it is afterwards, and tells the audit log of the change. */
export async function audited<Wire extends BaseRecord, Request>(
  call: WriteCall,
  family: PresentableFamily<Wire, Request>,
  before: StoredRecord,
  work: () => Promise<StoredRecord>,
): Promise<StoredRecord> {
  const noteChange = await beginAudit(call, family, before);
  const after = await work();
  await noteChange?.(after);
  return after;
}

/** What a record was and what it is; undefined where there is none. */
export type Sides = readonly [oldValue: unknown, newValue: unknown];

/** Tells the audit log of changes of records that are shown as they are kept, each as it was and as it is. */
export async function noteChanges(
  call: WriteCall,
  family: string,
  tenantId: string | null,
  sides: readonly Sides[],
): Promise<void> {
  const changes = sides.map(([oldValue, newValue]) => ({ family, tenantId, oldValue, newValue }));
  await call.service.auditing?.write(call, changes);
}

// What is in a tenant goes with it, so that the removal of a tenant is told outside of it.
function tenantOfRemoved(record: StoredRecord | undefined): string | null {
  return record === undefined || record.tenantId === record.id ? null : record.tenantId;
}
