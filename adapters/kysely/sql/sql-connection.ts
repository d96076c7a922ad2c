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

/** One connection that keeps its prepared statements. A driver may answer at once or later. */
export interface SqlConnection {
  all(sql: string, parameters: SqlParameters): readonly SqlRow[] | Promise<readonly SqlRow[]>;
  /** All rows of a statement for records, and undefined where their JSON has more bytes. Default: another statement measures them. */
  allWithin?(
    sql: string,
    parameters: SqlParameters,
    maxBytes: number,
  ): readonly SqlRow[] | undefined | Promise<readonly SqlRow[] | undefined>;
  /** The first row, for statements that find at most one. */
  first(sql: string, parameters: SqlParameters): SqlRow | undefined | Promise<SqlRow | undefined>;
  /** The first column of all rows. */
  column(sql: string, parameters: SqlParameters): readonly unknown[] | Promise<readonly unknown[]>;
  /** Answers how many rows were changed. */
  run(sql: string, parameters: SqlParameters): number | Promise<number>;
  /** Runs a statement once for each list, and answers how many rows each changed: for connections that are some way off. */
  runEach?(sql: string, lists: readonly SqlParameters[]): readonly number[] | Promise<readonly number[]>;
  /** As `run`, of an insert of one record that stores it or nothing, with the statement that undoes it: it spares a savepoint. */
  insert?(sql: string, parameters: SqlParameters, undo: Query): number | Promise<number>;
  /** As `insert`, of one that fails where the record collides. It may resolve before the database has answered: see `mayCollideLate`. */
  insertAhead?(sql: string, parameters: SqlParameters, undo: Query): Promise<void>;
  /** The same for an insert of many records, which nothing undoes but the savepoint around it. */
  insertManyAhead?(sql: string, parameters: SqlParameters): Promise<void>;
  /** Sends a query that must find nothing. Where it finds a row, the transaction is undone and its work runs again: see `mayCollideLate`. */
  expectNone?(sql: string, parameters: SqlParameters): void;
  /** Sends a statement whose answer nobody needs, where that spares waiting for it. Should it fail, its transaction is not kept. */
  post?(sql: string, parameters: SqlParameters): void;
}

/** A transaction in progress: its connection, and the host's own handle on it. */
export interface SqlTransaction<Native> {
  readonly connection: SqlConnection;
  readonly native: Native;
  savepoint<T>(work: () => Promise<T>): Promise<T>;
  /** Undoes the savepoints that are still open. Called at the end, where the connection has `post`. */
  undoOpen?(): void;
  afterCommit(callback: () => void): void;
  /** Resolves when the database has answered all inserts so far. Absent: each waits for its own answer. */
  readonly settle?: (() => Promise<void>) | undefined;
  /** Whether other transactions wait for this one to end. Absent: none does. */
  readonly isAwaited?: (() => boolean) | undefined;
  /** Called with the record about to be changed, where transactions run concurrently. It may reject. */
  announce?(table: string, id: string): Promise<void>;
  /** Whether a record that collides may be found out at the end of the transaction, whose work runs again then. Default false. */
  readonly isHopeful?: boolean;
  /** What was read in this transaction and still holds, for units that share it and ask for the same. */
  readonly known?: KnownRecords | undefined;
}

