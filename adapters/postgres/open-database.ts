import type { Kysely } from "kysely";
import type { CreateSearchIndex } from "../kysely/search/search-statements.js";
import type { SqlConnection, SqlDatabase } from "../kysely/sql/sql-connection.js";
import { Connections, createPool, defaultStatementMs } from "./connections/connections.js";
import { isReferenceError, type PgPoolLike } from "./connections/pg-types.js";
import { maxPrepared, PreparedStatements, toConnection } from "./connections/prepared-statements.js";
import { runMigration } from "./migration.js";
import { postgresProfile } from "./profile.js";
import { openReplicas, type ReplicaOptions } from "./replicas/replicas.js";
import { createSearchHelper } from "./search/search-helper.js";
import { createSignals, createTransactionSettings, openSessions } from "./sessions.js";
import { Transactions } from "./transactions.js";

/** Options of `postgresStorage`: one of `connectionString` and `pool`, and options for both. */
export interface PostgresStorageOptions extends ReplicaOptions {
  /** The URL of the database, such as `postgres://user:password@host/database`; the storage creates a pool for it. */
  readonly connectionString?: string;
  /** A `pg` pool of the host. It stays open when the storage closes. */
  readonly pool?: PgPoolLike;
  /** The schema of the service's tables, created when missing. Default: the first one of the connection's search path. */
  readonly schema?: string;
  /** The name prefix of the service's tables and indexes. Default `latchkey_`. */
  readonly tablePrefix?: string;
  /** The maximum number of connections in the storage's own pool. Default 10. */
  readonly maxConnections?: number;
  /** The maximum wait for a connection before a call rejects with StorageUnavailable, in milliseconds. Default 10,000. */
  readonly connectionTimeoutMs?: number;
  /** The statement timeout in the storage's own pool, in milliseconds. Default 30,000. */
  readonly statementTimeoutMs?: number;
  /**
   * Whether processes notify each other of changes, so that a revoked key takes effect everywhere at once instead of within a
   * second: by NOTIFY, and LISTEN on one connection beside the pool. Default: true with `connectionString`, false with `pool`,
   * with `isDistributed`, and with `pooling: "transaction"` without a `sessionConnectionString`.
   */
  readonly notify?: boolean;
  /**
   * The number of records from which a table gets indexes for the orders of searches, created while others write
   * (docs/operations.md). Default 20,000; `Infinity`: never.
   */
  readonly searchIndexFrom?: number;
  /**
   * Whether a connection keeps one session of the server (`session`), or a pooler such as PgBouncer assigns another one to each
   * transaction. With `transaction`, no prepared statement, setting or lock outlives a transaction. Default `session`.
   */
  readonly pooling?: "session" | "transaction";
  /**
   * With `pooling: "transaction"`: a URL where connections keep their session, such as the server itself or a pool in session
   * mode. There the service listens for notifications and creates indexes, on at most two connections. Default: it does neither.
   */
  readonly sessionConnectionString?: string;
  /**
   * Whether the database is a distributed one with the Postgres protocol: the service uses no notifications and no advisory
   * locks, and creates no index or trigger while others write. Default false.
   */
  readonly isDistributed?: boolean;
}

interface Names {
  readonly tablePrefix: string;
  readonly schema: string | undefined;
}

interface OpenedDatabase<Database> {
  readonly database: SqlDatabase<Kysely<Database>>;
  readonly aid: CreateSearchIndex;
}

/** Creates the parts of a Postgres storage, without a request to the database yet. */
export function openDatabase<Database>(options: PostgresStorageOptions, names: Names): OpenedDatabase<Database> {
  const waitMs = options.connectionTimeoutMs ?? 10_000;
  const isOwn = options.pool === undefined;
  const { isDistributed = false } = options;
  const isPooled = options.pooling === "transaction";
  const poolOptions = { ...options, sendsSettings: !isPooled };
  const pool = options.pool ?? createPool(poolOptions, waitMs);
  const connections = new Connections(pool, { waitMs, isOwn });
  const sessions = isPooled ? openSessions(options, { runtime: connections.runtime, waitMs }) : { pool, connections };
  const notify = options.notify ?? (isOwn && sessions !== undefined && !isDistributed);
  const signals = notify ? createSignals(sessions?.pool ?? pool, connections, names) : undefined;
  const statements = new PreparedStatements(isPooled ? 0 : maxPrepared);
  const { begin, onSettings } = createTransactionSettings(
    isPooled && isOwn ? (options.statementTimeoutMs ?? defaultStatementMs) : undefined,
  );
  const replicas = openReplicas(poolOptions, { primary: connections, statements, waitMs });
  const onCommit = (): void => replicas?.noteCommit();
  const transactions = new Transactions({ connections, statements, begin, onCommit, waitMs });
  const reader = toConnection(statements, (query) => connections.read((client) => client.query(query)));
  const database: SqlDatabase<Kysely<Database>> = {
    profile: postgresProfile,
    runtime: connections.runtime,
    reader,
    snapshot: (work) => transactions.run(({ connection }) => onOneState(connection, work), { isolation: "snapshot" }),
    isReferenceError,
    transaction: (work, transactionOptions) => transactions.run(work, transactionOptions),
    async migration(work) {
      const preparation = { ...names, hasNamedLocks: !isDistributed, onSettings };
      const result = await runMigration(connections, statements, preparation, work);
      signals?.start();
      return result;
    },
    ...(signals && { signals }),
    replicas,
    close: () => closeInTurn([signals, transactions, replicas, connections, sessions?.connections]),
  };
  const builder = isDistributed ? undefined : sessions?.connections;
  const indexFrom = builder === undefined ? Number.POSITIVE_INFINITY : (options.searchIndexFrom ?? 20_000);
  return { database, aid: createSearchHelper({ reader, connections, sessions: builder ?? connections, indexFrom }) };
}

async function closeInTurn(parts: readonly ({ close(): Promise<void> } | undefined)[]): Promise<void> {
  for (const part of parts) await part?.close();
}

// The first statement determines the state.
async function onOneState<T>(connection: SqlConnection, work: (connection: SqlConnection) => Promise<T>): Promise<T> {
  await connection.first("select 1", []);
  return work(connection);
}
