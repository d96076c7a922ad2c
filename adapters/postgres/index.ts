import type { Kysely } from "kysely";
import { assertKnownOptions, type OptionNames } from "latchkey";
import type { Storage } from "latchkey/ports";
import { createSqlStorage } from "../kysely/sql-storage.js";
import { openDatabase, type PostgresStorageOptions } from "./open-database.js";
import { assertReplicaOptions } from "./replicas/options.js";

export type { PgClientLike, PgListenerLike, PgPoolLike, PgQuery, PgResult } from "./connections/pg-types.js";
export { pgClientOf } from "./host-handle.js";
export type { PostgresStorageOptions } from "./open-database.js";
export type { ReplicaOptions } from "./replicas/options.js";

const optionNames: OptionNames<PostgresStorageOptions> = {
  connectionString: "text",
  connectionTimeoutMs: "number",
  isDistributed: "boolean",
  maxConnections: "number",
  notify: "boolean",
  pool: ["connect"],
  pooling: "text",
  readFrom: true,
  replicaMaxLagMs: "number",
  replicaWaitMs: "number",
  schema: "text",
  searchIndexFrom: "number",
  sessionConnectionString: "text",
  statementTimeoutMs: "number",
  tablePrefix: "text",
};

/**
 * A storage in a Postgres database through `pg` (an optional peer). Any number of processes may share it. Transactions are
 * serializable, and their work runs again after a conflict with another transaction. `Database` types the Kysely handle that
 * `identity.transaction` provides as `tx.db`; {@link pgClientOf} returns the connection under it.
 * @throws TypeError when an option is wrong; Error when a pool is needed and `pg` is not installed.
 */
export function postgresStorage<Database = unknown>(options: PostgresStorageOptions): Storage<Kysely<Database>> {
  assertKnownOptions("", options, optionNames);
  const { tablePrefix = "latchkey_", schema } = options ?? {};
  if (!/^[a-z][a-z0-9_]{0,30}$|^$/.test(tablePrefix))
    throw new TypeError("tablePrefix must be lower-case letters, digits and _.");
  if (schema !== undefined && !/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(schema))
    throw new TypeError("schema must be letters, digits and _.");
  if ((options?.pool === undefined) === (options?.connectionString === undefined))
    throw new TypeError(
      "postgresStorage needs one of { connectionString } and { pool }, such as postgres://user:password@host:5432/database.",
    );
  if (!((options.searchIndexFrom ?? 1) > 0)) throw new TypeError("searchIndexFrom must be a positive number.");
  assertPossible(options);
  const { aid, database } = openDatabase<Database>(options, { tablePrefix, schema });
  return createSqlStorage(database, { tablePrefix, schema }, aid);
}

function assertPossible(options: PostgresStorageOptions): void {
  const { isDistributed, notify, pooling = "session", readFrom, sessionConnectionString } = options;
  if (pooling !== "session" && pooling !== "transaction") throw new TypeError('pooling must be "session" or "transaction".');
  const isPooled = pooling === "transaction";
  if (sessionConnectionString !== undefined && !isPooled)
    throw new TypeError('sessionConnectionString goes with pooling: "transaction". Otherwise each connection keeps its session.');
  if (notify && isDistributed)
    throw new TypeError("notify must be false with isDistributed: such a database carries no notices.");
  assertReplicaOptions(options);
  if (isDistributed && readFrom !== undefined)
    throw new TypeError("readFrom does not go with isDistributed: such a database does not say how far a replica is.");
  if (notify && isPooled && sessionConnectionString === undefined)
    throw new TypeError('notify with pooling: "transaction" needs sessionConnectionString, on which the service listens.');
}
