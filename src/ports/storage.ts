/**
 * The port that keeps records. A storage knows tables, columns and text; it knows no resource.
 * Every call begins with the tenant it may touch, so a forgotten tenant is a type error.
 */
import type { Runtime } from "./runtime.js";

/** The tenant that a call is bound to, or all of them. */
export type TenantScope = { readonly kind: "tenant"; readonly tenantId: string } | { readonly kind: "global" };

/** The scope that sees every tenant. */
export const globalScope: TenantScope = Object.freeze({ kind: "global" });

/** The scope that sees one tenant. */
export function tenantScope(tenantId: string): TenantScope {
  return { kind: "tenant", tenantId };
}

/** What a column can hold. Instants are epoch milliseconds. */
export type ColumnValue = string | number | boolean | null;

/** `id`: UUID text. `text`: compared by code point. `integer`: up to 2^53. `boolean`: kept as 0 or 1 where a database lacks it. */
export type ColumnType = "id" | "text" | "integer" | "boolean";

/** What happens to the holder of a reference when the record it points to is removed. */
export type OnRemove = "cascade" | "restrict";

/** A column beside the standard ones (`id`, `tenantId`, `version`, `insertInstant`, `lastUpdateInstant`, `json`, `hidden`). */
export interface Column {
  /** The type of its values. */
  readonly type: ColumnType;
  /** Whether it may hold null. Default false. */
  readonly isNullable?: boolean;
  /** Whether its texts may be longer than a database takes into an index in their order. Default false: at most 255 characters. */
  readonly isLong?: boolean;
  /** The table whose ids this column holds. `isEnforced: false` where a host may keep the other side in a table of its own. */
  readonly references?: { readonly table: string; readonly onRemove: OnRemove; readonly isEnforced?: boolean };
  /** The schema version that added the column, when later than its table. Such a column must be nullable. */
  readonly since?: number;
}

/** A rule that no two records share these column values. Rows with a null in one of them never collide. */
export interface UniqueKey {
  /** The name in {@link UniqueViolation.keys}; unique within the table. */
  readonly name: string;
  /** The columns whose values must differ together. */
  readonly columns: readonly string[];
  /** The schema version that added the constraint. Default: that of its table. */
  readonly since?: number;
}

/**
 * An index that a storage should keep for speed. `order` (the default) finds values and ranges of the columns in their order; `substring`
 * finds texts inside of the columns' texts, and is asked for at most once for a table. One `whenLarge` serves searches that a small table does
 * well without: a storage may make it once the table is large.
 */
export interface TableIndex {
  /** The indexed columns, in order. */
  readonly columns: readonly string[];
  /** `order` for values and ranges, `substring` for texts inside of texts. Default `order`. */
  readonly kind?: "order" | "substring";
  /** Default false. */
  readonly whenLarge?: boolean;
  /** The schema version that added the index. Default: that of its table. */
  readonly since?: number;
}

/** Definition of a table: how a storage stores one kind of record. */
export interface Table {
  /** The table's name, unique within the storage. */
  readonly name: string;
  /** `tenant`: every record has a tenant. `optional`: a record may have one. `global`: none has. */
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
   * Whether records are added one after the other and never asked for by id, which spares the order by ids. Default false. Records of a
   * log with the column `leasedUntil` can be leased.
   */
  readonly isLog?: boolean;
  /** For tables with `optional` tenancy: whether records stay, without a tenant, when their tenant is removed. Default false: they go with it. */
  readonly outlivesTenant?: boolean;
}

/** A record as a storage returns it. Texts are copies by nature: changing a returned record cannot change the stored one. */
export interface StoredRecord {
  /** The record's UUID, in lower case. */
  readonly id: string;
  /** The UUID of its tenant; null when it has none. */
  readonly tenantId: string | null;
  /** Grows by one with each update. */
  readonly version: number;
  /** The record as the wire shows it, in canonical JSON, but for families that present theirs (`FamilyRules.present`). */
  readonly json: string;
  /** Hidden data beside it (sealed secrets, digests, marks for derived fields, the text of an event) as JSON, or null when there is none. */
  readonly hidden: string | null;
}

