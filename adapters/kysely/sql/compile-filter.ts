import type { Column, Filter, RecordToStore, SortField, Table, TenantScope } from "latchkey/ports";
import { type Fragment, join, raw, ref, sql } from "./fragment.js";
import type { SqlProfile } from "./sql-connection.js";
import { standardColumns, toSqlName } from "./table-sql.js";

/** The context of compiling a filter: the database, and the tables it may name. */
export interface CompileContext {
  readonly profile: SqlProfile;
  readonly tables: ReadonlyMap<string, Table>;
  readonly sqlTable: (name: string) => string;
  /**
   * The columns whose tests may use an index, when records are read in the order of one: any other index would find them first
   * and require a sort. Default: every column.
   */
  readonly keyOfOrder?: ReadonlySet<string>;
  /** Ids of the records with an item in their list, from an index of items; undefined without one. */
  readonly listsOf?: (table: Table, member: string, value: string) => Fragment | undefined;
  /**
   * Whether a tenant has its own index for a member of its records' JSON: then the SQL contains the tenant id literally, so that
   * the database uses it.
   */
  readonly hasTenantIndex?: (table: Table, tenantId: string, member: string) => boolean;
}

/** The records that a filter tests: those of a table under an alias. */
export interface FilteredTable {
  readonly context: CompileContext;
  readonly table: Table;
  readonly alias: string;
}

/** SQL that is true or false for a record. */
export type Condition = Fragment;

/** A column of a table or alias. @throws Error for a column missing in the table definition. */
export function columnReference({ alias, context, table }: FilteredTable, column: string): Fragment {
  if (column.includes(".")) return context.profile.member(ref(`${alias}.json`), column);
  const known: Column | undefined = table.columns[column];
  if (known === undefined && !Object.hasOwn(standardColumns, column)) throw new Error(`${table.name} has no column ${column}.`);
  return ref(`${alias}.${toSqlName(column)}`);
}

/** SQL that is true for the records in scope that match the filter. */
export function compileScopedFilter(rows: FilteredTable, scope: TenantScope, filter: Filter | undefined): Condition {
  const { alias, context, table } = rows;
  const conditions: Condition[] = [];
  if (scope.kind === "tenant") {
    const { tenantId } = scope;
    const isOwn = partsOf(filter).some(
      (part) => "column" in part && context.hasTenantIndex?.(table, tenantId, part.column) === true,
    );
    const column = findsById(context, table, filter) ? sql`+${ref(`${alias}.tenant_id`)}` : testedColumn(rows, "tenantId");
    conditions.push(sql`${column} = ${isOwn ? literalId(tenantId) : tenantId}`);
  }
  if (scope.kind === "global" && isOfUniqueKey(context, table, filter))
    conditions.push(sql`${ref(`${alias}.tenant_id`)} in (select id from ${ref(context.sqlTable("tenants"))})`);
  if (filter !== undefined) conditions.push(compileFilter(rows, filter));
  return joinConditions(conditions, "and");
}

/** @throws Error for a record to store outside of the tenant scope. */
export function assertInScope(scope: TenantScope, record: RecordToStore): void {
  if (scope.kind === "tenant" && record.tenantId !== scope.tenantId)
    throw new Error("The record is outside of the tenant scope.");
}

// Without statistics, an index of tenants seems as good as one of ids, and all records of the tenant would be read.
function findsById({ keyOfOrder, profile }: CompileContext, table: Table, filter: Filter | undefined): boolean {
  if (profile.choosesBySize !== false || keyOfOrder !== undefined) return false;
  const indexes = [...table.indexes, ...table.uniqueKeys].map(({ columns }) => columns[0]);
  return partsOf(filter).some((part) => {
    if (part.op !== "in" && (part.op !== "equals" || part.value === null)) return false;
    return part.column === "id" || (table.columns[part.column]?.type === "id" && indexes.includes(part.column));
  });
}

// A key within the tenant is looked up in each tenant, with one index lookup for each.
function isOfUniqueKey({ keyOfOrder, tables }: CompileContext, table: Table, filter: Filter | undefined): boolean {
  if (table.tenancy !== "tenant" || table.name === "tenants" || keyOfOrder !== undefined || !tables.has("tenants")) return false;
  const given = partsOf(filter).flatMap((part) => {
    if (part.op === "in") return part.values.includes(null) ? [] : [part.column];
    return part.op === "equals" && part.value !== null ? [part.column] : [];
  });
  if (given.includes("tenantId") || given.includes("id")) return false;
  const known = ["tenantId", ...given];
  return table.uniqueKeys.some(({ columns }) => columns[0] === "tenantId" && columns.every((column) => known.includes(column)));
}

