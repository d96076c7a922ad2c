import {
  type Filter,
  globalScope,
  type HiddenText,
  type Lease,
  type LogRecord,
  type RecordToStore,
  StaleVersion,
  type Table,
  type TenantScope,
  type Transaction,
  tenantScope,
  type UniqueKey,
  UniqueViolation,
} from "latchkey/ports";
import { type Layer, MemoryView } from "./memory-view.js";
import { columnValue, positionColumn, TableState } from "./table-state.js";

/** Writes into the top layer only, so that dropping the layer rolls the writes back. */
export class MemoryTransaction extends MemoryView implements Transaction<undefined> {
  readonly native = undefined;
  isAwaited: (() => boolean) | undefined;
  readonly #callbacks: (() => void)[] = [];
  readonly #nextPosition: () => number;
  #isOver = false;

  /** `nextPosition` is shared by all logs. */
  constructor(tables: ReadonlyMap<string, Table>, layers: readonly Layer[], nextPosition: () => number) {
    super(tables, layers);
    this.#nextPosition = nextPosition;
  }

  async insert(scope: TenantScope, table: Table, records: readonly RecordToStore[]): Promise<void> {
    await this.savepoint(async () => {
      for (const record of records) {
        assertInScope(scope, record);
        const idKey = this.row(table.name, record.id) === undefined ? [] : ["id"];
        throwIfAny(table, [...idKey, ...this.#collidingKeys(table, record)]);
        this.#state(table).put(record.id, frozenCopy(record, table.isLog ? { [positionColumn]: this.#nextPosition() } : {}));
      }
    });
  }

  async rewrite(scope: TenantScope, table: Table, records: readonly RecordToStore[]): Promise<void> {
    await this.savepoint(async () => {
      for (const record of records) {
        const { columns } = this.#current(scope, table, record);
        this.#state(table).put(record.id, frozenCopy({ ...record, columns }));
      }
    });
  }

  async update(scope: TenantScope, table: Table, record: RecordToStore): Promise<void> {
    this.#current(scope, table, record);
    throwIfAny(table, this.#collidingKeys(table, record, record.id));
    this.#state(table).put(record.id, frozenCopy(record));
  }

  async replaceHidden(scope: TenantScope, table: Table, records: readonly HiddenText[]): Promise<readonly string[]> {
    this.#assertRunning();
    const replaced: string[] = [];
    for (const { hidden, id, version } of records) {
      const row = this.row(table.name, id);
      if (row === undefined || row.version !== version || (scope.kind === "tenant" && row.tenantId !== scope.tenantId)) continue;
      this.#state(table).put(id, frozenCopy({ ...row, hidden }));
      replaced.push(id);
    }
    return replaced;
  }

  async remove(scope: TenantScope, table: Table, filter: Filter | undefined): Promise<number> {
    this.#assertRunning();
    const rows = this.matching(scope, table, filter);
    for (const row of rows) this.#state(table).put(row.id, null);
    return rows.length;
  }

  async clearTenant(table: Table, tenantId: string, limit: number): Promise<number> {
    this.#assertRunning();
    const rows = this.matching(tenantScope(tenantId), table, undefined).slice(0, limit);
    for (const row of rows) this.#state(table).put(row.id, frozenCopy({ ...row, tenantId: null }));
    return rows.length;
  }

  async take(table: Table, limit: number, maxBytes?: number): Promise<readonly LogRecord[]> {
    this.#assertRunning();
    const rows = untilLarge(this.firstRows(table.name, limit), maxBytes);
    for (const row of rows) this.#state(table).put(row.id, null);
    return rows.map(toLogRecord);
  }

  async lease(table: Table, { limit, maxBytes, now, until }: Lease): Promise<readonly LogRecord[]> {
    this.#assertRunning();
    const free = this.firstRows(table.name, limit, (row) => Number(row.columns.leasedUntil ?? 0) < now);
    const rows = untilLarge(free, maxBytes);
    for (const row of rows) this.#state(table).put(row.id, frozenCopy(row, { leasedUntil: until }));
    return rows.map(toLogRecord);
  }

  async removeLeased(table: Table, positions: readonly number[], until: number): Promise<readonly number[]> {
    this.#assertRunning();
    const rows = positions.flatMap((position) => [...this.rowsWithValue(table, positionColumn, position)]);
    const leased = rows.filter(({ columns }) => columns.leasedUntil === until);
    for (const { id } of leased) this.#state(table).put(id, null);
    return leased.map((row) => toLogRecord(row).position);
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    this.#assertRunning();
    const below = this.layers;
    const layer: Layer = new Map();
    this.layers = [...below, layer];
    const callbacks = this.#callbacks.length;
    try {
      const result = await work();
      this.layers = below;
      this.#merge(layer);
      return result;
    } catch (error) {
      this.layers = below;
      this.#callbacks.length = callbacks;
      throw error;
    }
  }

  afterCommit(callback: () => void): void {
    this.#callbacks.push(callback);
  }

  /** Copies the stored versions of the records that this transaction changes into a snapshot's layer. */
  keepEarlier(snapshot: Layer): void {
    const [kept, changes = []] = this.layers;
    for (const [name, { rows }] of changes) {
      const earlier = snapshot.get(name) ?? new TableState(this.tables.get(name) as Table);
      snapshot.set(name, earlier);
      for (const id of rows.keys()) if (!earlier.rows.has(id)) earlier.put(id, kept?.get(name)?.rows.get(id) ?? null);
    }
  }

  /** Writes this transaction's layer into the stored state and runs the callbacks. */
  commit(kept: Layer): void {
    for (const [name, changed] of this.layers[1] ?? []) {
      const state = kept.get(name) as TableState;
      for (const [id, row] of changed.rows) row === null ? state.drop(id) : state.put(id, row);
    }
    for (const callback of this.#callbacks) callback();
  }

  /** Refuses further writes, which would be lost. */
  end(): void {
    this.#isOver = true;
  }

  /** Returns the record to replace. @throws StaleVersion */
  #current(scope: TenantScope, table: Table, record: RecordToStore): RecordToStore {
    assertInScope(scope, record);
    const current = this.row(table.name, record.id);
    if (current?.version !== record.version - 1 || current.tenantId !== record.tenantId)
      throw new StaleVersion(table.name, record.id);
    return current;
  }

  #assertRunning(): void {
    if (this.#isOver) throw new Error("The transaction is over.");
  }

  #merge(layer: Layer): void {
    for (const [name, changed] of layer)
      for (const [id, row] of changed.rows) this.#state(this.tables.get(name) as Table).put(id, row);
  }

  #state(table: Table): TableState {
    this.#assertRunning();
    const layer = this.layers.at(-1) as Layer;
    let state = layer.get(table.name);
    if (state === undefined) {
      state = new TableState(table);
      layer.set(table.name, state);
    }
    return state;
  }

  /** The keys that another record holds; `ownId` excludes the record itself. */
  #collidingKeys(table: Table, record: RecordToStore, ownId?: string): string[] {
    return table.uniqueKeys.filter((key) => this.#collides(table, key, record, ownId)).map((key) => key.name);
  }

  #collides(table: Table, key: UniqueKey, record: RecordToStore, ownId: string | undefined): boolean {
    const values = key.columns.map((column) => columnValue(record, column));
    if (values.includes(null)) return false;
    const filters = key.columns.map((column, index) => ({ op: "equals", column, value: values[index] ?? null }) as const);
    const last = filters.slice(-1);
    const rest = filters.slice(0, -1);
    return this.matching(globalScope, table, { op: "and", filters: [...last, ...rest] }).some((row) => row.id !== ownId);
  }
}

function throwIfAny(table: Table, keys: readonly string[]): void {
  if (keys.length > 0) throw new UniqueViolation(table.name, keys);
}

function assertInScope(scope: TenantScope, record: RecordToStore): void {
  if (scope.kind === "tenant" && record.tenantId !== scope.tenantId)
    throw new Error("The record is outside of the tenant scope.");
}

// A record has texts and numbers only, so freezing this one level is enough.
function frozenCopy(record: RecordToStore, more: RecordToStore["columns"] = {}): RecordToStore {
  return Object.freeze({ ...record, columns: Object.freeze({ ...record.columns, ...more }) });
}

function untilLarge(rows: readonly RecordToStore[], maxBytes = Number.POSITIVE_INFINITY): readonly RecordToStore[] {
  let bytes = 0;
  const end = rows.findIndex((row) => {
    const before = bytes;
    bytes += Buffer.byteLength(row.json);
    return before >= maxBytes;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

function toLogRecord(row: RecordToStore): LogRecord {
  return { ...row, position: Number(row.columns[positionColumn]) };
}
