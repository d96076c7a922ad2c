import type { PgPoolLike } from "../connections/pg-types.js";

/** Options of reads from replicas. */
export interface ReplicaOptions {
  /**
   * Standbys that serve lists and searches: URLs, or `pg` pools of the host, which stay open when the storage closes. Each one
   * must lead to a single server. A read sees all earlier commits of this storage, else the primary serves it. Default: none.
   */
  readonly readFrom?: string | PgPoolLike | readonly (string | PgPoolLike)[];
  /**
   * The maximum age of other processes' changes on a replica, in milliseconds. 0 asks the primary before each read. Default
   * 1,000.
   */
  readonly replicaMaxLagMs?: number;
  /** The maximum wait of a read for a replica that lags, in milliseconds, before the primary serves it. Default 50. */
  readonly replicaWaitMs?: number;
}

/** @throws TypeError when an option of replicas is wrong. */
export function assertReplicaOptions({ readFrom = [], replicaMaxLagMs = 0, replicaWaitMs = 0 }: ReplicaOptions): void {
  for (const place of listReplicas(readFrom))
    if (typeof place !== "string" && typeof place?.connect !== "function")
      throw new TypeError("readFrom must be the URL of a replica, a pool of pg, or a list of these.");
  for (const [name, value] of Object.entries({ replicaMaxLagMs, replicaWaitMs }))
    if (!(value >= 0)) throw new TypeError(`${name} must be a number of milliseconds, 0 or more.`);
}

/** The replicas in the option, as a list. */
export function listReplicas(readFrom: NonNullable<ReplicaOptions["readFrom"]>): readonly (string | PgPoolLike)[] {
  return isList(readFrom) ? readFrom : [readFrom];
}

function isList<Item>(value: Item | readonly Item[]): value is readonly Item[] {
  return Array.isArray(value);
}
