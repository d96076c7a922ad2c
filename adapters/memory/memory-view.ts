import {
  type ColumnsOf,
  type ColumnValue,
  type Criteria,
  compareSortValues,
  evaluateFilter,
  type Filter,
  type FindOptions,
  globalScope,
  type PositionRange,
  type RecordToStore,
  type RelatedRecords,
  ResultTooLarge,
  type SearchPage,
  type SizeLimit,
  type SortField,
  type StorageReader,
  type StoredRecord,
  sortValue,
  type Table,
  type TenantScope,
} from "latchkey/storage";
import { columnValue, indexedColumns, positionColumn, type TableState } from "./table-state.js";
import { textOf } from "./text-index.js";

/** The tables of one layer: the kept state, or what one transaction or savepoint changed on top of it. */
export type Layer = Map<string, TableState>;

/** Reads through a stack of layers: the uppermost layer that knows a record decides. */
export class MemoryView implements StorageReader, RelatedRecords {
  protected readonly tables: ReadonlyMap<string, Table>;
  protected layers: readonly Layer[];

  constructor(tables: ReadonlyMap<string, Table>, layers: readonly Layer[]) {
    this.tables = tables;
    this.layers = layers;
  }

  async retrieve(scope: TenantScope, table: Table, id: string): Promise<StoredRecord | undefined> {
    const row = this.row(table.name, id);
    return row && isInScope(scope, row) ? row : undefined;
  }

  async find(
    scope: TenantScope,
    table: Table,
    filter: Filter | undefined,
    options?: FindOptions,
  ): Promise<readonly StoredRecord[]> {
    const { after = "" } = options ?? {};
    const rows = this.matching(scope, table, filter).filter(({ id }) => id > after);
    const found = this.sorted(rows, options?.sort ?? []);
    return within(
      options?.sizeLimit,
      found.slice(0, options?.limit).map((entry) => entry.row),
    );
  }

  async findIds(scope: TenantScope, table: Table, column: string, filter: Filter | undefined): Promise<readonly string[]> {
    const ids = this.matching(scope, table, filter).map((row) => columnValue(row, column));
    return ids.filter((id): id is string => id !== null);
  }

  async findPositions(table: Table): Promise<readonly PositionRange[]> {
    const positions = Array.from(this.allRows(table.name), (row) => Number(columnValue(row, positionColumn)));
    const ranges: [number, number][] = [];
    for (const position of positions.sort((a, b) => a - b)) {
      const last = ranges.at(-1);
      if (last?.[1] === position - 1) last[1] = position;
      else ranges.push([position, position]);
    }
    return ranges;
  }

  async search(scope: TenantScope, table: Table, criteria: Criteria): Promise<SearchPage> {
    const { after, sort, offset, limit } = criteria;
    const found = this.matching(scope, table, criteria.filter);
    const compare = (a: Position, b: Position): number => compareSortValues(sort, a, b);
    const entries = this.entries(found, sort, (entry) => after === undefined || compare(after, entry) < 0);
    const page = firstInOrder(entries, compare, offset + limit).slice(offset);
    const last = page.at(-1);
    return {
      records: within(
        criteria.sizeLimit,
        page.map((entry) => entry.row),
      ),
      total: found.length,
      ...(last && { last: { values: last.values, id: last.id } }),
    };
  }

  *withValue(tableName: string, column: string, value: ColumnValue): Iterable<ColumnsOf> {
    const table = this.tables.get(tableName);
    if (table !== undefined) for (const row of this.rowsWithValue(table, column, value)) yield columnsOf(row);
  }

  protected row(table: string, id: string): RecordToStore | undefined {
    for (let depth = this.layers.length - 1; depth >= 0; depth--) {
      const row = this.layers[depth]?.get(table)?.rows.get(id);
      if (row !== undefined) return row ?? undefined;
    }
    return undefined;
  }

  protected matching(scope: TenantScope, table: Table, filter: Filter | undefined): RecordToStore[] {
    const rows: RecordToStore[] = [];
    for (const row of this.candidates(scope, table, filter))
      if (isInScope(scope, row) && (filter === undefined || evaluateFilter(filter, columnsOf(row), this))) rows.push(row);
    return rows;
  }

  // Lower layers were written before upper ones, and a map keeps the order of what was put into it.
  protected firstRows(
    table: string,
    limit: number,
    passes: (row: RecordToStore) => boolean = () => true,
  ): readonly RecordToStore[] {
    const rows: RecordToStore[] = [];
    for (const [depth, layer] of this.layers.entries())
      for (const [id, row] of layer.get(table)?.rows ?? []) {
        if (rows.length >= limit) return rows;
        if (row && this.depthOf(table, id) === depth && passes(row)) rows.push(row);
      }
    return rows;
  }

