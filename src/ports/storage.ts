/**
 * Port for storing records. A storage handles tables, columns and text, without knowledge of their meaning. Each call takes a
 * tenant scope, so that a forgotten tenant is a type error.
 */
import type { Runtime } from "./runtime.js";

/** A single tenant, or all tenants. */
export type TenantScope = { readonly kind: "tenant"; readonly tenantId: string } | { readonly kind: "global" };

/** The scope of all tenants. */
export const globalScope: TenantScope = Object.freeze({ kind: "global" });

/** Returns the scope of one tenant. */
export function tenantScope(tenantId: string): TenantScope {
  return { kind: "tenant", tenantId };
}

/** The value of a column. Instants are epoch milliseconds. */
export type ColumnValue = string | number | boolean | null;

/** `id`: UUID text. `text`: compared by code point. `integer`: up to 2^53. `boolean`: 0 or 1 in databases without booleans. */
export type ColumnType = "id" | "text" | "integer" | "boolean";

/** Whether removing the referenced record also removes the referencing record, or is refused. */
export type OnRemove = "cascade" | "restrict";

/** A column besides the standard ones (`id`, `tenantId`, `version`, `insertInstant`, `lastUpdateInstant`, `json`, `hidden`). */
export interface Column {
  /** The type of its values. */
  readonly type: ColumnType;
  /** Whether it may hold null. Default false. */
  readonly isNullable?: boolean;
  /** Whether texts may exceed the size that databases accept in an ordered index. Default false: at most 255 characters. */
  readonly isLong?: boolean;
  /**
   * The table of the ids in this column. `isEnforced: false` when a host may store the referenced records in a table of its own.
   */
  readonly references?: { readonly table: string; readonly onRemove: OnRemove; readonly isEnforced?: boolean };
  /** The schema version that added the column to an existing table. Such a column must be nullable. */
  readonly since?: number;
}

/** A unique constraint. Rows with a null in one of its columns never collide. */
export interface UniqueKey {
  /** The name in {@link UniqueViolation.keys}; unique within the table. */
  readonly name: string;
  /** The columns with a unique combination of values. */
  readonly columns: readonly string[];
  /** The schema version that added the constraint. Default: that of its table. */
  readonly since?: number;
}

/**
 * An index for speed. `order` (the default) finds values and ranges of the columns; `substring` finds texts within the columns'
 * texts, with at most one such index a table. A storage may create a `whenLarge` index once the table is large, because searches
 * of small tables do not need it.
 */
export interface TableIndex {
  /** The indexed columns, in order. */
  readonly columns: readonly string[];
  /** `order` for values and ranges, `substring` for texts within texts. Default `order`. */
  readonly kind?: "order" | "substring";
  /** Whether only a large table needs the index. Default false. */
  readonly whenLarge?: boolean;
  /** The schema version that added the index. Default: that of its table. */
  readonly since?: number;
}

/** Definition of a table: how a storage stores one kind of record. */
export interface Table {
  /** The table's name, unique within the storage. */
  readonly name: string;
  /** `tenant`: each record has a tenant. `optional`: a record may have one. `global`: none has. */
  readonly tenancy: "tenant" | "optional" | "global";
  /** The schema version (see docs/internals/storage.md#migrations) that created the table. */
  readonly since: number;
  /** Columns besides the standard ones, by name. */
  readonly columns: Readonly<Record<string, Column>>;
  /** Unique constraints besides the one on `id`. */
  readonly uniqueKeys: readonly UniqueKey[];
  /** Indexes besides the one on `id`. */
  readonly indexes: readonly TableIndex[];
  /**
   * Whether the table is a log: records are appended and never read by id, so that it needs no index on ids. Records of a log
   * with the column `leasedUntil` can be leased. Default false.
   */
  readonly isLog?: boolean;
  /**
   * For tables with `optional` tenancy: whether records of a removed tenant stay, without a tenant. Default false: they are
   * removed too.
   */
  readonly outlivesTenant?: boolean;
}

