import type { NewEvent } from "../../delivery/events/recorded-event.js";
import type { TransactionApprovals } from "../../delivery/webhooks/approvals.js";
import type { Runtime } from "../../ports/runtime.js";
import type { StoredRecord, Table, Transaction } from "../../ports/storage.js";

/** The part of a call in its transaction that the events of removed records are made of. */
export interface RemovingCall {
  readonly asking?: TransactionApprovals | undefined;
  readonly service: { readonly runtime: Runtime };
  readonly tx: Transaction;
}

/** What publishes the removal of records. */
export interface Removing {
  /** Whether the removal of records of a table has events. */
  readonly hasEvents: (table: Table) => boolean;
  /**
   * The events of records of one table that are about to be removed. They show the records as they are before. `removedWith` is the table
   * of the record that they are removed with; absent where a call removes them by themselves.
   */
  readonly describe: (
    call: RemovingCall,
    table: Table,
    records: readonly StoredRecord[],
    removedWith?: Table,
  ) => Promise<readonly NewEvent[]>;
}

/** The removals of tenants, which outlast the call that asks for one. */
export interface TenantRemovals {
  /** Begins or continues, in the background, to erase a tenant that is marked for removal. */
  readonly start: (tenantId: string) => void;
  /** Resolves when a tenant that is marked for removal is gone; any process may erase it. */
  readonly finish: (tenantId: string) => Promise<void>;
  /** Resolves when this process erases no tenant any more. */
  readonly settle: () => Promise<void>;
}
