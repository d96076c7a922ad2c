import { type ColumnValue, memberValue, type RecordToStore, type Table } from "latchkey/ports";
import { TextIndex } from "./text-index.js";

/** The column of a log that has the position of each record. */
export const positionColumn = "position";

/** The value of any column of a record, including the standard columns. */
export function columnValue(record: RecordToStore, column: string): ColumnValue {
  switch (column) {
    case "id":
      return record.id;
    case "tenantId":
      return record.tenantId;
    case "version":
      return record.version;
    case "json":
      return record.json;
    case "hidden":
      return record.hidden;
    case "insertInstant":
      return record.insertInstant;
    case "lastUpdateInstant":
      return record.lastUpdateInstant;
    default:
      if (column.includes(".")) return memberValue((name) => columnValue(record, name), column);
      return record.columns[column] ?? null;
  }
}

/** The records of one table in one layer. Null marks a removed record. */
export class TableState {
  readonly rows: Map<string, RecordToStore | null> = new Map();
  readonly #indexes = new Map<string, Map<ColumnValue, Set<string>>>();
  #texts: TextIndex | undefined;

  constructor(table: Table) {
    for (const column of indexedColumns(table)) if (column !== "id") this.#indexes.set(column, new Map());
  }

  put(id: string, row: RecordToStore | null): void {
    const previous = this.rows.get(id);
    if (previous) for (const [column, index] of this.#indexes) removeFrom(index, columnValue(previous, column), id);
    this.rows.set(id, row);
    if (row) for (const [column, index] of this.#indexes) addTo(index, columnValue(row, column), id);
    this.#texts?.note(id);
  }

  /** Deletes the record without a marker, for the lowest layer. */
  drop(id: string): void {
    this.put(id, null);
    this.rows.delete(id);
  }

  /** The text index of this layer's records. */
  get texts(): TextIndex {
    this.#texts ??= new TextIndex(this.rows);
    return this.#texts;
  }

  /** How many of this layer's records have a value in an indexed column other than the id. */
  countWithValue(column: string, value: ColumnValue): number {
    return this.#indexes.get(column)?.get(value)?.size ?? 0;
  }

  /** The ids of this layer's records with a value in an indexed column. */
  idsWithValue(column: string, value: ColumnValue): Iterable<string> {
    if (column === "id") return typeof value === "string" && this.rows.get(value) ? [value] : [];
    return this.#indexes.get(column)?.get(value) ?? [];
  }
}

function addTo(index: Map<ColumnValue, Set<string>>, value: ColumnValue, id: string): void {
  const ids = index.get(value);
  if (ids === undefined) index.set(value, new Set([id]));
  else ids.add(id);
}

// Deletes unused values: instants never repeat.
function removeFrom(index: Map<ColumnValue, Set<string>>, value: ColumnValue, id: string): void {
  const ids = index.get(value);
  ids?.delete(id);
  if (ids?.size === 0) index.delete(value);
}

const indexedColumnsByTable = new WeakMap<Table, ReadonlySet<string>>();

/** The columns of a table that need no scan for a lookup. */
export function indexedColumns(table: Table): ReadonlySet<string> {
  const known = indexedColumnsByTable.get(table);
  if (known !== undefined) return known;
  const columns = collectIndexedColumns(table);
  indexedColumnsByTable.set(table, columns);
  return columns;
}

function collectIndexedColumns(table: Table): Set<string> {
  const columns = new Set(["id", "tenantId", ...(table.isLog ? [positionColumn] : [])]);
  for (const key of table.uniqueKeys) columns.add(key.columns.at(-1) ?? "id");
  for (const index of table.indexes) if (index.kind !== "substring") columns.add(index.columns[0] ?? "id");
  for (const [name, column] of Object.entries(table.columns)) if (column.references) columns.add(name);
  return columns;
}