/** A record from a storage. Its texts are immutable: a caller cannot change the stored record. */
export interface StoredRecord {
  /** The record's UUID, in lower case. */
  readonly id: string;
  /** The UUID of its tenant; null without one. */
  readonly tenantId: string | null;
  /** Grows by one with each update. */
  readonly version: number;
  /** The record as in the API, in canonical JSON, except for families with `FamilyRules.present`. */
  readonly json: string;
  /** Hidden data (sealed secrets, digests, marks for derived fields, the text of an event) as JSON, or null without any. */
  readonly hidden: string | null;
}

/** A record to store, with the values of the table's columns. */
export interface RecordToStore extends StoredRecord {
  /** When the record was created, in epoch milliseconds. */
  readonly insertInstant: number;
  /** When the record was last changed, in epoch milliseconds. */
  readonly lastUpdateInstant: number;
  /** Values of the table's own columns, by name. */
  readonly columns: Readonly<Record<string, ColumnValue>>;
}

/** New hidden data for one version of a record. */
export type HiddenText = Pick<StoredRecord, "id" | "version" | "hidden">;

/**
 * A test of case-folded text. The parts must occur in this order, the first at the start and the last at the end, with any text
 * between two parts. `["", "abc", ""]` is "contains abc", `["abc"]` is "equals abc".
 */
export type TextPattern = readonly string[];

/**
 * A test of a record, or a combination of tests. Columns include the standard ones, and members of the record's JSON: `data.city`
 * is that string, number or boolean as text, with ASCII letters in lower case. It is null for any other value, and for a text of
 * more than 100 characters.
 */
export type Filter =
  | { readonly op: "equals"; readonly column: string; readonly value: ColumnValue }
  | { readonly op: "in"; readonly column: string; readonly values: readonly ColumnValue[] }
  /** `isLowered`: tests the column's text with its ASCII letters in lower case. */
  | { readonly op: "matches"; readonly column: string; readonly pattern: TextPattern; readonly isLowered?: boolean }
  /** The list in a member of the record's JSON includes the text. Items are compared with their ASCII letters in lower case. */
  | { readonly op: "includes"; readonly member: string; readonly value: string }
  | {
      readonly op: "compare";
      readonly column: string;
      readonly comparison: "<" | "<=" | ">" | ">=";
      readonly value: string | number;
    }
  | { readonly op: "and" | "or"; readonly filters: readonly Filter[] }
  | { readonly op: "not"; readonly filter: Filter }
  /** A record of `table` has this record's `localColumn` in its `foreignColumn`, and passes `filter`. */
  | {
      readonly op: "exists";
      readonly table: string;
      readonly localColumn: string;
      readonly foreignColumn: string;
      readonly filter?: Filter;
      /** Whether few records of `table` pass `filter`, regardless of table sizes: the storage then reads them first. */
      readonly isNarrow?: boolean;
      /**
       * Whether each passing record of `table` refers to a different record of the searched table, in the same tenant: then both
       * have the same number of matches. With an unenforced reference in `foreignColumn`, some may refer to no record.
       */
      readonly isEach?: boolean;
    };

/** One sort field. Nulls come first in ascending and last in descending order. */
export interface SortField {
  /** The name of the column to sort by. */
  readonly column: string;
  /** `asc`: smallest first. `desc`: largest first. */
  readonly direction: "asc" | "desc";
  /** Sorts by a column of the record in `localColumn` instead of the record's own column. */
  readonly via?: { readonly table: string; readonly localColumn: string };
  /** Sorts by the first characters of a text only, as many as this number. Default: the whole text. */
  readonly maxLength?: number;
}

