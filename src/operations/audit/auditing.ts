import type { Principal } from "../../http/authenticate/principal.js";
import type { Runtime } from "../../ports/runtime.js";
import type { Transaction } from "../../ports/storage.js";
import type { ApiRequest } from "../../ports/transport.js";

/** What was done to one record: on both sides as the wire shows it, without secrets. A new record has no old value, a removed one no new. */
export interface RecordedChange {
  /** The name of the family. */
  readonly family: string;
  /** The tenant that the entry belongs to; null: the whole instance. */
  readonly tenantId: string | null;
  readonly oldValue?: unknown;
  readonly newValue?: unknown;
}

/** The part of a call in its transaction that entries are made of. */
export interface ChangingCall {
  readonly principal: Principal | undefined;
  readonly auditReason?: string | undefined;
  readonly request?: ApiRequest | undefined;
  readonly service: { readonly runtime: Runtime };
  readonly tx: Transaction;
}

/** How changes get into the audit log, where the host wants that. */
export interface Auditing {
  /** Writes an entry for each change, in the transaction of the changes. */
  readonly write: (call: ChangingCall, changes: readonly RecordedChange[]) => Promise<void>;
  /** Gets ready for a transaction; called before it. Undefined when there is nothing to do. */
  readonly prepare: () => Promise<void> | undefined;
}
