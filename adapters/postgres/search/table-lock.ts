import { pause } from "../../internal/async.js";
import type { Connections } from "../connections/connections.js";
import type { PgClientLike } from "../connections/pg-types.js";

/** How long others work on a table before it is asked for again, in milliseconds. */
const waitMs = 250;

/** Work that has a connection to itself, and calls `discard` when the connection is of no more use. */
export type ConnectionWork<T> = (client: PgClientLike, discard: () => void) => Promise<T>;

/**
 * Runs work that makes or removes an index or a trigger of a table, on a connection of its own: one at a time in all processes. An index that
 * is made while others write waits for all transactions, and a trigger in one of them for the index: the database would end one of the two,
 * and have everybody who writes wait until then. So nobody waits for their turn inside of the database.
 */
export async function withTableLock(connections: Connections, table: string, work: ConnectionWork<void>): Promise<void> {
  const runIfFree = toRunIfFree([`change ${table}`], work);
  while (!(await connections.hold(runIfFree))) await pause(connections.runtime.timers, waitMs, false);
}

/** Answers whether nobody else had the lock. */
function toRunIfFree(values: unknown[], work: ConnectionWork<void>): ConnectionWork<boolean> {
  return async (client, discard) => {
    const text = "select pg_try_advisory_lock(hashtextextended($1, 0))::text as held";
    const [row] = (await client.query({ text, values })).rows;
    if (row?.held !== "true") return false;
    try {
      await work(client, discard);
      return true;
    } finally {
      // The lock ends with the connection.
      await client.query({ text: "select pg_advisory_unlock(hashtextextended($1, 0))", values }).catch(discard);
    }
  };
}
