import { pause } from "../../internal/async.js";
import type { Connections } from "../connections/connections.js";
import { explainPermission, type PgClientLike } from "../connections/pg-types.js";

/** The interval between attempts to lock a table in use, in milliseconds. */
const waitMs = 250;

/** Work that holds a connection, and calls `discard` when the connection is unusable. */
export type ConnectionWork<T> = (client: PgClientLike, discard: () => void) => Promise<T>;

/**
 * Runs work that creates or drops an index or a trigger of a table, on a held connection: one at a time across processes. A
 * concurrent index build waits for all transactions, and the creation of a trigger in one of them waits for the index: the
 * database would abort one of the two, and all writers would wait until then. So the wait happens outside of the database.
 */
export async function withTableLock(connections: Connections, table: string, work: ConnectionWork<void>): Promise<void> {
  const runIfFree = toRunIfFree([`change ${table}`], work);
  while (!(await connections.hold(runIfFree))) await pause(connections.runtime.timers, waitMs, false);
}

/** Returns whether the lock was free. */
function toRunIfFree(values: unknown[], work: ConnectionWork<void>): ConnectionWork<boolean> {
  return async (client, discard) => {
    const text = "select pg_try_advisory_lock(hashtextextended($1, 0))::text as held";
    const [row] = (await client.query({ text, values })).rows;
    if (row?.held !== "true") return false;
    try {
      await work(client, discard);
      return true;
    } catch (error) {
      throw explainPermission(error, "latchkey indexes");
    } finally {
      // The lock ends with the connection.
      await client.query({ text: "select pg_advisory_unlock(hashtextextended($1, 0))", values }).catch(discard);
    }
  };
}
