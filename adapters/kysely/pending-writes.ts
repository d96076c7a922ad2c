// For speed alone: of users created one by one in a transaction of the host, each costs a statement less (goal 34).
import type { ColumnValue, RecordToStore, Table, TenantScope } from "latchkey/ports";
import { assertRunning } from "./running-unit.js";
import type { SqlConnection } from "./sql/sql-connection.js";
import type { Statements } from "./statements.js";

/** How many records wait at most, and how many characters of JSON. */
const maxRecords = 1_000;
const maxLength = 500_000;

interface Pending {
  readonly table: Table;
  readonly record: RecordToStore;
}

/** A point to return to: how many records there were, and how many of them were written. */
interface Mark {
  readonly count: number;
  readonly written: number;
}

/** Records of logs that a transaction writes together, before it ends or reads the log. What a savepoint undoes is not written. */
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

  /** Whether the work of its transaction has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Takes records to be written later. @throws Error when the transaction is over. */
  add(table: Table, records: readonly RecordToStore[]): void {
    assertRunning(this);
    for (const record of records) {
      this.#records.push({ table, record });
      this.#length += record.json.length;
    }
    if (this.#isStopped || this.#records.length - this.#written >= maxRecords || this.#length >= maxLength) this.write();
  }

  /** Writes what waits, and all that comes later at once. */
  stop(): void {
    this.#isStopped = true;
    this.write();
  }

  /** Writes what waits, in order. */
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

  /** Runs the work of the transaction, and writes what waits then. `undoOpen` undoes the savepoints that nobody waited for. */
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

  /** Runs the work of a savepoint. */
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

  // The database has undone what was written since as well: what came before the savepoint waits again.
  #undoFrom(depth: number): void {
    const [mark] = this.#open.splice(depth);
    if (mark === undefined) return;
    this.#records.length = mark.count;
    this.#written = mark.written;
    this.#forgetWritten();
  }

  // Until a savepoint ends, it may be undone, and with it what was written inside of it.
  #forgetWritten(): void {
    if (this.#open.length > 0) return;
    this.#records.splice(0, this.#written);
    this.#written = 0;
  }
}

/** How many values one statement looks for at most. */
const maxValues = 1_000;

/** Values that no record may hold in a column. */
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
 * Lookups that a transaction makes together: before it ends, or before a record changes that they may find. What a savepoint undoes is looked
 * up too: if that finds something, the work runs again and looks up each by itself.
 */
export class PendingLookups {
  readonly #connection: SqlConnection;
  readonly #statements: Statements;
  readonly #waiting = new Map<string, Waiting>();

  constructor(connection: SqlConnection, statements: Statements) {
    this.#connection = connection;
    this.#statements = statements;
  }

  /** Takes a lookup to be made later; false where each must wait for its answer. */
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

  /** Runs work and makes its lookups, also where the work rejects: a record that they find explains it. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.send();
    }
  }

  /** Makes the lookups of a table that wait; without a table all of them. */
  send(table?: Table): void {
    for (const [key, waiting] of this.#waiting) if (table === undefined || waiting.table === table) this.#send(key, waiting);
  }

  #send(key: string, waiting: Waiting): void {
    this.#waiting.delete(key);
    const { column, expectNone, scope, table, values } = waiting;
    // In any order and without a limit: such values are found by the index of the column alone.
    const query = this.#statements.findIds(scope, table, "id", { op: "in", column, values });
    expectNone(query.sql, query.parameters);
  }
}
