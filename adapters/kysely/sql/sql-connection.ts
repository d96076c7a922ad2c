import type { QueryCompiler } from "kysely";
import {
  type ColumnType,
  ReferenceViolation,
  ResultTooLarge,
  type SizeLimit,
  type StorageSignals,
  type StoredRecord,
  type Table,
  type TransactionOptions,
} from "latchkey/ports";
import type { StorageRuntime } from "../../internal/storage-runtime.js";
import type { Fragment, Query } from "./fragment.js";

/** One row as a driver returns it. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** Values bound to a statement. */
export type SqlParameters = readonly unknown[];

/** A connection with cached prepared statements. A driver may respond synchronously or not. */
export interface SqlConnection {
  all(sql: string, parameters: SqlParameters): readonly SqlRow[] | Promise<readonly SqlRow[]>;
  /**
   * All rows of a statement for records; undefined when their JSON exceeds `maxBytes`. Default: another statement measures them.
   */
  allWithin?(
    sql: string,
    parameters: SqlParameters,
    maxBytes: number,
  ): readonly SqlRow[] | undefined | Promise<readonly SqlRow[] | undefined>;
  /** The first row, for statements that find at most one. */
  first(sql: string, parameters: SqlParameters): SqlRow | undefined | Promise<SqlRow | undefined>;
  /** The first column of all rows. */
  column(sql: string, parameters: SqlParameters): readonly unknown[] | Promise<readonly unknown[]>;
  /** Returns the number of changed rows. */
  run(sql: string, parameters: SqlParameters): number | Promise<number>;
  /** Runs a statement once for each list, and returns the number of rows that each changed: saves round trips. */
  runEach?(sql: string, lists: readonly SqlParameters[]): readonly number[] | Promise<readonly number[]>;
  /** As `run`, for an insert of one record, with the statement that undoes it: avoids a savepoint. */
  insert?(sql: string, parameters: SqlParameters, undo: Query): number | Promise<number>;
  /** As `insert`, but fails when the record collides. It may resolve before the database responds: see `mayCollideLate`. */
  insertAhead?(sql: string, parameters: SqlParameters, undo: Query): Promise<void>;
  /** The same for many records, which only the surrounding savepoint can undo. */
  insertManyAhead?(sql: string, parameters: SqlParameters): Promise<void>;
  /**
   * Sends a query that must find nothing. If it finds a row, the transaction is rolled back and its work runs again: see
   * `mayCollideLate`.
   */
  expectNone?(sql: string, parameters: SqlParameters): void;
  /** Sends a statement without waiting for its response. If it fails, its transaction does not commit. */
  post?(sql: string, parameters: SqlParameters): void;
}

/** A transaction in progress: its connection, and the host's handle on it. */
export interface SqlTransaction<Native> {
  readonly connection: SqlConnection;
  readonly native: Native;
  savepoint<T>(work: () => Promise<T>): Promise<T>;
  /** Rolls back the open savepoints. Called at the end, if the connection has `post`. */
  undoOpen?(): void;
  afterCommit(callback: () => void): void;
  /** Resolves when the database has responded to all inserts so far. Absent: each waits for its own response. */
  readonly settle?: (() => Promise<void>) | undefined;
  /** Whether other transactions wait for this one to end. Absent: none do. */
  readonly isAwaited?: (() => boolean) | undefined;
  /** Called with the record about to be changed, where transactions run concurrently. It may reject. */
  announce?(table: string, id: string): Promise<void>;
  /** Whether a collision may surface only at the end of the transaction, whose work then runs again. Default false. */
  readonly isHopeful?: boolean;
  /** Records read in this transaction that are still current, for the units that share it. */
  readonly known?: KnownRecords | undefined;
}