/** A record to store: the texts and the values of the table's columns. */
export interface RecordToStore extends StoredRecord {
  /** When the record was created, in epoch milliseconds. */
  readonly insertInstant: number;
  /** When the record was last changed, in epoch milliseconds. */
  readonly lastUpdateInstant: number;
  /** Values of the table's own columns, by name. */
  readonly columns: Readonly<Record<string, ColumnValue>>;
}

/** What a record of a version is to hide. */
export type HiddenText = Pick<StoredRecord, "id" | "version" | "hidden">;

/**
 * A folded text test: the parts must stand in this order, the first at the start and the last at the end,
 * with anything between two adjacent ones. `["", "abc", ""]` is "contains abc", `["abc"]` is "equals abc".
 */
export type TextPattern = readonly string[];

/**
 * One test on a record, or a combination of tests. Columns include the standard ones, and members of the record's JSON: `data.city` has the
 * text, number or flag of that member as a text, with its ASCII letters in lower case, and null where it
 * is anything else, or a text of more than 100 characters.
 */
export type Filter =
  | { readonly op: "equals"; readonly column: string; readonly value: ColumnValue }
  | { readonly op: "in"; readonly column: string; readonly values: readonly ColumnValue[] }
  /** `isLowered`: the pattern is tested on the column's text with its ASCII letters in lower case. */
  | { readonly op: "matches"; readonly column: string; readonly pattern: TextPattern; readonly isLowered?: boolean }
  /** The list in a member of the record's JSON has the text among its items, which are compared with their ASCII letters in lower case. */
  | { readonly op: "includes"; readonly member: string; readonly value: string }
  | {
      readonly op: "compare";
      readonly column: string;
      readonly comparison: "<" | "<=" | ">" | ">=";
      readonly value: string | number;
    }
  | { readonly op: "and" | "or"; readonly filters: readonly Filter[] }
  | { readonly op: "not"; readonly filter: Filter }
  /** There is a record in `table` whose `foreignColumn` equals this record's `localColumn` and that passes `filter`. */
  | {
      readonly op: "exists";
      readonly table: string;
      readonly localColumn: string;
      readonly foreignColumn: string;
      readonly filter?: Filter;
      /** Whether few records of `table` pass `filter`, regardless of table sizes: the storage then looks for them first. */
      readonly isNarrow?: boolean;
      /**
       * Whether each record of `table` that passes stands for one of these records, in its tenant, and no two for the same: then as many of
       * these pass. Where `foreignColumn` is a reference that is not enforced, some may stand for none.
       */
      readonly isEach?: boolean;
    };

/** One order. Nulls come first in ascending and last in descending order. */
export interface SortField {
  /** The name of the column to sort by. */
  readonly column: string;
  /** `asc`: smallest first. `desc`: largest first. */
  readonly direction: "asc" | "desc";
  /** Sort by a column of the record that `localColumn` points to, instead of the record's own. */
  readonly via?: { readonly table: string; readonly localColumn: string };
}

/** How much the JSON texts of the records that are read may be together. */
export interface SizeLimit {
  /** In bytes of UTF-8. More is refused with {@link ResultTooLarge}, before all of it is read. */
  readonly maxBytes: number;
  /** How many records need not be measured first: so many of any size are within the limit, or near it. */
  readonly unmeasured: number;
}

/** A parsed search: filter, order and page. Ties are broken by `id` in ascending order. */
export interface Criteria {
  /** Which records to return. Default: all. */
  readonly filter?: Filter;
  /** Sort fields, the first with the highest priority. Empty: by `id`. */
  readonly sort: readonly SortField[];
  /** The largest number of records on the page. */
  readonly limit: number;
  /** How many records to skip before the page. */
  readonly offset: number;
  /** Keyset: the sort values and id of the last record already seen; the page starts after it. */
  readonly after?: { readonly values: readonly ColumnValue[]; readonly id: string };
  /** Default: none. */
  readonly sizeLimit?: SizeLimit;
  /** Members of the records' JSON that the tenant of the scope declares as searchable: an index for them is of its records alone. Default: none. */
  readonly ownMembers?: readonly string[];
  /** Whether another server may answer that has all that was committed through this storage. Default false. */
  readonly mayUseReplica?: boolean;
}

