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

/** Options of `postgresStorage`: one of `connectionString` and `pool`, and what goes with both. */
export interface PostgresStorageOptions extends ReplicaOptions {
  /** Where the database is, such as `postgres://user:password@host/database`; a pool is made for it. */
  readonly connectionString?: string;
  /** A pool of `pg` that the host has. It stays open when the storage closes. */
  readonly pool?: PgPoolLike;
  /** The schema of our tables, made when missing. Default: the first one of the connection's search path. */
  readonly schema?: string;
  /** Before the name of each of our tables and indexes. Default `latchkey_`. */
  readonly tablePrefix?: string;
  /** How many connections our own pool has at most. Default 10. */
  readonly maxConnections?: number;
  /** How long a connection is waited for before a call rejects with StorageUnavailable, in milliseconds. Default 10,000. */
  readonly connectionTimeoutMs?: number;
  /** How long a statement may take on a connection of our own pool, in milliseconds. Default 30,000. */
  readonly statementTimeoutMs?: number;
  /**
   * Whether processes notify each other of changes, so that a revoked key counts everywhere at once and not within a second: by NOTIFY, and
   * LISTEN on one connection beside those of the pool. Default: true with `connectionString`, false with `pool`, with `isDistributed`, and with
   * `pooling: "transaction"` unless there is a `sessionConnectionString`.
   */
  readonly notify?: boolean;
  /**
   * From how many records on a table gets indexes for the orders that searches ask for, which are made while others write
   * (docs/operations.md). Default 20,000; `Infinity`: never.
   */
  readonly searchIndexFrom?: number;
  /**
   * Whether a connection stays with one session of the server (`session`), or a pooler such as PgBouncer gives it another one for each
   * transaction. With `transaction`, no statement is prepared, set or locked beyond a transaction. Default `session`.
   */
  readonly pooling?: "session" | "transaction";
  /**
   * With `pooling: "transaction"`: where connections keep their session, such as the server itself or a pool in session mode. The service
   * listens there for notices and makes indexes there, on two connections at most. Default: it does neither.
   */
  readonly sessionConnectionString?: string;
  /**
   * Whether the database is a distributed one that speaks the protocol of Postgres: the service uses no notices, no advisory locks, and makes no
   * index or trigger while others write. Default false.
   */
  readonly isDistributed?: boolean;
}

interface Names {
  readonly tablePrefix: string;
  readonly schema: string | undefined;
}

/** What a storage on Postgres is made of. */
interface OpenedDatabase<Database> {
  readonly database: SqlDatabase<Kysely<Database>>;
  readonly aid: CreateSearchIndex;
}

/** Connects what a storage on Postgres is made of; nothing is asked of the database yet. */
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

// The state is that of the first statement.
async function onOneState<T>(connection: SqlConnection, work: (connection: SqlConnection) => Promise<T>): Promise<T> {
  await connection.first("select 1", []);
  return work(connection);
}
