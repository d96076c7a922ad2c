import type { PgPoolLike } from "../connections/pg-types.js";

/** Options of reads from replicas. */
export interface ReplicaOptions {
  /**
   * Where standbys are that serve lists and searches: URLs, or pools of `pg` that the host has, which stay open when the storage closes. Each
   * one must lead to a single server. A read shows what this storage has committed before it, else the primary serves it. Default: none.
   */
  readonly readFrom?: string | PgPoolLike | readonly (string | PgPoolLike)[];
  /** How old what a replica shows of other processes may be, in milliseconds. 0 asks the primary before each read. Default 1,000. */
  readonly replicaMaxLagMs?: number;
  /** How long a read waits for a replica that is behind, in milliseconds, before the primary serves it. Default 50. */
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

/** What the option names, one by one. */
export function listReplicas(readFrom: NonNullable<ReplicaOptions["readFrom"]>): readonly (string | PgPoolLike)[] {
  return isList(readFrom) ? readFrom : [readFrom];
}

function isList<Item>(value: Item | readonly Item[]): value is readonly Item[] {
  return Array.isArray(value);
}