/** One page of a search. */
export interface SearchPage {
  /** The records of the page, in the requested order. */
  readonly records: readonly StoredRecord[];
  /** How many records pass the filter, on all pages. */
  readonly total: number;
  /** The sort values of the page's last record, for the next page by keyset; absent on an empty page. */
  readonly last?: { readonly values: readonly ColumnValue[]; readonly id: string };
}

/** Order and limits of `find`. */
export interface FindOptions {
  /** Default: all of them. */
  readonly limit?: number;
  /** Default: in ascending order of id. */
  readonly sort?: readonly SortField[];
  /** Default: none. */
  readonly sizeLimit?: SizeLimit;
  /**
   * Only records with a greater id, and no `sort`: for reading very many page by page, beginning with `""`. A storage then looks at the records
   * in the order of their ids, so that each page takes as long as the one before.
   */
  readonly after?: string;
  /** Whether another server may answer that has all that was committed through this storage. Default false. */
  readonly mayUseReplica?: boolean;
}

/** Positions in a log, from the first to the last of them. */
export type PositionRange = readonly [first: number, last: number];

/** Reads of records, inside or outside of a transaction. */
export interface StorageReader {
  /** The record with this id, if the scope may see it. */
  retrieve(scope: TenantScope, table: Table, id: string): Promise<StoredRecord | undefined>;
  /** All records that pass the filter, in ascending order of id unless `sort` is given, at most `limit`. */
  find(scope: TenantScope, table: Table, filter: Filter | undefined, options?: FindOptions): Promise<readonly StoredRecord[]>;
  /** What a column of ids holds in the records that pass the filter: one for each record that holds any, in no particular order. */
  findIds(scope: TenantScope, table: Table, column: string, filter: Filter | undefined): Promise<readonly string[]>;
  /** Where the records of a log are: ranges of positions without a gap, both ends included, in ascending order. */
  findPositions(table: Table): Promise<readonly PositionRange[]>;
  /** One page of the records that pass the criteria, and how many pass in all. */
  search(scope: TenantScope, table: Table, criteria: Criteria): Promise<SearchPage>;
}

/** Parameters for leasing records of a log. Instants are epoch milliseconds. */
export interface Lease {
  /** The largest number of records to lease. */
  readonly limit: number;
  /** The current instant; leases that ended before it are free. */
  readonly now: number;
  /** Later than `now`: how long nobody else gets what is leased. */
  readonly until: number;
  /** No more records are leased once their JSON has together so many bytes. Default: however large they are. */
  readonly maxBytes?: number;
}

