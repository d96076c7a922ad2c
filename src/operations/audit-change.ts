import { fieldError } from "../errors/identity-error.js";
import type { StoredRecord } from "../ports/storage.js";
import type { BaseRecord, PresentableFamily } from "./family.js";
import type { WriteCall } from "./operation.js";
import { presentWithoutSecrets } from "./record-steps.js";

/** What was done to one record: on both sides as the wire shows it, without secrets. A new record has no old value, a removed one no new. */
export interface RecordedChange {
  /** The name of the family. */
  readonly family: string;
  /** Whose entry tells of it; null: the whole instance's. */
  readonly tenantId: string | null;
  readonly oldValue?: unknown;
  readonly newValue?: unknown;
}

/** How changes get into the audit log, where the host wants that. */
export interface Auditing {
  /** Writes an entry for each change, in the transaction of the changes. */
  readonly write: (call: WriteCall, changes: readonly RecordedChange[]) => Promise<void>;
  /** Gets ready for a transaction; called before it. Undefined when there is nothing to do. */
  readonly prepare?: () => Promise<void> | undefined;
}

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
  const { auditing } = call.service;
  if (auditing === undefined) return undefined;
  const show = async (record: StoredRecord | undefined): Promise<unknown> =>
    record && (await presentWithoutSecrets(call, family, record));
  const oldValue = await show(before);
  return async (after) => {
    const newValue = await show(after);
    const tenantId = after === undefined ? tenantOfRemoved(before) : after.tenantId;
    await auditing.write(call, [{ family: family.name, tenantId, oldValue, newValue }]);
  };
}

// What is in a tenant goes with it, so that the removal of a tenant is told outside of it.
function tenantOfRemoved(record: StoredRecord | undefined): string | null {
  return record === undefined || record.tenantId === record.id ? null : record.tenantId;
}

/** The header that tells why a request changes something. */
export const auditReasonHeader = "X-Audit-Reason";

const maxReasonLength = 1_000;

/**
 * What a caller says of why, as entries have it; undefined for nothing. `path` names it in refusals.
 * @throws IdentityError 400 `[invalid]` for control characters and half ones, `[tooLong]` above 1,000 UTF-16 units.
 */
export function readAuditReason(given: string | undefined, path: string): string | undefined {
  const reason = given?.trim() ?? "";
  if (/[\p{Cc}\p{Cs}]/u.test(reason)) throw fieldError("invalid", path);
  if (reason.length > maxReasonLength) throw fieldError("tooLong", path);
  return reason === "" ? undefined : reason;
}

/** The text of a header, whose bytes runtimes read as Latin-1: UTF-8 where they are that. */
export function decodeHeader(value: string): string {
  if (/[^\0-\xff]/.test(value)) return value;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(value, "latin1"));
  } catch {
    return value;
  }
}
