// For speed alone: of users created one by one in a transaction of the host, none waits for the answer whether a name is somebody's address.
import type { ColumnValue, Table, TenantScope } from "latchkey/ports";

/** How many values one statement looks for at most. */
const maxValues = 1_000;

/** Values that no record may hold in a column. */
export interface PendingLookup {
  readonly scope: TenantScope;
  readonly table: Table;
  readonly column: string;
  readonly values: readonly ColumnValue[];
}

/** Sends a lookup that must find nothing. */
type SendLookup = (lookup: PendingLookup) => void;

interface Waiting extends PendingLookup {
  readonly values: ColumnValue[];
  readonly send: SendLookup;
}

/**
 * Lookups that a transaction makes together: before it ends, or before a record changes that they may find. What a savepoint undoes is looked
 * up too: if that finds something, the work runs again and looks up each by itself.
 */
export class PendingLookups {
  readonly #waiting = new Map<string, Waiting>();

  /** Takes a lookup to be made later, by `send`. */
  add(lookup: PendingLookup, send: SendLookup): void {
    const { column, scope, table } = lookup;
    const key = `${table.name} ${column} ${scope.kind === "tenant" ? scope.tenantId : ""}`;
    const waiting = this.#waiting.get(key) ?? { ...lookup, values: [], send };
    this.#waiting.set(key, waiting);
    waiting.values.push(...lookup.values);
    if (waiting.values.length >= maxValues) this.#send(key, waiting);
  }

  /** Makes the lookups of a table that wait; without a table all of them. */
  send(table?: Table): void {
    for (const [key, waiting] of this.#waiting) if (table === undefined || waiting.table === table) this.#send(key, waiting);
  }

  #send(key: string, waiting: Waiting): void {
    this.#waiting.delete(key);
    waiting.send(waiting);
  }
}