/** Limit for the total size of the JSON texts of the records in a result. */
export interface SizeLimit {
  /** The limit in bytes of UTF-8. A larger result is refused with {@link ResultTooLarge} before all of it is read. */
  readonly maxBytes: number;
  /** The number of records that need no measuring, because this many of any size stay within the limit or near it. */
  readonly unmeasured: number;
}

/** A parsed search: filter, order and page. Ties are sorted by `id` in ascending order. */
export interface Criteria {
  /** Selects the records. Default: all. */
  readonly filter?: Filter;
  /** Sort fields, the first with the highest priority. Empty: by `id`. */
  readonly sort: readonly SortField[];
  /** The largest number of records on the page. */
  readonly limit: number;
  /** How many records to skip before the page. */
  readonly offset: number;
  /** Keyset pagination: the sort values and id of the last record before the page. */
  readonly after?: { readonly values: readonly ColumnValue[]; readonly id: string };
  /** The largest total size of the page. Default: no limit. */
  readonly sizeLimit?: SizeLimit;
  /**
   * Members of `data` that the scope's tenant declares searchable: an index for them covers that tenant's records alone. Default:
   * none.
   */
  readonly ownMembers?: readonly string[];
  /** Whether a replica that has everything committed through this storage may serve the read. Default false. */
  readonly mayUseReplica?: boolean;
}

/** One page of a search. */
export interface SearchPage {
  /** The records of the page, in the requested order. */
  readonly records: readonly StoredRecord[];
  /** The number of records that pass the filter, on all pages. */
  readonly total: number;
  /** The sort values and id of the page's last record, for the next page by keyset; absent on an empty page. */
  readonly last?: { readonly values: readonly ColumnValue[]; readonly id: string };
}

/** Order and limits of `find`. */
export interface FindOptions {
  /** The largest number of records. Default: all. */
  readonly limit?: number;
  /** Default: in ascending order of id. */
  readonly sort?: readonly SortField[];
  /** The largest total size of the result. Default: no limit. */
  readonly sizeLimit?: SizeLimit;
  /**
   * Returns only records with a greater id; not combined with `sort`. For reading many records page by page, starting with `""`:
   * the storage reads in the order of ids, so that each page takes equally long.
   */
  readonly after?: string;
  /** Whether a replica that has everything committed through this storage may serve the read. Default false. */
  readonly mayUseReplica?: boolean;
}

/** One of the reads of {@link StorageReader.findEach}: which records it finds. */
export interface RecordRead {
  /** The tenant that the read is bound to, or all of them. */
  readonly scope: TenantScope;
  /** The table to read. */
  readonly table: Table;
  /** Which records to return. Default: all. */
  readonly filter: Filter | undefined;
  /** How much the records of this read may be together. Default: no limit. */
  readonly sizeLimit?: SizeLimit | undefined;
}

/** A range of positions in a log, both ends included. */
export type PositionRange = readonly [first: number, last: number];

/** Reads of records, inside or outside of a transaction. */
export interface StorageReader {
  /** Returns the record with this id; undefined when the scope has no such record. */
  retrieve(scope: TenantScope, table: Table, id: string): Promise<StoredRecord | undefined>;
  /** Returns all records that pass the filter, in ascending order of id unless `sort` is given, at most `limit`. */
  find(scope: TenantScope, table: Table, filter: Filter | undefined, options?: FindOptions): Promise<readonly StoredRecord[]>;
  /** Returns the result of `find` for each of these reads. Absent: the caller calls `find` for each. */
  findEach?(reads: readonly RecordRead[]): Promise<readonly (readonly StoredRecord[])[]>;
  /** Returns the values of an id column in the records that pass the filter: one for each record with a value, unordered. */
  findIds(scope: TenantScope, table: Table, column: string, filter: Filter | undefined): Promise<readonly string[]>;
  /** Returns the positions of the records of a log: ranges without a gap, in ascending order. */
  findPositions(table: Table): Promise<readonly PositionRange[]>;
  /** Returns one page of the records that pass the criteria, and the total. */
  search(scope: TenantScope, table: Table, criteria: Criteria): Promise<SearchPage>;
}

