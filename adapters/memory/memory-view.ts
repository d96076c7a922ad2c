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
  type SearchPage,
  type SortField,
  type StorageReader,
  type StoredRecord,
  sortValue,
  type Table,
  type TenantScope,
} from "latchkey/ports";
import { type PageEntry, PageFinder, within } from "./page-finder.js";
import { columnValue, indexedColumns, positionColumn, type TableState } from "./table-state.js";
import { textOf } from "./text-index.js";

/** The tables of one layer: the stored state, or the changes of one transaction or savepoint on top of it. */
export type Layer = Map<string, TableState>;

/** Reads through a stack of layers: the top layer with an entry for a record wins. */
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
    const found = this.pageFinder(criteria);
    for (const row of this.matching(scope, table, criteria.filter)) found.add(row);
    return found.toPage();
  }

  /** Searches a large set of ids in steps and yields to other work between them. */
  async searchAmong(
    { ids, nextTurn }: { readonly ids: readonly string[]; readonly nextTurn: () => Promise<void> },
    scope: TenantScope,
    table: Table,
    criteria: Criteria,
  ): Promise<SearchPage> {
    const found = this.pageFinder(criteria);
    for (const [index, id] of ids.entries()) {
      if (index > 0 && index % stepSize === 0) await nextTurn();
      const row = this.row(table.name, id);
      if (row !== undefined && this.passes(scope, criteria.filter, row)) found.add(row);
    }
    return found.toPage();
  }

  /** Returns the ids that a search outside of transactions must scan; undefined for short searches. */
  findManyIds(scope: TenantScope, table: Table, filter: Filter | undefined): readonly string[] | undefined {
    const state = this.layers.length === 1 ? this.layers[0]?.get(table.name) : undefined;
    if (state === undefined || state.rows.size < manyRows) return undefined;
    const tests = testsOf(filter);
    if (tests.some((test) => (test.op === "in" && test.column === "id") || (test.op === "exists" && test.isNarrow)))
      return undefined;
    const value = tests.find((test) => test.op === "equals" && indexedColumns(table).has(test.column));
    const inTenant = scope.kind === "tenant" ? { column: "tenantId", value: scope.tenantId } : undefined;
    const by = value?.op === "equals" ? value : inTenant;
    if (by === undefined) return this.idsByText(scope, table, tests) === undefined ? [...state.rows.keys()] : undefined;
    if (by.column === "id" || state.countWithValue(by.column, by.value) < manyRows) return undefined;
    if (by === inTenant && this.idsByText(scope, table, tests) !== undefined) return undefined;
    return [...state.idsWithValue(by.column, by.value)];
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
    for (const row of this.candidates(scope, table, filter)) if (this.passes(scope, filter, row)) rows.push(row);
    return rows;
  }

  private passes(scope: TenantScope, filter: Filter | undefined, row: RecordToStore): boolean {
    return isInScope(scope, row) && (filter === undefined || evaluateFilter(filter, columnsOf(row), this));
  }

  private pageFinder(criteria: Criteria): PageFinder {
    return new PageFinder(criteria, (field, row) => sortValue(field, columnsOf(row), this));
  }

  // Lower layers are older than upper ones, and a map keeps the insertion order.
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

  // Uses the narrowest access path: a value of an indexed column, else the tenant, else a full scan.
  private candidates(scope: TenantScope, table: Table, filter: Filter | undefined): Iterable<RecordToStore> {
    const tests = testsOf(filter);
    for (const test of tests)
      if (test.op === "equals" && indexedColumns(table).has(test.column))
        return this.rowsWithValue(table, test.column, test.value);
    for (const test of tests) if (test.op === "in" && test.column === "id") return this.rowsById(table.name, test.values);
    for (const test of tests) if (test.op === "exists" && test.isNarrow) return this.relatedRows(table, test);
    const ids = this.idsByText(scope, table, tests);
    if (ids !== undefined) return this.rowsById(table.name, ids);
    return scope.kind === "tenant" ? this.rowsWithValue(table, "tenantId", scope.tenantId) : this.allRows(table.name);
  }

  // Only outside of transactions, and unless the tenant is narrower.
  private idsByText(scope: TenantScope, table: Table, tests: readonly Filter[]): Iterable<string> | undefined {
    const state = this.layers.length === 1 ? this.layers[0]?.get(table.name) : undefined;
    if (state === undefined || state.rows.size > mostTexts) return undefined;
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

  private sorted(rows: readonly RecordToStore[], sort: readonly SortField[]): PageEntry[] {
    const entries = rows.map((row) => ({ row, id: row.id, values: sort.map((field) => sortValue(field, columnsOf(row), this)) }));
    return entries.sort((a, b) => compareSortValues(sort, a, b));
  }
}

/** Searches of this many records run in steps of `stepSize`, each a millisecond or two. */
const manyRows = 10_000;
const stepSize = 1_000;

/** The largest table with a text index; building the index takes a second for a million records. */
const mostTexts = 200_000;

function testsOf(filter: Filter | undefined): readonly Filter[] {
  return filter?.op === "and" ? filter.filters : filter === undefined ? [] : [filter];
}

function columnsOf(row: RecordToStore): ColumnsOf {
  return (column) => columnValue(row, column);
}

function isInScope(scope: TenantScope, row: RecordToStore): boolean {
  return scope.kind === "global" || row.tenantId === scope.tenantId;
}