/** The tests of a filter that must all hold. */
export function partsOf(filter: Filter | undefined): readonly Filter[] {
  if (filter === undefined) return [];
  return filter.op === "and" ? filter.filters.flatMap(partsOf) : [filter];
}

/** An id as literal SQL. */
export function literalId(id: string): Fragment {
  if (!/^[0-9a-f-]{36}$/.test(id)) throw new TypeError("An id is a UUID.");
  return raw(`'${id}'`);
}

// A column after `+` uses no index.
function testedColumn(rows: FilteredTable, column: string): Fragment {
  const name = columnReference(rows, column);
  return rows.context.keyOfOrder?.has(column) === false ? sql`+${name}` : name;
}

/** SQL that is true for the records that match the filter. */
export function compileFilter(rows: FilteredTable, filter: Filter): Condition {
  const { profile } = rows.context;
  switch (filter.op) {
    case "equals": {
      const column = testedColumn(rows, filter.column);
      return filter.value === null ? sql`${column} is null` : sql`${column} = ${profile.toParameter(filter.value)}`;
    }
    case "in": {
      const column = testedColumn(rows, filter.column);
      const { before, after, toParameter } = profile.listTest;
      const list = toParameter(filter.values.map(profile.toParameter));
      const isListed = sql`${column} ${raw(before)}${list}${raw(after)}`;
      return filter.values.includes(null) ? sql`(${isListed} or ${column} is null)` : isListed;
    }
    case "matches": {
      const column = testedColumn(rows, filter.column);
      // Lowers ASCII letters only: SQLite and the collation C of Postgres support no others.
      return compilePattern(profile, filter.isLowered ? sql`lower(${column})` : column, filter.pattern);
    }
    case "compare":
      return sql`${testedColumn(rows, filter.column)} ${raw(filter.comparison)} ${filter.value}`;
    case "includes":
      return compileIncludes(rows, filter);
    case "and":
    case "or": {
      const conditions = filter.filters.map((part) => compileFilter(rows, part));
      return joinConditions(conditions, filter.op);
    }
    case "not":
      return sql`not coalesce(${compileFilter(rows, filter.filter)}, ${raw("false")})`;
    case "exists":
      return compileExists(rows, filter);
  }
}

function compileIncludes({ alias, context, table }: FilteredTable, { member, value }: Filter & { op: "includes" }): Condition {
  const { listsOf, profile } = context;
  const ids = listsOf?.(table, member, value);
  return ids === undefined ? profile.includes(ref(`${alias}.json`), member, value) : sql`${ref(`${alias}.id`)} in (${ids})`;
}

/** The conjunction or disjunction of conditions. */
export function joinConditions(conditions: readonly Condition[], operator: "and" | "or"): Condition {
  if (conditions.length === 0) return operator === "and" ? sql`1 = 1` : sql`1 = 0`;
  return conditions.length === 1 ? (conditions[0] as Condition) : sql`(${join(conditions, ` ${operator} `)})`;
}

function compilePattern(profile: SqlProfile, column: Fragment, pattern: readonly string[]): Condition {
  if (pattern.length === 1) return sql`${column} = ${pattern[0]}`;
  const [start = ""] = pattern;
  if (start === "") return compileAnywhere(profile, column, pattern);
  const isOnlyStart = pattern.length === 2 && pattern[1] === "";
  return joinConditions(
    [...compileStart(column, start), ...(isOnlyStart ? [] : [compileAnywhere(profile, column, pattern)])],
    "and",
  );
}

// Texts with a common prefix are adjacent in code point order.
function compileStart(column: Fragment, start: string): Condition[] {
  const next = nextText(start);
  return [sql`${column} >= ${start}`, ...(next === undefined ? [] : [sql`${column} < ${next}`])];
}

/** The first text after all with the given prefix; undefined without one. */
function nextText(start: string): string | undefined {
  const points = Array.from(start, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === lastCodePoint) points.pop();
  const last = points.pop();
  // After the last code point before the surrogates, skips them: no text contains them alone.
  return last === undefined ? undefined : String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
}

const lastCodePoint = 0x10ffff;