/** Parameters for leasing records of a log. Instants are epoch milliseconds. */
export interface Lease {
  /** The largest number of records to lease. */
  readonly limit: number;
  /** The current instant. Records with a lease that ended before it are free. */
  readonly now: number;
  /** The end of the lease, later than `now`. */
  readonly until: number;
  /** Leases no more records once their JSON has this total size in bytes. Default: no limit. */
  readonly maxBytes?: number;
}

/** A record of a log. */
export interface LogRecord extends StoredRecord {
  /** The place in the log: a whole number, greater than that of all records added before, including removed ones. */
  readonly position: number;
}

/** A transaction on one storage: all of its writes or none. Await each call before the next one. */
export interface Transaction<Native = unknown> extends StorageReader {
  /**
   * Stores new records.
   * @throws {@link UniqueViolation} when a record collides with a stored one; then none of the call is stored.
   */
  insert(scope: TenantScope, table: Table, records: readonly RecordToStore[]): Promise<void>;
  /**
   * Replaces the record with this id and the version before the given one.
   * @throws {@link StaleVersion} when there is no such record; {@link UniqueViolation} as for insert.
   */
  update(scope: TenantScope, table: Table, record: RecordToStore): Promise<void>;
  /**
   * Replaces versions, instants and texts of records; ignores the table's own columns in the given records, so that nothing can
   * collide. @throws {@link StaleVersion} as for update; then none of the call is stored.
   */
  rewrite(scope: TenantScope, table: Table, records: readonly RecordToStore[]): Promise<void>;
  /**
   * Replaces only the hidden data of records that still have the given version, and returns their ids. The version stays: use it
   * only for another form of the same data, such as secrets sealed with a new key.
   */
  replaceHidden(scope: TenantScope, table: Table, records: readonly HiddenText[]): Promise<readonly string[]>;
  /** Removes all records that pass the filter; returns their number. The caller removes references to them. */
  remove(scope: TenantScope, table: Table, filter: Filter | undefined): Promise<number>;
  /** Makes at most `limit` records of a tenant global, and returns their number. Nothing else changes, not even the version. */
  clearTenant(table: Table, tenantId: string, limit: number): Promise<number>;
  /**
   * Removes the oldest records of a log, at most `limit`, and returns them in log order. Skips records that another transaction
   * is taking, without waiting. Stops once their JSON has `maxBytes` bytes.
   */
  take(table: Table, limit: number, maxBytes?: number): Promise<readonly LogRecord[]>;
  /**
   * Leases the oldest records of a log without a lease at `now`, and returns them in log order. Skips records that another
   * transaction is leasing, without waiting.
   */
  lease(table: Table, lease: Lease): Promise<readonly LogRecord[]>;
  /** Removes records of a log with a lease until exactly this instant, and returns the positions of the removed ones. */
  removeLeased(table: Table, positions: readonly number[], until: number): Promise<readonly number[]>;
  /** Runs `work` in a savepoint: when it rejects, only its own writes roll back. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `callback` after the outermost transaction commits; never when it rolls back. */
  afterCommit(callback: () => void): void;
  /**
   * Asserts that no record in scope has one of these values in a column, without waiting for the response. If one does, the
   * transaction rolls back and the work runs again. Returns false if it asserts nothing, as in that second run: then use `find`.
   * Absent: the same as false.
   */
  expectNone?(scope: TenantScope, table: Table, column: string, values: readonly ColumnValue[]): boolean;
  /** Resolves when the database has answered all inserts so far. Absent: each insert waits for its own response. */
  readonly settle?: () => Promise<void>;
  /** Whether other transactions wait for this one; if so, end early if possible. Absent: none waits. */
  readonly isAwaited?: () => boolean;
  /**
   * The database's handle for this transaction, so that the host's writes commit or roll back with it. Created when first read;
   * the same for each read in a transaction.
   */
  readonly native: Native;
}

