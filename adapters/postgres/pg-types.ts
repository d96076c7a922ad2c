/** What a statement answers. */
export interface PgResult {
  readonly rows: readonly Record<string, unknown>[];
  readonly rowCount: number | null;
  readonly command: string;
}

/** A statement as `pg` takes it. One with a name is prepared once for each connection. */
export interface PgQuery {
  readonly text: string;
  readonly values?: unknown[];
  readonly name?: string;
  /** How long its answer is waited for, in milliseconds, instead of how long the connection says. */
  readonly query_timeout?: number;
  readonly types?: { getTypeParser(oid: number): (text: string) => unknown };
}

/** The part of a connection of `pg` that is used here. */
export interface PgClientLike {
  /** Whether statements are sent before those ahead of them are answered. */
  readonly pipeline?: boolean;
  /** What carries the statements to the server. */
  readonly connection?: { readonly stream: { cork(): void; uncork(): void } };
  query(query: PgQuery): Promise<PgResult>;
  /** Returns it to its pool, which closes it when given an error. */
  release(error?: Error | boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}

/** The part of a connection of `pg` outside of any pool that is used here. */
export interface PgListenerLike {
  connect(): Promise<unknown>;
  query(query: PgQuery): Promise<unknown>;
  end(): Promise<void>;
  /** Lets the process end although it is open. */
  unref?(): void;
  ref?(): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "end", listener: () => void): unknown;
  on(event: "notification", listener: (notification: { readonly payload?: string | undefined }) => void): unknown;
}

/** The part of a pool of `pg` that is used here. */
export interface PgPoolLike {
  readonly options: { readonly max?: number | undefined };
  /** What makes connections like those of the pool. */
  readonly Client?: new (
    options: object,
  ) => PgListenerLike;
  connect(): Promise<PgClientLike>;
  end(): Promise<void>;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}
