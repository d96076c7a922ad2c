// Settings that a session keeps, or that each transaction sets behind a pooler, which assigns another session.
import type { TransactionOptions } from "latchkey/ports";
import type { StorageRuntime } from "../internal/storage-runtime.js";
import { Connections, createPool } from "./connections/connections.js";
import type { PgPoolLike } from "./connections/pg-types.js";
import type { Preparation } from "./migration.js";
import type { TransactionParts } from "./shared-transactions.js";
import { Signals } from "./signals.js";

type Isolation = NonNullable<TransactionOptions["isolation"]>;

const levels: Readonly<Record<Isolation, string>> = { serializable: "serializable", snapshot: "repeatable read" };

/**
 * The text that begins a transaction, with its own settings: a statement timeout in milliseconds, if the connections have none.
 */
export function createTransactionSettings(
  statementMs: number | undefined,
): Pick<TransactionParts, "begin"> & Pick<Preparation, "onSettings"> {
  const limit = statementMs === undefined ? "" : `; set local statement_timeout to ${Math.trunc(statementMs)}`;
  let durability = "";
  return {
    begin: (isolation = "serializable") => `begin isolation level ${levels[isolation]}${limit}${durability}`,
    // Acknowledged commits are on disk, regardless of the database's default for transactions.
    onSettings({ isCommitLoose }) {
      durability = isCommitLoose ? "; set local synchronous_commit to on" : "";
    },
  };
}

/** Connections that keep their session, and their pool. */
interface Sessions {
  readonly pool: PgPoolLike;
  readonly connections: Connections;
}

interface SessionOptions {
  readonly sessionConnectionString?: string;
  readonly statementTimeoutMs?: number;
}

interface SessionParts {
  readonly runtime: StorageRuntime;
  readonly waitMs: number;
}

/** Opens connections that bypass a pooler in transaction mode; undefined without a URL for them. */
export function openSessions(options: SessionOptions, { runtime, waitMs }: SessionParts): Sessions | undefined {
  const { sessionConnectionString } = options;
  if (sessionConnectionString === undefined) return undefined;
  const settings = { ...options, connectionString: sessionConnectionString, maxConnections: 1, sendsSettings: false };
  const pool = createPool(settings, waitMs);
  return { pool, connections: new Connections(pool, { runtime, waitMs, isOwn: true }) };
}

interface Place {
  readonly tablePrefix: string;
  readonly schema: string | undefined;
}

/** Notifications between the processes on the same tables. */
export function createSignals(pool: PgPoolLike, connections: Connections, { schema, tablePrefix }: Place): Signals {
  const { Client } = pool;
  return new Signals({
    runtime: connections.runtime,
    place: `${schema ?? ""} ${tablePrefix}`,
    createListener: Client && (() => new Client(pool.options)),
    query: (query) => connections.read((client) => client.query(query)),
  });
}
