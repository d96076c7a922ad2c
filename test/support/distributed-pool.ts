import type { PgClientLike, PgPoolLike, PgQuery, PgResult } from "latchkey/postgres";
import type pg from "pg";

/** Features of Postgres that compatible distributed databases lack. */
const missing =
  /advisory|\b(listen|notify|pg_notify|unlisten)\b|\bconcurrently\b|create (or replace )?(trigger|function)|\block table\b/i;

/** An error in the form of `pg`'s server errors. */
function serverError(code: string, message: string): Error {
  return Object.assign(new Error(message), { severity: "ERROR", code });
}

/** A pool that refuses such features, and fails every other commit with a retryable conflict. */
export interface DistributedPool extends PgPoolLike {
  /** The refused statements. */
  readonly missing: readonly string[];
}

/** A pool on Postgres that behaves like a distributed database. */
export function distributedPool(pool: pg.Pool): DistributedPool {
  const asked: string[] = [];
  let commits = 0;
  // Connections with writes in their transaction: read-only transactions do not conflict.
  const writing = new WeakSet<PgClientLike>();
  const answer = async (client: PgClientLike, query: PgQuery): Promise<PgResult> => {
    if (missing.test(query.text)) {
      asked.push(query.text);
      throw serverError("0A000", `This database does not have: ${query.text}`);
    }
    if (/^(insert|update|delete|with)\b/.test(query.text)) writing.add(client);
    if (query.text !== "commit" || !writing.delete(client) || commits++ % 2 === 1) return client.query(query);
    await client.query({ text: "rollback" });
    throw serverError("40001", "restart transaction: the database could not serialize it");
  };
  return {
    options: pool.options,
    missing: asked,
    connect: async () => {
      const client: PgClientLike = await pool.connect();
      return {
        query: (query) => answer(client, query),
        release: (error) => client.release(error),
        on: (event, listener) => client.on(event, listener),
        off: (event, listener) => client.off(event, listener),
      };
    },
    end: () => pool.end(),
    on: (event, listener) => pool.on(event, listener),
    off: (event, listener) => pool.off(event, listener),
  };
}