function compileAnywhere(profile: SqlProfile, column: Fragment, pattern: readonly string[]): Condition {
  if (profile.likeIgnoresCase) return sql`${column} glob ${pattern.map((part) => part.replace(/[*?[]/g, "[$&]")).join("*")}`;
  const isContains = pattern.length === 3 && pattern[0] === "" && pattern[2] === "";
  if (isContains && Array.from(pattern[1] ?? "").length < (profile.likeFrom ?? 0))
    return sql`strpos(${column}, ${pattern[1]}) > 0`;
  const like = pattern.map((part) => part.replace(/[%_\\]/g, "\\$&")).join("%");
  // The backslash is the default escape; naming one would be evaluated again for each row.
  return sql`${column} like ${like}`;
}

function compileExists(rows: FilteredTable, filter: Filter & { op: "exists" }): Condition {
  const { alias, context } = rows;
  const other = context.tables.get(filter.table);
  if (other === undefined) throw new Error(`There is no table ${filter.table}.`);
  const otherAlias = `${alias}_${filter.table}`;
  const local = columnReference(rows, filter.localColumn);
  // Inside the subquery, any index may find the records.
  const { keyOfOrder: _, ...inside } = context;
  const others = { context: inside, table: other, alias: otherAlias };
  const foreign = columnReference(others, filter.foreignColumn);
  const rest = filter.filter === undefined ? [] : [compileFilter(others, filter.filter)];
  const from = sql`from ${ref(context.sqlTable(other.name))} as ${ref(otherAlias)} where`;
  // SQLite scans all records for EXISTS.
  const isOfValue = context.profile.choosesBySize === false && isOne(filter.filter);
  if ((filter.isNarrow || isOfValue) && context.keyOfOrder === undefined)
    return sql`${local} in (select ${foreign} ${from} ${joinConditions(rest, "and")})`;
  return sql`exists (select 1 ${from} ${joinConditions([sql`${foreign} = ${local}`, ...rest], "and")})`;
}

function isOne(filter: Filter | undefined): boolean {
  return partsOf(filter).some(({ op }) => op === "equals" || op === "includes");
}

/** The expression that a sort field orders by. */
export function compileSortExpression(rows: FilteredTable, field: SortField): Fragment {
  if (field.via === undefined) return startOf(columnReference(rows, field.column), field);
  const { context } = rows;
  const other = context.tables.get(field.via.table) as Table;
  const local = columnReference(rows, field.via.localColumn);
  const column = startOf(columnReference({ context, table: other, alias: "sorted_by" }, field.column), field);
  return sql`(select ${column} from ${ref(context.sqlTable(other.name))} as sorted_by where sorted_by.id = ${local})`;
}

function startOf(column: Fragment, { maxLength }: SortField): Fragment {
  return maxLength === undefined ? column : sql`substr(${column}, 1, ${raw(String(maxLength))})`;
}

/**
 * The shape of a filter without its values, which are appended to `parameters` in the order of its SQL: filters of one shape have
 * the same SQL. Undefined when the SQL depends on the values.
 */
export function shapeOf(profile: SqlProfile, filter: Filter, parameters: unknown[]): string | undefined {
  switch (filter.op) {
    case "equals":
      if (filter.value === null) return `${filter.column}=null`;
      parameters.push(profile.toParameter(filter.value));
      return `${filter.column}=`;
    case "in":
      return shapeOfList(profile, filter, parameters);
    case "compare":
      parameters.push(filter.value);
      return filter.column + filter.comparison;
    case "and":
    case "or":
      return shapeOfAll(profile, filter, parameters);
    case "not":
      return wrap("not", shapeOf(profile, filter.filter, parameters));
    case "exists": {
      const { filter: inner, foreignColumn, isNarrow = false, localColumn, table } = filter;
      const shape = inner === undefined ? "" : shapeOf(profile, inner, parameters);
      return wrap(`${localColumn} ${table}.${foreignColumn} ${isNarrow}`, shape);
    }
    // The SQL depends on the existing indexes.
    case "includes":
    case "matches":
      return undefined;
  }
}

type ListTest = Filter & { op: "in" };

function shapeOfList(profile: SqlProfile, { column, values }: ListTest, parameters: unknown[]): string | undefined {
  if (values.includes(null)) return undefined;
  parameters.push(profile.listTest.toParameter(values.map(profile.toParameter)));
  return `${column} in`;
}

function shapeOfAll(
  profile: SqlProfile,
  { filters, op }: Filter & { op: "and" | "or" },
  parameters: unknown[],
): string | undefined {
  let shape = "";
  for (const part of filters) {
    const inner = shapeOf(profile, part, parameters);
    if (inner === undefined) return undefined;
    shape += `${inner},`;
  }
  return wrap(op, shape);
}

function wrap(name: string, shape: string | undefined): string | undefined {
  return shape === undefined ? undefined : `${name}(${shape})`;
}
