/** What a statement answers. */
export interface PgResult {
  /** The rows, by column name. */
  readonly rows: readonly Record<string, unknown>[];
  /** How many rows the statement changed or returned; null for statements without rows. */
  readonly rowCount: number | null;
  /** The kind of statement, such as `INSERT`. */
  readonly command: string;
}

/** A statement as `pg` takes it. One with a name is prepared once for each connection. */
export interface PgQuery {
  /** The SQL, with `$1`, `$2` and so on for values. */
  readonly text: string;
  /** The values of the placeholders, in order. */
  readonly values?: unknown[];
  /** The name of the prepared statement; absent for one that runs once. */
  readonly name?: string;
  /** How long its answer is waited for, in milliseconds, instead of how long the connection says. */
  readonly query_timeout?: number;
  /** Parsers for columns by the id of their type. Default: those of `pg`. */
  readonly types?: { getTypeParser(oid: number): (text: string) => unknown };
}

/** The part of a connection of `pg` that is used here. */
export interface PgClientLike {
  /** Whether statements are sent before those ahead of them are answered. */
  readonly pipeline?: boolean;
  /** What carries the statements to the server. */
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

/** The part of a connection of `pg` outside of any pool that is used here. */
export interface PgListenerLike {
  /** Opens the connection. */
  connect(): Promise<unknown>;
  /** Runs a statement, such as `LISTEN`. */
  query(query: PgQuery): Promise<unknown>;
  /** Closes the connection. */
  end(): Promise<void>;
  /** Lets the process end although it is open. */
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
  /** What makes connections like those of the pool. */
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