/** The interface of a database for a storage. */
export interface SqlDatabase<Native> {
  readonly profile: SqlProfile;
  /** Adopts the runtime of the service that opens the storage. */
  readonly runtime: StorageRuntime;
  /** For reads outside of transactions. */
  readonly reader: SqlConnection;
  /** Runs long reads, each on one state of the database. Default: `reader` runs them. */
  readonly longReads?: LongReads | undefined;
  /** Reads from replicas. Default: none. */
  readonly replicas?: ReplicaReads | undefined;
  transaction<T>(work: (tx: SqlTransaction<Native>) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Whether an error of a write is a foreign key violation. */
  isReferenceError(error: unknown): boolean;
  /** Runs reads on the current state of the database, while others write. */
  snapshot<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T>;
  /** A transaction that changes the schema, one at a time across processes. */
  migration<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T>;
  /** Rebuilds tables with the layout of an earlier release. Called after the migration. */
  rebuildTables?(tables: readonly Table[]): Promise<void>;
  readonly signals?: StorageSignals;
  close(): Promise<void>;
}

/** Long reads of a database that runs on the event loop. */
export interface LongReads {
  /** Whether a scan of a table, by its name in SQL, takes long. */
  isLarge(table: string): boolean;
  /** Calls `work` with one of a few connections. */
  run<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T>;
}

/** Reads from replicas of the database. */
export interface ReplicaReads {
  /** The number of reads by outcome since the process started. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Calls `work` with a connection to a replica that has all commits of this process, else `readPrimary`. */
  read<T>(work: (connection: SqlConnection) => Promise<T>, readPrimary: () => Promise<T>): Promise<T>;
}

/** The differences between databases. Each fact has one place here. */
export interface SqlProfile {
  readonly compiler: QueryCompiler;
  readonly columnTypes: {
    readonly text: "text" | 'text collate "C"';
    readonly integer: "integer" | "bigint";
    readonly boolean: "integer" | "boolean";
  };
  /**
   * The array types of such columns, if one statement can write many records from arrays. Default: records are written one by
   * one.
   */
  readonly arrayTypes?: Readonly<Record<ColumnType, string>>;
  /** Converts an array for the driver. Default: the list of its values. */
  readonly toArray?: (values: readonly unknown[]) => unknown;
  /** Converts a column value for the driver. */
  readonly toParameter: (value: string | number | boolean | null) => unknown;
  /** Whether LIKE ignores the case of ASCII letters; GLOB tests patterns then. Default false. */
  readonly likeIgnoresCase?: boolean;
  /**
   * The number of characters from which a substring is tested with LIKE, which can use an index, instead of `strpos`: for shorter
   * ones the index would be read completely, which takes longer than the table.
   */
  readonly likeFrom?: number;
  /** Substring indexes, created once a table is large. Default: the database has none. */
  readonly substrings?: {
    /** Prepares the database for them, if possible. Called in a migration. */
    readonly prepare: (connection: SqlConnection) => Promise<void>;
    /** The operator class of such an index; undefined if unavailable. */
    readonly findOperators: (connection: SqlConnection) => Promise<string | undefined>;
    /** The message for a database without it, with the fix. */
    readonly needs: string;
  };
  /** SQL before and after the bound list that tests whether it contains a value, and the conversion of the list. */
  readonly listTest: {
    readonly before: string;
    readonly after: string;
    readonly toParameter: (values: readonly unknown[]) => unknown;
  };
  /** Whether an error of a statement means that a table is missing. */
  readonly isMissingTable: (error: unknown) => boolean;
  /** Whether ascending order puts nulls first by default. Default false. */
  readonly sortsNullsFirst: boolean;
  /** The DDL of a log's key: it grows with each row, and never reuses a number. */
  readonly logOrder: string;
  /** SQL that lists the `name` of each table and index of a schema, with a row for each `column` of a table. */
  readonly listSchema: (schema: string | undefined) => Fragment;
  /** Whether the database can lock rows and skip locked ones. Default false: one transaction writes at a time. */
  readonly locksRows?: boolean;
  /** SQL for the column value of a member of a JSON text; it can be indexed. */
  readonly member: (json: Fragment, path: string) => Fragment;
  /** SQL that is true when the list in a member of a JSON text contains an item. */
  readonly includes: (json: Fragment, path: string, item: string) => Fragment;
  /**
   * Whether the database uses statistics to choose an index. If not, `+` before a column prevents a test from choosing one.
   * Default true.
   */
  readonly choosesBySize?: boolean;
  /** Whether others than the migration create indexes that only large tables need. Default false. */
  readonly makesLargeIndexes?: boolean;
  /** The maximum length of names; longer ones are shortened to distinct ones. Default: unlimited. */
  readonly maxNameLength?: number;
  /** Whether indexes contain the ids of their rows, so that an index alone finds the ids of a page. Default false. */
  readonly indexesHoldIds?: boolean;
  readonly isDurable: boolean;
  readonly isShared: boolean;
}

type Found = Promise<readonly StoredRecord[]>;

/** The maximum number of cached results of a table: transactions may be long. */
const maxKnown = 100;

/** Results read within one transaction that are still current: nothing was written to their table since. */
export class KnownRecords {
  readonly #byTable = new Map<string, Map<string, Found>>();

