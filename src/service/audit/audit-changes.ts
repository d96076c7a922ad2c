import { storeEntry } from "../../audit/audit-logs/rules.js";
import { families } from "../../families/index.js";
import { hostPrincipal } from "../../http/authenticate/principal.js";
import { nextNumber } from "../../operations/numbered-log.js";
import { type EventCause, nameOfCaller } from "../../operations/outbox/publish-event.js";
import type { ChangingCall, RecordedChange, ServiceContext } from "../../operations/service-context.js";
import { auditLogNumbersTable } from "../../records/audit-logs/family.js";
import type { AuditLog } from "../../records/audit-logs/schema.js";
import { changedMembers } from "./changed-members.js";

/** The largest value of an entry, in UTF-16 units of its JSON. */
const maxValueLength = 65_536;

/**
 * Writes an audit log entry for each change, with its event, in the transaction of the changes. `takeNumbers` returns the number
 * of the first entry; the others follow it.
 */
export async function writeChanges(
  call: ChangingCall & EventCause,
  changes: readonly RecordedChange[],
  takeNumbers: (count: number) => Promise<number>,
): Promise<void> {
  if (changes.length === 0) return;
  const first = await takeNumbers(changes.length);
  const said = { insertInstant: call.service.runtime.clock(), insertUser: toUser(call), reason: call.auditReason };
  for (const [index, change] of changes.entries()) {
    const auditLog: AuditLog = { ...toFields(change), ...said, id: first + index };
    await storeEntry(call, auditLog);
  }
}

/** Writes an entry for the host's operation on the whole storage, with its event, in a transaction of its own. */
export async function auditByHost(service: ServiceContext, message: string): Promise<void> {
  const insertInstant = service.runtime.clock();
  await service.storage.transaction(async (tx) => {
    const id = await nextNumber(tx, auditLogNumbersTable, insertInstant);
    const auditLog: AuditLog = { id, insertInstant, insertUser: nameOfCaller({ principal: hostPrincipal }), message };
    await storeEntry({ service, tx, principal: hostPrincipal }, auditLog);
  });
}

// Some anonymous calls are authorized by their body, such as a password change with an id from a mail.
function toUser(call: ChangingCall): string {
  return call.principal === undefined ? "anonymous" : nameOfCaller(call);
}

function toFields({
  family,
  message,
  tenantId,
  oldValue,
  newValue,
}: RecordedChange): Pick<AuditLog, "changes" | "message" | "newValue" | "oldValue" | "tenantId"> {
  return {
    message: message ?? toMessage(family, oldValue, newValue),
    tenantId: tenantId ?? undefined,
    ...(oldValue !== undefined && { oldValue: withinBounds(oldValue) }),
    ...(newValue !== undefined && { newValue: withinBounds(newValue) }),
    ...toChanges(oldValue, newValue),
  };
}

function toChanges(oldValue: unknown, newValue: unknown): Pick<AuditLog, "changes"> {
  if (oldValue === undefined || newValue === undefined) return {};
  return { changes: withinBounds(changedMembers(oldValue, newValue)) };
}

// A record without an id is a singleton.
function toMessage(family: string, oldValue: unknown, newValue: unknown): string {
  const verb = oldValue === undefined ? "Created" : newValue === undefined ? "Removed" : "Changed";
  const { id } = (newValue ?? oldValue) as { readonly id?: string };
  const what = `${verb} the ${Reflect.get(families, family).row.auditName}`;
  return id === undefined ? what : `${what} ${id}`;
}

function withinBounds<T>(value: T): T | { readonly leftOut: string } {
  const { length } = JSON.stringify(value);
  return length > maxValueLength ? { leftOut: `The value is too large for the audit log: ${length} characters of JSON.` } : value;
}