/** Hints that let a storage run a transaction faster. Default: none. */
export interface TransactionOptions {
  /**
   * Whether the work waits for its own transaction only and mostly adds records: a storage may then batch it with other such work
   * in one transaction. If that fails, it runs again in a transaction of its own.
   */
  readonly isShareable?: boolean;
  /**
   * Whether the work changes so many records that others should not wait for it: a storage may then run it in a thread of its
   * own.
   */
  readonly isLong?: boolean;
  /** Whether no caller waits for the work, so that a running transaction need not end early for it. Default false. */
  readonly isInBackground?: boolean;
  /**
   * Whether an insert may resolve before the database has answered it. If its record then collides with another, the transaction
   * rolls back and the work runs again, waiting for each response. Default false.
   */
  readonly mayCollideLate?: boolean;
  /**
   * The isolation level. `serializable`: as if transactions ran one after the other. `snapshot`: the work sees one state, and a
   * concurrent change of a record that it changes is a conflict; records that it only reads may change. Default `serializable`,
   * which a storage may always use instead.
   */
  readonly isolation?: "serializable" | "snapshot";
}

/** Differences between storages that callers can query. All default to false. */
export interface StorageCapabilities {
  /** Committed writes survive a crash of the process and a power failure. */
  readonly isDurable: boolean;
  /** Other processes may use the same storage at the same time. */
  readonly isShared: boolean;
  /** Transactions run concurrently: those that change the same record wait or run again. */
  readonly runsSideBySide?: boolean;
  /** Transactions have a database handle ({@link Transaction.native}), which hosts get as `tx.db`. */
  readonly hasHandle?: boolean;
}

/** Broadcast messages between processes that share a storage. At-most-once delivery: no correctness may depend on them. */
export interface StorageSignals {
  /** Sends a message, letters only, to the other processes. Neither waits nor throws. */
  send(word: string): void;
  /** Calls the listener with each message of another process, and with undefined when messages may have been lost. */
  listen(listener: (word: string | undefined) => void): void;
}

/** A search to plan indexes for. */
export interface IndexedSearch {
  /** The tenant scope of the search. */
  readonly scope: TenantScope;
  /** The searched table. */
  readonly table: Table;
  /** The filter, with values that stand for any others, and the order. */
  readonly criteria: Pick<Criteria, "filter" | "ownMembers" | "sort">;
}

/** A change of the database that lets searches of large tables find a page and a total without reading the table. */
export interface IndexPlan {
  /** The name of the index, or of the trigger that maintains a total or a list. */
  readonly name: string;
  /** The name of the table in the database. */
  readonly table: string;
  /** `drop` when no search uses it any more, `repair` when a maintained total differs from the count of the records. */
  readonly change: "create" | "drop" | "repair";
  /** Requirement that the database lacks, with the fix. {@link IndexPlan.build} does nothing until then. Default: none. */
  readonly needs?: string;
  /** Makes the change without blocking reads and writes. Repeat it after a failure. */
  build(): Promise<void>;
}

/** Options of {@link Storage.planIndexes}. */
export interface IndexPlanOptions {
  /** Whether to compare maintained totals with the records of their tables, which reads these tables. Default false. */
  readonly checksTotals?: boolean;
}

/** The progress of an index that a storage creates, or has created since it was opened. */
export interface IndexProgress {
  /** The name of the index in the database. */
  readonly name: string;
  /** The name of the table in the database. */
  readonly table: string;
  /** Searches use an index that is `ready`. */
  readonly state: "building" | "ready" | "failed";
  /** The number of indexed records; 0 until it is ready when the database does not report it. */
  readonly rowsDone: number;
  /** The number of records to index; an estimate when the database has one. */
  readonly rowsTotal: number;
}

