import { generalError, IdentityError } from "../../errors/identity-error.js";
import type { Principal } from "../../http/authenticate/principal.js";
import type { Auditing, ChangingCall, RecordedChange } from "../../operations/service-context.js";
import { StorageUnavailable } from "../../ports/storage.js";
import { isObject } from "../../shared/objects.js";

/** A change of one record, passed to the hook `onWrite`. */
export interface WriteChange {
  /** The kind of change. */
  readonly action: "create" | "remove" | "update";
  /** The family of the record, by its name in the in-process API, such as `groups`. */
  readonly family: string;
  /** The id of the record; undefined for the integrations, which have none. */
  readonly id: string | undefined;
  /** The tenant of the record; undefined without one, and for the removal of a tenant. */
  readonly tenantId: string | undefined;
  /** The record before the change as in the API, without secrets; undefined for a new one. */
  readonly before: Readonly<Record<string, unknown>> | undefined;
  /** The record after the change as in the API, without secrets; undefined for a removed one. */
  readonly after: Readonly<Record<string, unknown>> | undefined;
  /** The caller; undefined for an anonymous one. */
  readonly principal: Principal | undefined;
  /** The caller's reason: the header `X-Audit-Reason`, or `auditReason` in process. */
  readonly auditReason: string | undefined;
  /** Whether everything is rolled back afterwards, including the hook's writes. */
  readonly isDryRun: boolean;
}

/** Calls the host's hook with each change of a record. */
export type WriteHook = Auditing["write"];

/**
 * Creates a hook that passes each change of a call to `run`, in turn. Entries about no single record, such as an export, are left
 * out.
 */
export function createWriteHook(run: (call: ChangingCall, change: WriteChange) => unknown): WriteHook {
  return async (call, changes) => {
    for (const change of changes) {
      if (change.message !== undefined) continue;
      try {
        await run(call, toWriteChange(call, change));
      } catch (error) {
        throw toRefusal(error);
      }
    }
  };
}

// These errors have their own handling, such as running the transaction again.
function toRefusal(error: unknown): unknown {
  if (error instanceof IdentityError || error instanceof StorageUnavailable) return error;
  return generalError("writeHookFailed", undefined, { cause: error });
}

function toWriteChange(
  { auditReason, isDryRun, principal }: ChangingCall,
  { family, newValue, oldValue, tenantId }: RecordedChange,
): WriteChange {
  const before = toRecord(oldValue);
  const after = toRecord(newValue);
  const id = (after ?? before)?.id;
  return Object.freeze({
    action: before === undefined ? "create" : after === undefined ? "remove" : "update",
    family,
    id: typeof id === "string" ? id : undefined,
    tenantId: tenantId ?? undefined,
    before,
    after,
    principal,
    auditReason,
    isDryRun,
  });
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isObject(value) ? value : undefined;
}
