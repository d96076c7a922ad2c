import type { QueryCompiler } from "kysely";

/** One row as a driver returns it. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** Values bound to a statement. */
export type SqlParameters = readonly unknown[];

/** One connection that keeps its prepared statements. A driver may answer at once or later. */
export interface SqlConnection {
  all(sql: string, parameters: SqlParameters): readonly SqlRow[] | Promise<readonly SqlRow[]>;
  /** The first row, for statements that find at most one. */
  first(sql: string, parameters: SqlParameters): SqlRow | undefined | Promise<SqlRow | undefined>;
  /** Answers how many rows were changed. */
  run(sql: string, parameters: SqlParameters): number | Promise<number>;
}

/** A transaction in progress: its connection, and the host's own handle on it. */
export interface SqlTransaction<Native> {
  readonly connection: SqlConnection;
  readonly native: Native;
  savepoint<T>(work: () => Promise<T>): Promise<T>;
  afterCommit(callback: () => void): void;
}

/** What a database must offer to be a storage. */
export interface SqlDatabase<Native> {
  readonly profile: SqlProfile;
  /** For reads outside of transactions. */
  readonly reader: SqlConnection;
  transaction<T>(work: (tx: SqlTransaction<Native>) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Where databases differ. Each fact stands here once. */
export interface SqlProfile {
  /** Writes SQL for this database. */
  readonly compiler: QueryCompiler;
  /** The column types of DDL. */
  readonly columnTypes: {
    readonly text: "text";
    readonly integer: "integer" | "bigint";
    readonly boolean: "integer" | "boolean";
  };
  /** Turns a column value into what the driver binds. */
  readonly toParameter: (value: string | number | boolean | null) => unknown;
  /** Whether LIKE takes small and capital ASCII letters for the same; patterns are tested with GLOB then. Default false. */
  readonly likeIgnoresCase?: boolean;
  /** `contains`: SQL that is true when the text of the first operand holds the second. */
  readonly containsFunction: "instr" | "strpos";
  /** SQL that turns one bound value into the rows of a list, and the value to bind. */
  readonly listSource: {
    readonly sql: (parameter: string) => string;
    readonly toParameter: (values: readonly unknown[]) => unknown;
  };
  /** Whether ascending order puts nulls first without being told. Default false. */
  readonly sortsNullsFirst: boolean;
  /** The column that every row has by itself and that names it within its table. */
  readonly rowName: "rowid" | "ctid";
  /** Whether rows can be locked, and locked ones passed over. Default false: one transaction writes at a time. */
  readonly locksRows?: boolean;
  /** Whether tables can be kept in the order of their ids, which spares the index on ids. Default false. */
  readonly clustersById: boolean;
  readonly isDurable: boolean;
  readonly isShared: boolean;
}