  /** Returns the cached result of a table under this name, else that of `read`. */
  find(table: string, name: string, read: () => Found): Found {
    const known = this.#byTable.get(table) ?? new Map<string, Found>();
    if (known.size >= maxKnown) known.clear();
    this.#byTable.set(table, known);
    const found = known.get(name) ?? read();
    known.set(name, found);
    return found;
  }

  /** Invalidates the results of a table before a change; those of all tables when others may change with it. */
  forget(table?: string): void {
    if (table === undefined) this.#byTable.clear();
    else this.#byTable.delete(table);
  }

  /** Runs work whose writes are rolled back when it rejects: reads of those writes are then invalid. */
  async forgetIfUndone<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.forget();
      throw error;
    }
  }
}

/**
 * Runs a statement once for each list of parameters, and checks the number of rows each changed: all at once if the connection
 * can.
 */
export async function runForEach(
  connection: SqlConnection,
  sql: string,
  lists: readonly SqlParameters[],
  check: (count: number, index: number) => void | Promise<void>,
): Promise<void> {
  const counts = lists.length > 1 ? await connection.runEach?.(sql, lists) : undefined;
  for (const [index, parameters] of lists.entries()) {
    const changed = counts?.[index] ?? connection.run(sql, parameters);
    const checked = check(changed instanceof Promise ? await changed : changed, index);
    if (checked !== undefined) await checked;
  }
}

/**
 * The rows of a query for records, measured before or during the read: very many large texts would exceed the memory of the
 * process.
 * @throws ResultTooLarge when their JSON is larger than the limit.
 */
export async function readWithin(connection: SqlConnection, query: Query, limit: SizeLimit): Promise<readonly SqlRow[]> {
  if (connection.allWithin !== undefined) {
    const rows = await connection.allWithin(query.sql, query.parameters, limit.maxBytes);
    if (rows === undefined) throw new ResultTooLarge(limit.maxBytes);
    return rows;
  }
  const text = `select coalesce(sum(octet_length(measured.json)), 0) as bytes from (${query.sql}) as measured`;
  const size = await connection.first(text, query.parameters);
  if (Number(size?.bytes) > limit.maxBytes) throw new ResultTooLarge(limit.maxBytes);
  return connection.all(query.sql, query.parameters);
}

/** Converts foreign key errors of running work to ReferenceViolation. */
export function withReferences<T>(
  { isReferenceError }: Pick<SqlDatabase<unknown>, "isReferenceError">,
  running: Promise<T>,
): Promise<T> {
  return running.catch((error: unknown) => {
    throw isReferenceError(error) ? new ReferenceViolation({ cause: error }) : error;
  });
}