/** What a database must offer to be a storage. */
export interface SqlDatabase<Native> {
  readonly profile: SqlProfile;
  /** Adopts the runtime of the service that opens the storage. */
  readonly runtime: StorageRuntime;
  /** For reads outside of transactions. */
  readonly reader: SqlConnection;
  /** Runs reads that may take long, each on one state of the database. Default: they are run by `reader`. */
  readonly longReads?: LongReads | undefined;
  /** Other servers that reads may go to. Default: there are none. */
  readonly replicas?: ReplicaReads | undefined;
  transaction<T>(work: (tx: SqlTransaction<Native>) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Whether an error of a write says that a reference does not hold. */
  isReferenceError(error: unknown): boolean;
  /** Runs reads on the state of the database as it is now, while others write. */
  snapshot<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T>;
  /** A transaction that changes the schema: no other process's runs at the same time. */
  migration<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T>;
  /** Rebuilds tables that an earlier release laid out otherwise. Called after the migration. */
  rebuildTables?(tables: readonly Table[]): Promise<void>;
  readonly signals?: StorageSignals;
  close(): Promise<void>;
}

/** How a database that answers on the event loop reads beside it. */
export interface LongReads {
  /** Whether a table, by its name in SQL, has so many records that looking through it takes long. */
  isLarge(table: string): boolean;
  /** Calls `work` with one of a few connections. */
  run<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T>;
}

/** How a database reads from others that follow it. */
export interface ReplicaReads {
  /** How many reads had which outcome since the process started. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Calls `work` with a connection to a replica that has all that this process has committed, else `readPrimary`. */
  read<T>(work: (connection: SqlConnection) => Promise<T>, readPrimary: () => Promise<T>): Promise<T>;
}

/** Where databases differ. Each fact stands here once. */
export interface SqlProfile {
  /** Writes SQL for this database. */
  readonly compiler: QueryCompiler;
  /** The column types of DDL. */
  readonly columnTypes: {
    readonly text: "text" | 'text collate "C"';
    readonly integer: "integer" | "bigint";
    readonly boolean: "integer" | "boolean";
  };
  /** The types of arrays of such columns, where one statement can write many records from them. Default: records are written one by one. */
  readonly arrayTypes?: Readonly<Record<ColumnType, string>>;
  /** What the driver binds for an array. Default: the list of its values. */
  readonly toArray?: (values: readonly unknown[]) => unknown;
  /** Turns a column value into what the driver binds. */
  readonly toParameter: (value: string | number | boolean | null) => unknown;
  /** Whether LIKE takes small and capital ASCII letters for the same; patterns are tested with GLOB then. Default false. */
  readonly likeIgnoresCase?: boolean;
  /**
   * From how many characters on a text inside of others is tested with LIKE, which an index may answer, and not with `strpos`: for shorter
   * ones an index would be read from one end to the other, which takes longer than the table.
   */
  readonly likeFrom?: number;
  /** Indexes that find texts inside of texts, which are made once a table is large. Default: the database has none. */
  readonly substrings?: {
    /** Has the database ready for them, where that can be had. Called in a migration. */
    readonly prepare: (connection: SqlConnection) => Promise<void>;
    /** The operator class of such an index; undefined when it cannot be had. */
    readonly findOperators: (connection: SqlConnection) => Promise<string | undefined>;
    /** What the database lacks then, with the fix. */
    readonly needs: string;
  };
  /** SQL around one bound value that is true when the list in it holds what stands before, and the value to bind. */
  readonly listTest: {
    readonly before: string;
    readonly after: string;
    readonly toParameter: (values: readonly unknown[]) => unknown;
  };
  /** Whether an error of a statement says that a table is not there. */
  readonly isMissingTable: (error: unknown) => boolean;
  /** Whether ascending order puts nulls first by default. Default false. */
  readonly sortsNullsFirst: boolean;
  /** The key of a log: what makes its column grow with each row, and never take a number twice. */
  readonly logOrder: string;
  /** SQL that lists the `name` of each table and index of a schema, with a row for each `column` of a table. */
  readonly listSchema: (schema: string | undefined) => Fragment;
  /** Whether rows can be locked, and locked ones passed over. Default false: one transaction writes at a time. */
  readonly locksRows?: boolean;
  /** SQL for the value of a member of a JSON text, as a column has it; an index may be made of it. */
  readonly member: (json: Fragment, path: string) => Fragment;
  /** SQL that is true where the list in a member of a JSON text has an item. */
  readonly includes: (json: Fragment, path: string, item: string) => Fragment;
  /** Whether it knows sizes when it chooses an index. Where it does not, `+` before a column keeps a test from choosing one. Default true. */
  readonly choosesBySize?: boolean;
  /** Whether indexes that only large tables need are made by others than the migration. Default false. */
  readonly makesLargeIndexes?: boolean;
  /** The maximum length of names; longer ones are shortened to distinct ones. Default: unlimited. */
  readonly maxNameLength?: number;
  /** Whether indexes hold the ids of their rows, so that the ids of a page are found in an index alone. Default false. */
  readonly indexesHoldIds?: boolean;
  readonly isDurable: boolean;
  readonly isShared: boolean;
}

type Found = Promise<readonly StoredRecord[]>;

/** How many answers are remembered of a table: transactions may be long. */
const maxKnown = 100;

/** What was read within one transaction and still holds: nothing was written to its table since. */
export class KnownRecords {
  readonly #byTable = new Map<string, Map<string, Found>>();

  /** What was found in a table before under this name, else what `read` finds. */
  find(table: string, name: string, read: () => Found): Found {
    const known = this.#byTable.get(table) ?? new Map<string, Found>();
    if (known.size >= maxKnown) known.clear();
    this.#byTable.set(table, known);
    const found = known.get(name) ?? read();
    known.set(name, found);
    return found;
  }

  /** Forgets what was read of a table that is about to change; of all of them where others may change along with it. */
  forget(table?: string): void {
    if (table === undefined) this.#byTable.clear();
    else this.#byTable.delete(table);
  }

  /** Runs work whose writes are undone when it rejects: what it has read of them does not hold then. */
  async forgetIfUndone<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.forget();
      throw error;
    }
  }
}

/** Runs a statement once for each list of parameters, and has checked how many rows each changed: all at once where the connection can. */
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
 * The rows of a query for records, which are measured before they are read, or while they are: very many large texts would not fit into the process.
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

/** Work whose error, where it says that a reference does not hold, is a ReferenceViolation. */
export function withReferences<T>(
  { isReferenceError }: Pick<SqlDatabase<unknown>, "isReferenceError">,
  running: Promise<T>,
): Promise<T> {
  return running.catch((error: unknown) => {
    throw isReferenceError(error) ? new ReferenceViolation({ cause: error }) : error;
  });
}