/** Port for storing records. All methods reject with {@link StorageUnavailable} when the storage cannot be reached. */
export interface Storage<Native = unknown> extends StorageReader {
  /** The capabilities beyond the minimum. */
  readonly capabilities: StorageCapabilities;
  /**
   * Creates or migrates these tables; called once before any other call. Safe when two processes start at once. `runtime` is the
   * service's source of time, timers and random values. Default: Node's own.
   */
  open(tables: readonly Table[], runtime?: Runtime): Promise<void>;
  /**
   * Runs `work` in a transaction and resolves once its writes are durable. After a conflict with a concurrent transaction, `work`
   * runs again: its earlier writes are rolled back, and only the `afterCommit` callbacks of the last run are called.
   */
  transaction<T>(work: (tx: Transaction<Native>) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Runs `work` with a reader of the state at its beginning, without blocking writers. Do not use the reader after `work` ends.
   */
  snapshot<T>(work: (reader: StorageReader) => Promise<T>): Promise<T>;
  /** Sends cache invalidations between processes that share the storage. Default: caches are stale for at most a second. */
  readonly signals?: StorageSignals | undefined;
  /**
   * Returns the changes that these searches of large tables need. After `open`, only {@link IndexPlan.build} changes the schema.
   * The results of searches do not depend on it. Callers may read very many searches in pages: take them one by one. Default: no changes.
   */
  planIndexes?(
    searches: Iterable<IndexedSearch> | AsyncIterable<IndexedSearch>,
    options?: IndexPlanOptions,
  ): Promise<readonly IndexPlan[]>;
  /** Returns the indexes that this process creates or has created. Default: none. */
  readIndexProgress?(): Promise<readonly IndexProgress[]>;
  /**
   * Returns the number of reads with `mayUseReplica` by outcome since the process started: `served`, or the reason against it.
   * Undefined without replicas.
   */
  readReplicaOutcomes?(): Readonly<Record<string, number>> | undefined;
  /** Health check: resolves when the storage answers, rejects when it cannot be reached. */
  ping(): Promise<void>;
  /** Finishes pending work and frees connections and files. Later calls reject. */
  close(): Promise<void>;
}

/** A record collides with a stored one. `keys` lists the violated unique keys; `"id"` is the id itself. */
export class UniqueViolation extends Error {
  /** The name of the table. */
  readonly table: string;
  /** Names of the violated unique keys; `"id"` for the id. */
  readonly keys: readonly string[];
  constructor(table: string, keys: readonly string[]) {
    super(`A record of ${table} collides on ${keys.join(", ")}.`);
    this.name = "UniqueViolation";
    this.table = table;
    this.keys = keys;
  }
}

/** Another transaction changed or removed the record since it was read (optimistic concurrency). */
export class StaleVersion extends Error {
  /** The name of the table. */
  readonly table: string;
  /** The UUID of the record. */
  readonly id: string;
  constructor(table: string, id: string) {
    super(`The record ${id} of ${table} changed since it was read.`);
    this.name = "StaleVersion";
    this.table = table;
    this.id = id;
  }
}

/**
 * A referenced record is missing, or a removed record still has references. Thrown by a storage that enforces references, such as
 * when another transaction removed a user in the meantime; the service then repeats the operation.
 */
export class ReferenceViolation extends Error {
  constructor(options?: ErrorOptions) {
    super("A record refers to one that is not there.", options);
    this.name = "ReferenceViolation";
  }
}

/** The result of a read exceeds its {@link SizeLimit}. */
export class ResultTooLarge extends Error {
  /** The limit that the result exceeds, in bytes. */
  readonly maxBytes: number;
  constructor(maxBytes: number) {
    super(`The answer would be larger than ${maxBytes} bytes.`);
    this.name = "ResultTooLarge";
    this.maxBytes = maxBytes;
  }
}

/** The storage cannot be reached or is closed. Retryable. */
export class StorageUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StorageUnavailable";
  }
}
