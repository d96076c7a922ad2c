/** The part of a `better-sqlite3` database that is used here. */
export interface SqliteDatabaseLike {
  readonly inTransaction: boolean;
  prepare(sql: string): SqliteStatementLike;
  pragma(source: string, options?: { simple?: boolean }): unknown;
  /** The content of the database. */
  serialize(): Buffer;
  close(): unknown;
}

/** The part of a `better-sqlite3` statement that is used here. */
interface SqliteStatementLike {
  readonly reader: boolean;
  /** Whether rows are returned as the value of their first column. */
  pluck(isOn: boolean): this;
  all(...parameters: unknown[]): unknown[];
  iterate(...parameters: unknown[]): Iterable<unknown>;
  get(...parameters: unknown[]): unknown;
  run(...parameters: unknown[]): { changes: number; lastInsertRowid: number | bigint };
}

/** The result of any statement. */
export type StatementOutcome = { readonly rows: readonly unknown[] } | ReturnType<SqliteStatementLike["run"]>;

type Parameters = readonly unknown[];

const maxStatements = 500;

/** The statements of one connection, each prepared once: preparing is most of the cost of a small statement. */
export class PreparedStatements {
  readonly #database: SqliteDatabaseLike;
  readonly #statements = new Map<string, SqliteStatementLike>();

  constructor(database: SqliteDatabaseLike) {
    this.#database = database;
  }

  all(sql: string, parameters: Parameters): readonly unknown[] {
    return this.#statement(sql).all(...parameters);
  }

  /** The rows of a statement for records; undefined when their JSON exceeds `maxBytes`. */
  allWithin(sql: string, parameters: Parameters, maxBytes: number): readonly unknown[] | undefined {
    const rows: unknown[] = [];
    let bytes = 0;
    for (const row of this.#statement(sql).iterate(...parameters)) {
      bytes += Buffer.byteLength((row as { readonly json: string | null }).json ?? "");
      if (bytes > maxBytes) return undefined;
      rows.push(row);
    }
    return rows;
  }

  first(sql: string, parameters: Parameters): unknown {
    return this.#statement(sql).get(...parameters);
  }

  column(sql: string, parameters: Parameters): readonly unknown[] {
    const statement = this.#statement(sql).pluck(true);
    try {
      return statement.all(...parameters);
    } finally {
      // The host may run the same text.
      statement.pluck(false);
    }
  }

  run(sql: string, parameters: Parameters): number {
    return this.#statement(sql).run(...parameters).changes;
  }

  /** Runs any statement; the statement knows whether it returns rows. */
  execute(sql: string, parameters: Parameters): StatementOutcome {
    const statement = this.#statement(sql);
    return statement.reader ? { rows: statement.all(...parameters) } : statement.run(...parameters);
  }

  #statement(sql: string): SqliteStatementLike {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      if (this.#statements.size >= maxStatements) this.#forgetOldest();
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #forgetOldest(): void {
    for (const sql of this.#statements.keys()) {
      this.#statements.delete(sql);
      return;
    }
  }
}

/** The database file, the module that opens it, and the settings of a thread's connection. */
export interface ThreadOptions {
  readonly filename: string;
  readonly driver: string;
  readonly pragmas: readonly string[];
  /** The statement that begins its transactions. */
  readonly begin: string;
  /** The niceness of the thread on Linux, from 1 to 19. Default: that of the process. */
  readonly niceness?: number;
}

/** Work on the connection as a whole. */
type ThreadControl =
  | { readonly kind: "begin" | "rollback" | "close" }
  /** Checkpoints the log if it has at least so many pages. */
  | { readonly kind: "checkpoint"; readonly fromPages: number };

/** Work within a transaction. `each` runs a statement once for each list of parameters. */
export type ThreadStatement =
  | { readonly kind: "commit" }
  | {
      readonly kind: "all" | "first" | "column" | "run" | "execute";
      readonly sql: string;
      readonly parameters: readonly unknown[];
    }
  | { readonly kind: "within"; readonly sql: string; readonly parameters: readonly unknown[]; readonly maxBytes: number }
  | { readonly kind: "each"; readonly sql: string; readonly lists: readonly (readonly unknown[])[] };

/** The work of the thread, processed in order. */
export type ThreadWork = ThreadControl | ThreadStatement;

/** Work with the id of its response. */
export type ThreadCall = ThreadWork & { readonly id: number };

/** The first message of the thread, once its connection is open. */
export const ready = "ready";

/** The result of a call. */
export type ThreadResult =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: { readonly message: string; readonly code: string | undefined } };
