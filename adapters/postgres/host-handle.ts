import type { CompiledQuery, Kysely, QueryResult } from "kysely";
import { ignore } from "../internal/async.js";
import { createHostHandle } from "../kysely/host-handle.js";
import type { Attempt } from "./connections/attempt.js";
import type { PgClientLike } from "./connections/pg-types.js";

const clients = new WeakMap<object, PgClientLike>();

/** The host's Kysely on one run of a Postgres transaction. @throws Error when `kysely` is not installed. */
export function createPostgresHandle<Database>(client: PgClientLike, attempt: Attempt): Kysely<Database> {
  const run = async ({ parameters, sql }: CompiledQuery): Promise<QueryResult<unknown>> => {
    const { command, rowCount, rows } = await attempt.send(() => client.query({ text: sql, values: [...parameters] }));
    const isChange = /^(INSERT|UPDATE|DELETE|MERGE)/.test(command);
    return { rows: [...rows], ...(isChange && { numAffectedRows: BigInt(rowCount ?? 0) }) };
  };
  const handle = createHostHandle<Database>(
    ({ PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler }) => ({
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    }),
    run,
  );
  clients.set(handle, createHostClient(client, attempt));
  return handle;
}

/**
 * The connection of `pg` under a transaction of {@link postgresStorage}, for query builders other than Kysely. Its statements
 * commit or roll back with the transaction; after it, the connection runs no statements. Releasing it does nothing. `Client` is
 * the type of your connections, such as `PoolClient` of `pg`.
 * @param db `tx.db` of `identity.transaction`.
 * @throws TypeError when `db` is not a handle of a Postgres transaction.
 */
export function pgClientOf<Client extends PgClientLike = PgClientLike>(db: object): Client {
  const client = clients.get(db);
  if (client === undefined) throw new TypeError("pgClientOf takes tx.db of a transaction on postgresStorage.");
  return client as Client;
}

/**
 * The host's view of a transaction's connection: its statements commit or roll back with the service's. The storage owns it, so
 * releasing it does nothing, and after the transaction it runs no statements.
 */
function createHostClient(client: PgClientLike, attempt: Attempt): PgClientLike {
  const query = (...given: unknown[]): Promise<unknown> =>
    attempt.send(() => Reflect.apply(client.query, client, given) as Promise<unknown>);
  const own: Readonly<Record<PropertyKey, unknown>> = { query, release: ignore, end: refuseToEnd };
  return new Proxy(client, {
    get(target, member) {
      if (Object.hasOwn(own, member)) return own[member];
      const value: unknown = Reflect.get(target, member);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function refuseToEnd(): Promise<never> {
  return Promise.reject(new Error("The connection is inside a transaction of the storage."));
}
