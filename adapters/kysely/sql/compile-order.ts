import type { Criteria, Filter, SortField, Table } from "latchkey/ports";
import { type Condition, joinConditions, partsOf } from "./compile-filter.js";
import { type Fragment, join, raw, sql } from "./fragment.js";
import type { SqlProfile } from "./sql-connection.js";
import { isNeverNull as isColumnNeverNull, isUniqueColumn, standardColumns } from "./table-sql.js";

type Position = NonNullable<Criteria["after"]>;

/** The terms of an order: the fields, the SQL of their values, and that of the id. */
export interface SortTerms {
  readonly table: Table;
  readonly sort: readonly SortField[];
  readonly expressions: readonly Fragment[];
  readonly id: Fragment;
}

/**
 * SQL that is true for the records after a position in the given order (keyset paging). `values` are the bound sort values of the
 * position. For an order of non-null ascending columns, compares rows, so an index in that order starts at the position;
 * otherwise a bound on the first value lets an index start there.
 */
export function compileAfter(terms: SortTerms, values: readonly unknown[], after: Position): Condition {
  const { table, sort, expressions, id } = terms;
  if (sort.every((field) => field.direction === "asc" && isNeverNull(table, field)))
    return sql`(${join([...expressions, id])}) > (${join([...values, after.id])})`;
  const alternatives: Condition[] = [];
  const equalSoFar: Condition[] = [];
  sort.forEach((field, index) => {
    const expression = expressions[index] as Fragment;
    const value = values[index];
    const beyond = compileBeyond(expression, field.direction, value);
    if (beyond !== undefined) alternatives.push(joinConditions([...equalSoFar, beyond], "and"));
    equalSoFar.push(isEqual(expression, value));
  });
  const byId: Condition = sql`${id} > ${after.id}`;
  const behind = joinConditions([...alternatives, joinConditions([...equalSoFar, byId], "and")], "or");
  return joinConditions([...compileBound(terms, values[0]), behind], "and");
}

/**
 * The same as consecutive ranges of an index in the order: together they contain all records after the position, and each starts
 * at the end of the one before. No record before the position is read.
 */
export function compileRanges(profile: SqlProfile, terms: SortTerms, values: readonly unknown[], after: Position): Condition[] {
  const { table, sort, expressions, id } = terms;
  if (sort.some(({ via }) => via !== undefined) || sort.every((field) => field.direction === "asc" && isNeverNull(table, field)))
    return [compileAfter(terms, values, after)];
  const equal = sort.map((_, index) => isEqual(expressions[index] as Fragment, values[index]));
  const ranges: Condition[] = [joinConditions([...equal, sql`${id} > ${after.id}`], "and")];
  for (let index = sort.length - 1; index >= 0; index--) {
    const field = sort[index] as SortField;
    const beyond = rangesBeyond(profile, terms.table, field, expressions[index] as Fragment, values[index]);
    for (const range of beyond) ranges.push(joinConditions([...equal.slice(0, index), range], "and"));
  }
  return ranges;
}

function isEqual(expression: Fragment, value: unknown): Condition {
  return value === null ? sql`${expression} is null` : sql`${expression} = ${value}`;
}

function rangesBeyond(
  profile: SqlProfile,
  table: Table,
  { column, direction }: SortField,
  expression: Fragment,
  value: unknown,
): Condition[] {
  if (direction === "asc") return [value === null ? isAny(profile, table, column, expression) : sql`${expression} > ${value}`];
  if (value === null) return [];
  return [sql`${expression} < ${value}`, ...(isColumnNeverNull(table, column) ? [] : [sql`${expression} is null`])];
}

// SQLite cannot start in an index with an `is not null` test.
function isAny(profile: SqlProfile, table: Table, column: string, expression: Fragment): Condition {
  if (!profile.sortsNullsFirst) return sql`${expression} is not null`;
  const type = table.columns[column]?.type ?? standardColumns[column]?.type;
  return type === "integer" || type === "boolean" ? sql`${expression} >= ${-(2 ** 53)}` : sql`${expression} >= ${""}`;
}

// Nulls come first in ascending order: nothing is before them, everything else is after.
function compileBeyond(expression: Fragment, direction: "asc" | "desc", value: unknown): Condition | undefined {
  if (direction === "asc") return value === null ? sql`${expression} is not null` : sql`${expression} > ${value}`;
  return value === null ? undefined : sql`(${expression} < ${value} or ${expression} is null)`;
}

function compileBound({ table, sort, expressions }: SortTerms, value: unknown): Condition[] {
  const [field] = sort;
  if (field === undefined || value === null) return [];
  if (field.direction === "asc") return [sql`${expressions[0]} >= ${value}`];
  return isNeverNull(table, field) ? [sql`${expressions[0]} <= ${value}`] : [];
}

/** Whether no record has a null in the field. */
function isNeverNull(table: Table, { column, via }: SortField): boolean {
  return via === undefined && isColumnNeverNull(table, column);
}

function isTested(columns: ReadonlySet<string>, { column, via }: SortField): boolean {
  return via === undefined && columns.has(column);
}

/** Variants of an order. All default to false. */
export interface OrderOptions {
  /** Reversed. */
  readonly isFromBack?: boolean;
  /** Prevents the use of an index in this order: the matching records are sorted instead. */
  readonly isSorted?: boolean;
  /** The filter of the records: columns that it compares are not null. */
  readonly filter?: Filter | undefined;
}

/** SQL of an order: nulls come first in ascending and last in descending order, and the id breaks ties. */
export function compileOrder(profile: SqlProfile, terms: SortTerms, options: OrderOptions = {}): Fragment {
  const { table, sort, expressions, id } = terms;
  const { filter, isFromBack = false, isSorted = false } = options;
  const valued = new Set(partsOf(filter).flatMap((part) => (part.op === "compare" ? [part.column] : [])));
  const turn = { asc: isFromBack ? "desc" : "asc", desc: isFromBack ? "asc" : "desc" } as const;
  const fields = sort.map((field, index) => {
    const direction = turn[field.direction];
    // Databases that sort nulls last have no index with nulls first: an unnecessary clause would force a sort.
    const isTold = !profile.sortsNullsFirst && (isSorted || !(isNeverNull(table, field) || isTested(valued, field)));
    const nulls = direction === "asc" ? " nulls first" : " nulls last";
    return sql`${expressions[index]} ${raw(direction + (isTold ? nulls : ""))}`;
  });
  // Columns after a unique one break no ties, and no index would have that order.
  const end = sort.findIndex(({ column, via }) => via === undefined && isUniqueColumn(table, column));
  return sql`order by ${join(end < 0 ? [...fields, sql`${id} ${raw(turn.asc)}`] : fields.slice(0, end + 1))}`;
}