/** A record of a log. */
export interface LogRecord extends StoredRecord {
  /** Its place in the log: a whole number, greater than that of every record that was added before, also of those that are gone. */
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
   * Replaces the record with this id whose version is one less than the given record's.
   * @throws {@link StaleVersion} when there is no such record; {@link UniqueViolation} as for insert.
   */
  update(scope: TenantScope, table: Table, record: RecordToStore): Promise<void>;
  /**
   * Replaces versions, instants and texts of records; ignores the table's own columns in the given records, so that
   * nothing can collide. @throws {@link StaleVersion} as for update; then none of the call is stored.
   */
  rewrite(scope: TenantScope, table: Table, records: readonly RecordToStore[]): Promise<void>;
  /**
   * Replaces what records hide and nothing else, not even their versions, of each while its version is still the given one; answers the ids
   * of those. Nobody who reads the records notices, so it is for another form of the same, such as secrets that are sealed again.
   */
  replaceHidden(scope: TenantScope, table: Table, records: readonly HiddenText[]): Promise<readonly string[]>;
  /** Removes all records that pass the filter; returns how many. The caller removes references to them. */
  remove(scope: TenantScope, table: Table, filter: Filter | undefined): Promise<number>;
  /** Takes the tenant off records that are in it, `limit` at most, and answers how many. Nothing else of them changes, not even the version. */
  clearTenant(table: Table, tenantId: string, limit: number): Promise<number>;
  /**
   * Removes the records of a log that were added first, `limit` at most, and answers them in the order in which they were added. What
   * another transaction takes at the same time is passed over, not waited for. No more are taken once their JSON has `maxBytes` bytes.
   */
  take(table: Table, limit: number, maxBytes?: number): Promise<readonly LogRecord[]>;
  /**
   * Leases the records of a log that were added first and whose lease, if any, was over before `now`, and answers them in the order in
   * which they were added. What another transaction leases at the same time is passed over, not waited for.
   */
  lease(table: Table, lease: Lease): Promise<readonly LogRecord[]>;
  /** Removes records of a log that are leased until this very instant, and answers the positions of those that were. */
  removeLeased(table: Table, positions: readonly number[], until: number): Promise<readonly number[]>;
  /** Runs `work` in a savepoint: when it rejects, only its own writes roll back. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `callback` after the outermost transaction commits; never when it rolls back. */
  afterCommit(callback: () => void): void;
  /**
   * Asserts that no record in scope holds one of these values in a column, without waiting for the answer. Where one does, the transaction is
   * undone and the work runs again. Answers false where it asserts nothing, as in that second run: the caller then asks by `find`. Absent: the
   * same as false.
   */
  expectNone?(scope: TenantScope, table: Table, column: string, values: readonly ColumnValue[]): boolean;
  /** Resolves when the database has answered all inserts so far. Absent: each waits for its own answer. */
  readonly settle?: () => Promise<void>;
  /** Whether other transactions wait for this one to end: one that can end early should. Absent: none waits. */
  readonly isAwaited?: () => boolean;
  /**
   * The database's handle on this transaction, so that a host's rows and ours commit or roll back together. Made when it is first read; the
   * same one for each read of a transaction.
   */
  readonly native: Native;
}

/** Hints about a transaction that a storage may use to run it faster. Default: none. */
export interface TransactionOptions {
  /**
   * Whether the work waits for nothing but its own transaction and mostly adds records, so that a storage may run it in one transaction with
   * other such work, one after the other. It then runs again by itself when that fails.
   */
  readonly isShareable?: boolean;
  /**
   * Whether the work changes so many records that nobody else should wait for it, so that a storage may have it done in a thread of its own.
   */
  readonly isLong?: boolean;
  /** Whether no caller waits for the work, so that a transaction that runs need not end early for it. Default false. */
  readonly isInBackground?: boolean;
  /**
   * Whether an insert may resolve before the database has answered it. Where its record then collides with another, the transaction is undone
   * and the work runs again, waiting for each answer. Default false.
   */
  readonly mayCollideLate?: boolean;
  /**
   * Isolation level of the work. `serializable`: as if they ran one after the other. `snapshot`: it sees one state, and a
   * record that it changes was changed by nobody else since then; what it only reads may be changed beside it. Default `serializable`,
   * which every storage may give instead.
   */
  readonly isolation?: "serializable" | "snapshot";
}

/** Differences between storages that callers may ask about. All default to false. */
export interface StorageCapabilities {
  /** What was acknowledged survives the process and the machine losing power. */
  readonly isDurable: boolean;
  /** Other processes may use the same storage at the same time. */
  readonly isShared: boolean;
  /** Transactions run side by side, so that those which change the same record make each other wait or run again. */
  readonly runsSideBySide?: boolean;
  /** Transactions have a handle of the database ({@link Transaction.native}), which hosts get as `tx.db`. */
  readonly hasHandle?: boolean;
}

/** Broadcast messages between processes that share a storage. At-most-once delivery: no correctness may depend on them. */
export interface StorageSignals {
  /** Sends a message, letters only, to the other processes. Neither waits nor throws. */
  send(word: string): void;
  /** Calls the listener with each message of another process, and with undefined when some may have been lost. */
  listen(listener: (word: string | undefined) => void): void;
}

