import { StorageUnavailable } from "latchkey/ports";

/** The result of a statement. */
export interface PgResult {
  /** The rows, by column name. */
  readonly rows: readonly Record<string, unknown>[];
  /** The number of rows that the statement changed or returned; null for statements without rows. */
  readonly rowCount: number | null;
  /** The kind of statement, such as `INSERT`. */
  readonly command: string;
}

/** A statement for `pg`. A named one is prepared once for each connection. */
export interface PgQuery {
  /** The SQL, with `$1`, `$2` and so on for values. */
  readonly text: string;
  /** The values of the placeholders, in order. */
  readonly values?: unknown[];
  /** The name of the prepared statement; absent for one that runs once. */
  readonly name?: string;
  /** The timeout for its response, in milliseconds, instead of that of the connection. */
  readonly query_timeout?: number;
  /** Parsers for columns by the id of their type. Default: those of `pg`. */
  readonly types?: { getTypeParser(oid: number): (text: string) => unknown };
}

/** The part of a connection of `pg` that is used here. */
export interface PgClientLike {
  /** Whether statements are sent before the response to earlier ones. */
  readonly pipeline?: boolean;
  /** The connection to the server. */
  readonly connection?: { readonly stream: { cork(): void; uncork(): void } };
  /** Runs a statement; rejects with the error of the server or the connection. */
  query(query: PgQuery): Promise<PgResult>;
  /** Returns it to its pool, which closes it when given an error. */
  release(error?: Error | boolean): void;
  /** Adds a listener for errors of the connection outside of statements. */
  on(event: "error", listener: (error: Error) => void): unknown;
  /** Removes a listener. */
  off(event: "error", listener: (error: Error) => void): unknown;
}

/** The part of a standalone connection of `pg` that is used here. */
export interface PgListenerLike {
  /** Opens the connection. */
  connect(): Promise<unknown>;
  /** Runs a statement, such as `LISTEN`. */
  query(query: PgQuery): Promise<unknown>;
  /** Closes the connection. */
  end(): Promise<void>;
  /** Lets the process exit while the connection is open. */
  unref?(): void;
  /** Keeps the process alive while the connection is open. */
  ref?(): void;
  /** Adds a listener for errors, the end of the connection or notifications. */
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "end", listener: () => void): unknown;
  on(event: "notification", listener: (notification: { readonly payload?: string | undefined }) => void): unknown;
}

/** The part of a pool of `pg` that is used here. */
export interface PgPoolLike {
  /** Settings of the pool: `max` is its number of connections. */
  readonly options: { readonly max?: number | undefined };
  /** The class of the pool's connections. */
  readonly Client?: new (
    options: object,
  ) => PgListenerLike;
  /** Takes a connection from the pool; waits while all are in use. */
  connect(): Promise<PgClientLike>;
  /** Closes all connections. */
  end(): Promise<void>;
  /** Adds a listener for errors of idle connections. */
  on(event: "error", listener: (error: Error) => void): unknown;
  /** Removes a listener. */
  off(event: "error", listener: (error: Error) => void): unknown;
}

/** The SQLSTATE of a server error; empty for errors of the connection and of the service. */
function sqlState(error: unknown): string {
  const isServers = error instanceof Error && "severity" in error && "code" in error;
  return isServers ? String(error.code) : "";
}

/** Whether a transaction conflicts with another, so that a retry may succeed: a serialization failure or a deadlock. */
export function isConflict(error: unknown): boolean {
  return /^40001$|^40P01$/.test(sqlState(error));
}

/** Whether an error is a violation of a unique key or a foreign key. */
export function isConstraint(error: unknown): boolean {
  return /^2350[35]$/.test(sqlState(error));
}

/** Whether an error means that a table is missing. */
export function isMissingTable(error: unknown): boolean {
  return sqlState(error) === "42P01";
}

/** Whether an error is a foreign key violation. */
export function isReferenceError(error: unknown): boolean {
  return sqlState(error) === "23503";
}

/** Whether a statement was refused because an earlier one of its transaction failed. */
export function isAborted(error: unknown): boolean {
  return sqlState(error) === "25P02";
}

/** Whether a migration conflicts with another one: both create the same schema, table, column, index or version. */
export function isMigrationConflict(error: unknown): boolean {
  return isConflict(error) || /^23505$|^42P0[67]$|^427(01|10)$/.test(sqlState(error));
}

// Errors of connections, resources, operator intervention and the system; a server that is no longer writable; a session ended
// for being idle; logins and databases refused at present.
const unavailableStates = /^(08|53|57|58|28|3D)|^25006$|^25P03$/;

/** Explains why the database cannot be used, and the fix. `place` is the option with host, user and name. */
export function explainConnection(error: unknown, place = "connectionString"): string {
  const state = sqlState(error);
  const said = messageOf(error);
  if (state === "3D000") return `${said}. Create the database, or correct its name in ${place}.`;
  if (state.startsWith("28")) return `${said}. Correct user and password in ${place}.`;
  if (state === "53300") return `${said}. Lower maxConnections, or raise max_connections of the server.`;
  if (/ECONNREFUSED/.test(said)) return `${said}. Start the server, or correct host and port in ${place}.`;
  if (/ENOTFOUND|EAI_AGAIN/.test(said)) return `${said}. Correct the host in ${place}.`;
  return said;
}

// The library collects errors of several addresses in one without a message.
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "")
    return [...new Set(error.errors.map((one) => (one instanceof Error ? one.message : String(one))))].join(", ");
  return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
}

/** Converts an error of an unavailable database; returns other errors unchanged. */
export function toUnavailable(error: unknown): unknown {
  const state = sqlState(error);
  const isGone = state === "" ? isBroken(error) : unavailableStates.test(state);
  return isGone
    ? new StorageUnavailable(`The database cannot be used at present: ${explainConnection(error)}`, { cause: error })
    : error;
}

/** Explains a refused change of the schema, and the fix; returns other errors unchanged. `command` makes the change. */
export function explainPermission(error: unknown, command: "latchkey indexes" | "latchkey migrate"): unknown {
  if (sqlState(error) !== "42501") return error;
  const fix = `Run ${command} as the owner of the tables, such as with another user in the URL of the database.`;
  return new Error(`The user of the database may not change its schema: ${messageOf(error)}. ${fix}`, { cause: error });
}

/** Whether the connection of an error is unusable. */
export function isBroken(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof StorageUnavailable) return false;
  if ("severity" in error) return error.severity === "FATAL" || error.severity === "PANIC";
  // The library's own errors report a lost connection or a deadline; an error about a value is a mistake of the caller.
  return !(error instanceof TypeError || error instanceof RangeError);
}
