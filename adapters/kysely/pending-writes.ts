// For speed only: each user created separately in a host transaction costs one statement less (goal 34 of
// docs/internals/performance.md).
import type { ColumnValue, RecordToStore, Table, TenantScope } from "latchkey/ports";
import { assertRunning } from "./running-unit.js";
import type { SqlConnection } from "./sql/sql-connection.js";
import type { Statements } from "./statements.js";

/** The maximum number of waiting records, and of characters of their JSON. */
const maxRecords = 1_000;
const maxLength = 500_000;

interface Pending {
  readonly table: Table;
  readonly record: RecordToStore;
}

/** A savepoint: the number of records, and of written ones, at its start. */
interface Mark {
  readonly count: number;
  readonly written: number;
}

/**
 * Log records that a transaction inserts together, before it ends or reads the log. Records of an undone savepoint are not
 * written.
 */
export class PendingInserts {
  readonly #write: (table: Table, records: readonly RecordToStore[]) => void;
  readonly #records: Pending[] = [];
  readonly #open: Mark[] = [];
  #written = 0;
  #length = 0;
  #isStopped = false;
  #isOver = false;

  constructor(write: (table: Table, records: readonly RecordToStore[]) => void) {
    this.#write = write;
  }

  /** Whether the work of the transaction has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Queues records. @throws Error when the transaction is over. */
  add(table: Table, records: readonly RecordToStore[]): void {
    assertRunning(this);
    for (const record of records) {
      this.#records.push({ table, record });
      this.#length += record.json.length;
    }
    if (this.#isStopped || this.#records.length - this.#written >= maxRecords || this.#length >= maxLength) this.write();
  }

  /** Writes the queue, and from now on each record at once. */
  stop(): void {
    this.#isStopped = true;
    this.write();
  }

  /** Writes the queue in order. */
  write(): void {
    const waiting = this.#records.slice(this.#written);
    for (const [table, list] of Map.groupBy(waiting, (one) => one.table)) {
      const records = list.map(({ record }) => record);
      this.#write(table, records);
    }
    this.#written = this.#records.length;
    this.#length = 0;
    this.#forgetWritten();
  }

  /** Runs the work of the transaction, then writes the queue. `undoOpen` rolls back savepoints that the work did not await. */
  async run<T>(work: () => Promise<T>, undoOpen: () => void): Promise<T> {
    try {
      const value = await work();
      if (this.#open.length > 0) {
        undoOpen();
        this.#undoFrom(0);
      }
      this.write();
      return value;
    } finally {
      this.#isOver = true;
    }
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const depth = this.#open.length;
    this.#open.push({ count: this.#records.length, written: this.#written });
    try {
      const value = await work();
      this.#open.length = Math.min(this.#open.length, depth);
      this.#forgetWritten();
      return value;
    } catch (error) {
      if (this.#open.length > depth) this.#undoFrom(depth);
      throw error;
    }
  }

  // The database also rolled back writes since the savepoint: earlier records return to the queue.
  #undoFrom(depth: number): void {
    const [mark] = this.#open.splice(depth);
    if (mark === undefined) return;
    this.#records.length = mark.count;
    this.#written = mark.written;
    this.#forgetWritten();
  }

  // An open savepoint may still be rolled back, and with it the writes inside it.
  #forgetWritten(): void {
    if (this.#open.length > 0) return;
    this.#records.splice(0, this.#written);
    this.#written = 0;
  }
}

/** The maximum number of values in a lookup statement. */
const maxValues = 1_000;

/** Values that must not occur in a column. */
export interface PendingLookup {
  readonly scope: TenantScope;
  readonly table: Table;
  readonly column: string;
  readonly values: readonly ColumnValue[];
}

interface Waiting extends PendingLookup {
  readonly values: ColumnValue[];
  readonly expectNone: NonNullable<SqlConnection["expectNone"]>;
}

/**
 * Lookups that a transaction makes together: before it ends, or before a write to their table. Includes lookups of undone
 * savepoints: if one finds a record, the work runs again and makes each lookup separately.
 */
export class PendingLookups {
  readonly #connection: SqlConnection;
  readonly #statements: Statements;
  readonly #waiting = new Map<string, Waiting>();

  constructor(connection: SqlConnection, statements: Statements) {
    this.#connection = connection;
    this.#statements = statements;
  }

  /** Queues a lookup; false when the connection requires separate ones. */
  add(lookup: PendingLookup): boolean {
    const { expectNone } = this.#connection;
    if (expectNone === undefined) return false;
    const { column, scope, table } = lookup;
    const key = `${table.name} ${column} ${scope.kind === "tenant" ? scope.tenantId : ""}`;
    const waiting = this.#waiting.get(key) ?? { ...lookup, values: [], expectNone };
    this.#waiting.set(key, waiting);
    for (const value of lookup.values) waiting.values.push(value);
    if (waiting.values.length >= maxValues) this.#send(key, waiting);
    return true;
  }

  /** Runs work and then its lookups, even if the work rejects: a found record explains the error. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.send();
    }
  }

  /** Sends the queued lookups of a table, or of all tables. */
  send(table?: Table): void {
    for (const [key, waiting] of this.#waiting) if (table === undefined || waiting.table === table) this.#send(key, waiting);
  }

  #send(key: string, waiting: Waiting): void {
    this.#waiting.delete(key);
    const { column, expectNone, scope, table, values } = waiting;
    // Without order and limit: the index of the column finds such values.
    const query = this.#statements.findIds({ scope, table, filter: { op: "in", column, values } }, "id");
    expectNone(query.sql, query.parameters);
  }
}