/** A search that indexes are planned for: of which records, in which order. */
export interface IndexedSearch {
  /** Of which tenants. */
  readonly scope: TenantScope;
  /** The table that is searched. */
  readonly table: Table;
  /** The filter, whose values stand for any others, and the order. */
  readonly criteria: Pick<Criteria, "filter" | "ownMembers" | "sort">;
}

/** What a storage has to change in its database so that searches of large tables find a page and a total without reading the table. */
export interface IndexPlan {
  /** The name of the index, or of the trigger that keeps a total or a list. */
  readonly name: string;
  /** The name of the table in the database. */
  readonly table: string;
  /** `drop` for what no search uses any more. */
  readonly change: "create" | "drop";
  /** Makes the change while others read and write. Repeat it after a failure. */
  build(): Promise<void>;
}

/** An index that a storage makes, or has made since it was opened. */
export interface IndexProgress {
  /** The name of the index in the database. */
  readonly name: string;
  /** The name of the table in the database. */
  readonly table: string;
  /** Searches use an index that is `ready`. */
  readonly state: "building" | "ready" | "failed";
  /** How many records are in it; 0 until it is ready where the database does not say. */
  readonly rowsDone: number;
  /** How many records are to be in it; an estimate where the database has one. */
  readonly rowsTotal: number;
}

/** Port for storing records. All methods reject with {@link StorageUnavailable} when the storage cannot be reached. */
export interface Storage<Native = unknown> extends StorageReader {
  /** What this storage supports beyond the minimum. */
  readonly capabilities: StorageCapabilities;
  /**
   * Creates or migrates these tables; called once before any other call. Safe when two processes start at once. `runtime` is that of the
   * service: time, timers and random values that the storage needs come from it. Default: Node's own.
   */
  open(tables: readonly Table[], runtime?: Runtime): Promise<void>;
  /**
   * Runs `work` in a transaction and resolves once its writes are durable. Where transactions run side by side, work that met
   * another one may run again: what it did before is undone, and of its callbacks only those of the last run are called.
   */
  transaction<T>(work: (tx: Transaction<Native>) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Runs `work` with a reader that sees the state as it is when `work` begins, while others write. It keeps no
   * writer waiting. The reader is of use until `work` ends.
   */
  snapshot<T>(work: (reader: StorageReader) => Promise<T>): Promise<T>;
  /** How processes that share the storage send each other cache invalidations. Default: caches are stale for at most a second. */
  readonly signals?: StorageSignals | undefined;
  /**
   * What these searches lack in tables that are large. Neither this nor any other method changes the schema after `open`: only
   * {@link IndexPlan.build} does. What searches answer does not depend on it. Default: nothing can be made.
   */
  planIndexes?(searches: readonly IndexedSearch[]): Promise<readonly IndexPlan[]>;
  /** The indexes that this process makes or has made. Default: none are. */
  readIndexProgress?(): Promise<readonly IndexProgress[]>;
  /** How many reads with `mayUseReplica` had which outcome since the process started: `served`, or why not. Undefined without replicas. */
  readReplicaOutcomes?(): Readonly<Record<string, number>> | undefined;
  /** Health check: resolves when the storage answers, rejects when it cannot be reached. */
  ping(): Promise<void>;
  /** Finishes pending work and frees connections and files. Later calls reject. */
  close(): Promise<void>;
}

/** A record collides with a stored one. `keys` names each unique key it collides on; `"id"` is the id itself. */
export class UniqueViolation extends Error {
  /** The name of the table. */
  readonly table: string;
  /** Names of the unique keys that collide; `"id"` for the id. */
  readonly keys: readonly string[];
  constructor(table: string, keys: readonly string[]) {
    super(`A record of ${table} collides on ${keys.join(", ")}.`);
    this.name = "UniqueViolation";
    this.table = table;
    this.keys = keys;
  }
}

/** The record was changed or removed since it was read (optimistic concurrency). */
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
 * A record refers to one that is not there, or that others refer to would go. A storage that enforces references says so, as when another
 * transaction removed a user in the meantime: the service begins the operation again.
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

/** The storage cannot be reached or is closed; the request may be repeated later. */
export class StorageUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StorageUnavailable";
  }
}