  protected *rowsWithValue(table: Table, column: string, value: ColumnValue): Iterable<RecordToStore> {
    if (!indexedColumns(table).has(column)) {
      for (const row of this.allRows(table.name)) if (columnValue(row, column) === value) yield row;
      return;
    }
    for (let depth = this.layers.length - 1; depth >= 0; depth--)
      for (const id of this.layers[depth]?.get(table.name)?.idsWithValue(column, value) ?? [])
        if (this.depthOf(table.name, id) === depth) yield this.row(table.name, id) as RecordToStore;
  }

  // The narrowest way in: a test for one value of an indexed column, else the tenant, else everything.
  private candidates(scope: TenantScope, table: Table, filter: Filter | undefined): Iterable<RecordToStore> {
    const tests = filter?.op === "and" ? filter.filters : filter === undefined ? [] : [filter];
    for (const test of tests)
      if (test.op === "equals" && indexedColumns(table).has(test.column))
        return this.rowsWithValue(table, test.column, test.value);
    for (const test of tests) if (test.op === "in" && test.column === "id") return this.rowsById(table.name, test.values);
    for (const test of tests) if (test.op === "exists" && test.isNarrow) return this.relatedRows(table, test);
    const ids = this.idsByText(scope, table, tests);
    if (ids !== undefined) return this.rowsById(table.name, ids);
    return scope.kind === "tenant" ? this.rowsWithValue(table, "tenantId", scope.tenantId) : this.allRows(table.name);
  }

  // Outside of transactions, and unless the tenant is the narrower way in.
  private idsByText(scope: TenantScope, table: Table, tests: readonly Filter[]): Iterable<string> | undefined {
    const state = this.layers.length === 1 ? this.layers[0]?.get(table.name) : undefined;
    if (state === undefined) return undefined;
    if (scope.kind === "tenant" && state.countWithValue("tenantId", scope.tenantId) < state.rows.size / 10) return undefined;
    for (const test of tests) {
      const text = textOf(table, state.rows.size, test);
      if (text !== undefined) return state.texts.idsWith(text.column, text.part);
    }
    return undefined;
  }

  private *relatedRows(table: Table, test: Filter & { op: "exists" }): Iterable<RecordToStore> {
    const other = this.tables.get(test.table);
    const found = other === undefined ? [] : this.matching(globalScope, other, test.filter);
    const values = new Set(found.map((row) => columnValue(row, test.foreignColumn)));
    for (const value of values) yield* this.rowsWithValue(table, test.localColumn, value);
  }

  private *rowsById(table: string, ids: Iterable<ColumnValue>): Iterable<RecordToStore> {
    for (const id of new Set(ids)) {
      const row = this.row(table, String(id));
      if (row) yield row;
    }
  }

  private *allRows(table: string): Iterable<RecordToStore> {
    for (let depth = this.layers.length - 1; depth >= 0; depth--)
      for (const [id, row] of this.layers[depth]?.get(table)?.rows ?? []) if (row && this.depthOf(table, id) === depth) yield row;
  }

  private depthOf(table: string, id: string): number {
    return this.layers.findLastIndex((layer) => layer.get(table)?.rows.has(id));
  }

  private sorted(rows: readonly RecordToStore[], sort: readonly SortField[]): SortedRow[] {
    return [...this.entries(rows, sort)].sort((a, b) => compareSortValues(sort, a, b));
  }

  private *entries(
    rows: readonly RecordToStore[],
    sort: readonly SortField[],
    passes: (entry: SortedRow) => boolean = () => true,
  ): Iterable<SortedRow> {
    for (const row of rows) {
      const values = sort.map((field) => sortValue(field, columnsOf(row), this));
      const entry = { row, id: row.id, values };
      if (passes(entry)) yield entry;
    }
  }
}

function within(limit: SizeLimit | undefined, rows: readonly RecordToStore[]): readonly RecordToStore[] {
  if (limit === undefined || rows.length <= limit.unmeasured) return rows;
  const bytes = rows.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);
  if (bytes > limit.maxBytes) throw new ResultTooLarge(limit.maxBytes);
  return rows;
}

type Position = NonNullable<Criteria["after"]>;
type SortedRow = Position & { readonly row: RecordToStore };

function columnsOf(row: RecordToStore): ColumnsOf {
  return (column) => columnValue(row, column);
}

function isInScope(scope: TenantScope, row: RecordToStore): boolean {
  return scope.kind === "global" || row.tenantId === scope.tenantId;
}

/** The first `limit` of the entries in order. Of many it keeps few at a time, so that a page does not cost the order of all. */
export function firstInOrder<T>(entries: Iterable<T>, compare: (a: T, b: T) => number, limit: number): T[] {
  if (limit === 0) return [];
  const most = 2 * limit + 100;
  let kept: T[] = [];
  let worst: T | undefined;
  for (const entry of entries) {
    if (worst !== undefined && compare(entry, worst) >= 0) continue;
    kept.push(entry);
    if (kept.length < most) continue;
    kept = kept.sort(compare).slice(0, limit);
    worst = kept.at(-1);
  }
  return kept.sort(compare).slice(0, limit);
}
