import { createHash } from "node:crypto";
import type { ColumnType, ColumnValue, RecordToStore, StoredRecord, Table } from "latchkey/ports";
import type { SqlProfile, SqlRow } from "./sql-connection.js";

/** The standard columns of every table, before its own. */
export const standardColumns: Readonly<Record<string, { readonly type: ColumnType; readonly isNullable?: boolean }>> = {
  id: { type: "id" },
  tenantId: { type: "id", isNullable: true },
  version: { type: "integer" },
  insertInstant: { type: "integer" },
  lastUpdateInstant: { type: "integer" },
  json: { type: "text" },
  hidden: { type: "text", isNullable: true },
};

/** The columns of a stored record, in the order of selects. */
export const recordColumns: readonly string[] = ["id", "tenant_id", "version", "json", "hidden"];

const sqlNames = new Map<string, string>();

/** The name of a column in SQL: `insertInstant` → `insert_instant`. */
export function toSqlName(name: string): string {
  let sqlName = sqlNames.get(name);
  if (sqlName === undefined) {
    sqlName = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    sqlNames.set(name, sqlName);
  }
  return sqlName;
}

/** The prefix and the schema of the service's tables. */
export interface TableNames {
  readonly tablePrefix: string;
  /** Default: the connection's search path. */
  readonly schema?: string | undefined;
}

/** The name of a table with its schema, for `ref`. */
export function toSqlTable({ tablePrefix, schema }: TableNames, name: string): string {
  return `${schema === undefined ? "" : `${schema}.`}${tablePrefix}${toSqlName(name)}`;
}

/** A name of at most `maxLength` characters. A cut name ends with a digest of the whole, so that names stay distinct. */
export function trimName(name: string, maxLength: number): string {
  if (name.length <= maxLength) return name;
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return `${name.slice(0, maxLength - digest.length - 1)}_${digest}`;
}

/** Converts a row with {@link recordColumns} to a record. */
export function toStoredRecord(row: SqlRow): StoredRecord {
  return {
    id: row.id as string,
    tenantId: row.tenant_id as string | null,
    version: Number(row.version),
    json: row.json as string,
    hidden: row.hidden as string | null,
  };
}

/** The number of rewritten standard columns: all but the first two. */
export const rewrittenCount: number = Object.keys(standardColumns).length - 2;

/** Whether no record of a table has a null in a column. */
export function isNeverNull(table: Table, column: string): boolean {
  if (column === "tenantId") return table.tenancy === "tenant";
  const known = Object.hasOwn(standardColumns, column) ? standardColumns[column] : table.columns[column];
  return known !== undefined && known.isNullable !== true && !("since" in known);
}

/** Whether a column has a different value in each record of a table. */
export function isUniqueColumn(table: Table, column: string): boolean {
  const isKey = table.uniqueKeys.some(({ columns }) => columns.length === 1 && columns[0] === column);
  return (column === "id" && table.isLog !== true) || (isKey && isNeverNull(table, column));
}

const columnsOfTables = new WeakMap<Table, readonly string[]>();

/** The names of all columns of a table, standard ones first. */
export function allColumns(table: Table): readonly string[] {
  let columns = columnsOfTables.get(table);
  if (columns === undefined) {
    columns = [...Object.keys(standardColumns), ...Object.keys(table.columns)];
    columnsOfTables.set(table, columns);
  }
  return columns;
}

/** The values of {@link allColumns} for the driver. */
export function toParameters(profile: SqlProfile, table: Table, record: RecordToStore): unknown[] {
  return allColumns(table).map((column) => profile.toParameter(columnValue(record, column)));
}

/** The parameters of a rewrite. */
export function toRewriteParameters(profile: SqlProfile, table: Table, record: RecordToStore): unknown[] {
  return toChangeParameters(profile, table, record, 2 + rewrittenCount);
}

// The parameters of a change that requires a record's previous version. The first columns, id and tenant, stay.
function toChangeParameters(profile: SqlProfile, table: Table, record: RecordToStore, end?: number): unknown[] {
  const values = toParameters(profile, table, record).slice(2, end);
  return [...values, record.id, record.version - 1, ...(record.tenantId === null ? [] : [record.tenantId])];
}

/**
 * The parameters of an update: the change, and for each unique key the record's values and id, to exclude other records with
 * them.
 */
export function toUpdateParameters(profile: SqlProfile, table: Table, record: RecordToStore): unknown[] {
  const valuesOf = (columns: readonly string[]): unknown[] =>
    columns.map((column) => profile.toParameter(columnValue(record, column)));
  const ofKeys = table.uniqueKeys.flatMap(({ columns }) => [...valuesOf(columns), record.id]);
  return [...toChangeParameters(profile, table, record), ...ofKeys];
}

/** The value of any column of a record. */
export function columnValue(record: RecordToStore, column: string): ColumnValue {
  if (Object.hasOwn(standardColumns, column)) return record[column as keyof RecordToStore] as ColumnValue;
  return record.columns[column] ?? null;
}
