import { createHash } from "node:crypto";
import type { Criteria, Filter, Table, TenantScope } from "latchkey/ports";
import { literalId, partsOf } from "../sql/compile-filter.js";
import { type Fragment, join, raw, ref, sql } from "../sql/fragment.js";
import type { SqlProfile } from "../sql/sql-connection.js";
import { isNeverNull, isUniqueColumn, toSqlName, trimName } from "../sql/table-sql.js";

/** A column of an index. */
export interface IndexColumn {
  readonly column: string;
  readonly direction: "asc" | "desc";
}

/** An index that finds the page of a search, or the records of its filter. */
export interface RequestedIndex {
  readonly columns: readonly IndexColumn[];
  /** The number of leading columns for which the filter has one value. */
  readonly keyLength: number;
  /** The tenant of a partial index, when the tenant declares the indexed member. */
  readonly tenantId?: string;
  /** Whether it finds substrings of the columns, in no order. */
  readonly isOfSubstrings?: true;
  /** The operator class of a substring index. */
  readonly operators?: string | undefined;
}

/** The table, filter and order of a search. */
export interface SearchShape extends Pick<Criteria, "filter" | "ownMembers" | "sort"> {
  readonly scope: TenantScope;
  readonly table: Table;
}

/**
 * The index in the order of a search, which finds its page from one end; undefined when there can be none, or the filter finds
 * few records.
 */
export function requestedOrder(shape: SearchShape): RequestedIndex | undefined {
  const { sort, table } = shape;
  const key = keyOf(shape);
  if (key === undefined || sort.some(({ via }) => via !== undefined)) return undefined;
  const order: IndexColumn[] = [];
  for (const { column, direction } of [...sort, { column: "id", direction: "asc" } as const]) {
    if (key.includes(column)) continue;
    order.push({ column, direction });
    // Columns after a unique one break no ties.
    if (isUniqueColumn(table, column)) break;
  }
  return toIndex(table, key, order);
}

/** The indexes that speed up a search: for its order, else for its equality tests, and for prefixes of texts. */
export function listRequested(shape: SearchShape): readonly RequestedIndex[] {
  const { table } = shape;
  const key = keyOf(shape);
  if (key === undefined) return [];
  const id = ascending("id");
  const found = [requestedOrder(shape) ?? toIndex(table, key, [id])];
  const start = sharedParts(shape).find(isOfStart);
  const ofTenant = key.filter((column) => column === "tenantId");
  if (start !== undefined) found.push(toIndex(table, ofTenant, [ascending(start.column), id]));
  const shared = found.filter((index) => index !== undefined).filter((index) => !isPrimary(index));
  return [...shared, ...listOwn(shape)];
}

/** The index for the substring tests of a search; undefined without a long enough test. */
export function requestedSubstrings({ likeFrom = 0 }: SqlProfile, { filter, table }: SearchShape): RequestedIndex | undefined {
  const own = table.indexes.find(({ kind }) => kind === "substring");
  const isServed = (part: Filter): boolean => {
    if (part.op === "or") return part.filters.some(isServed);
    if (part.op !== "matches" || part.isLowered === true) return false;
    return own?.columns.includes(part.column) === true && isInside(part.pattern, likeFrom);
  };
  if (own === undefined || !partsOf(filter).some(isServed)) return undefined;
  return { columns: own.columns.map(ascending), keyLength: 0, isOfSubstrings: true };
}

function isInside([start, ...others]: readonly string[], likeFrom: number): boolean {
  return start === "" && others.some((part) => Array.from(part).length >= likeFrom);
}

/** The indexes of members that the tenant declares: one for each member in the filter, for any order. */
function listOwn({ filter, ownMembers = [], scope }: SearchShape): readonly RequestedIndex[] {
  if (scope.kind === "global" || ownMembers.length === 0) return [];
  const named = partsOf(filter).flatMap((part) =>
    (part.op === "equals" || part.op === "matches") && ownMembers.includes(part.column) ? [part.column] : [],
  );
  const { tenantId } = scope;
  return [...new Set(named)].map((column) => toTenantIndex(tenantId, column));
}

/** The index of a tenant's records by a member of their JSON. */
export function toTenantIndex(tenantId: string, member: string): RequestedIndex {
  // The tenant is a column, so that counts need the index only.
  return { columns: [ascending("tenantId"), ascending(member), ascending("id")], keyLength: 2, tenantId };
}

// A tenant's declaration must not create an index on records of other tenants.
function sharedParts({ filter, ownMembers = [] }: SearchShape): readonly Filter[] {
  return partsOf(filter).filter((part) => !("column" in part) || !ownMembers.includes(part.column));
}

// Postgres refuses records with values too large for an index: two texts of 255 characters fit, with ids and a JSON member.
function toIndex(table: Table, key: readonly string[], order: readonly IndexColumn[]): RequestedIndex | undefined {
  const columns = [...key.map(ascending), ...order];
  const texts = columns.map(({ column }) => table.columns[column]).filter((column) => column?.type === "text");
  return texts.length > 2 || texts.some((text) => text?.isLong) ? undefined : { columns, keyLength: key.length };
}

/** Whether a defined index of the table has this order, or the opposite one if that serves as well. */
export function isIndexed(profile: SqlProfile, table: Table, wanted: RequestedIndex): boolean {
  const { indexesHoldIds: holdsIds = false, makesLargeIndexes = false } = profile;
  const unique = table.uniqueKeys.filter(({ columns }) => columns.every((column) => isNeverNull(table, column)));
  if (unique.some(({ columns }) => servesUnique(columns, wanted))) return true;
  const plain = table.indexes.filter(({ kind, whenLarge }) => kind !== "substring" && !(whenLarge && makesLargeIndexes));
  return plain.some(({ columns }) => serves(table, columns, wanted, holdsIds));
}

function servesUnique(columns: readonly string[], { columns: wanted, keyLength }: RequestedIndex): boolean {
  const order = wanted.slice(keyLength, columns.length);
  return columns.length > keyLength && isStart(columns, wanted) && new Set(order.map(({ direction }) => direction)).size === 1;
}

// An index without ids leaves few records to sort, if no value is null.
function serves(
  table: Table,
  columns: readonly string[],
  { columns: wanted, keyLength }: RequestedIndex,
  holdsIds: boolean,
): boolean {
  const order = wanted.slice(keyLength);
  const isUnique = isUniqueColumn(table, wanted.at(-1)?.column ?? "id");
  if (isUnique && order.every(({ direction }) => direction === "desc"))
    return isStart(columns, wanted) || isSame(columns, wanted);
  if (!holdsIds && !columns.every((column) => isNeverNull(table, column))) return false;
  const held = columns.includes("id") ? columns : [...columns, "id"];
  return isSame(held, wanted) && order.every(isAscending);
}

function isStart(columns: readonly string[], wanted: readonly IndexColumn[]): boolean {
  return columns.length <= wanted.length && columns.every((column, index) => column === wanted[index]?.column);
}

function isSame(columns: readonly string[], wanted: readonly IndexColumn[]): boolean {
  return columns.length === wanted.length && isStart(columns, wanted);
}

/** The name of the index in a database. */
export function nameOf(table: Table, prefixedTable: string, index: RequestedIndex): string {
  const { columns, isOfSubstrings, tenantId } = index;
  if (isOfSubstrings)
    return trimName(`tx_${prefixedTable}_${columns.map(({ column }) => toSqlName(column)).join("_")}`, maxNameLength);
  if (tenantId !== undefined) return `${tenantIndexPrefix}${ownerOf(prefixedTable, tenantId)}_${digestOf(columns)}`;
  const own = table.indexes.find(
    (index) => index.whenLarge && isSame([...index.columns, "id"], columns) && columns.every(isAscending),
  );
  if (own !== undefined) return `ix_${prefixedTable}_${own.columns.map(toSqlName).join("_")}`;
  const names = columns.map(
    ({ column, direction }) => toSqlName(column).replaceAll(/[.-]/g, "_") + (direction === "desc" ? "_desc" : ""),
  );
  const name = `${searchIndexPrefix}${prefixedTable}_${names.join("_")}`;
  // Names of JSON members may differ in case only.
  const isOfMember = columns.some(({ column }) => column.includes("."));
  if (!isOfMember) return trimName(name, maxNameLength);
  const digest = `_${digestOf(columns)}`;
  return trimName(name, maxNameLength - digest.length) + digest;
}

/** The part of index names that is unique to a tenant and a table. */
export function ownerOf(prefixedTable: string, tenantId: string): string {
  return `${tenantId.replaceAll("-", "")}_${digestOf([prefixedTable])}`;
}

/** The tenant of a partial index; undefined for an index of all records. */
export function ownerId(name: string): string | undefined {
  const [, ...parts] = /^sxt_(.{8})(.{4})(.{4})(.{4})(.{12})_/.exec(name) ?? [];
  return parts.length === 0 ? undefined : parts.join("-");
}

function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 12);
}

/** The name prefix of indexes built for searches. */
export const searchIndexPrefix = "sx_";

/** The name prefix of indexes with one tenant's records. */
export const tenantIndexPrefix = "sxt_";
// Postgres cuts longer names.
const maxNameLength = 63;

/** The columns of the index in SQL, in the order that searches write. */
export function toIndexColumns(profile: SqlProfile, table: Table, { columns, operators, tenantId }: RequestedIndex): Fragment {
  if (operators !== undefined)
    return sql`using gin (${join(columns.map(({ column }) => sql`${ref(toSqlName(column))} ${raw(operators)}`))})`;
  const list = join(
    columns.map(({ column, direction }) => {
      const nulls = direction === "asc" ? " nulls first" : " nulls last";
      const isTold = !profile.sortsNullsFirst && !isNeverNull(table, column);
      const name = column.includes(".") ? sql`(${profile.member(ref("json"), column)})` : ref(toSqlName(column));
      return sql`${name} ${raw(direction + (isTold ? nulls : ""))}`;
    }),
  );
  return tenantId === undefined ? sql`(${list})` : sql`(${list}) where ${ref("tenant_id")} = ${literalId(tenantId)}`;
}

// The columns for which the filter has one value: the tenant first, and at most one other, to avoid an index for each
// combination.
function keyOf(shape: SearchShape): readonly string[] | undefined {
  const { scope, table } = shape;
  const parts = sharedParts(shape);
  if (parts.some((part) => part.op === "in" && part.column === "id")) return undefined;
  const values = parts.flatMap((part) => (part.op === "equals" && part.value !== null ? [part.column] : []));
  const given = new Set(scope.kind === "tenant" ? ["tenantId", ...values] : values);
  const isFew =
    given.has("id") ||
    table.uniqueKeys.some(({ columns }) => columns.every((column) => given.has(column) || column === "tenantId"));
  if (isFew) return undefined;
  const [other] = [...given].filter((column) => column !== "tenantId");
  return [...(given.has("tenantId") ? ["tenantId"] : []), ...(other === undefined ? [] : [other])];
}

function isOfStart(part: Filter): part is Filter & { op: "matches" } {
  return part.op === "matches" && part.isLowered !== true && part.pattern[0] !== "";
}

function isPrimary({ columns }: RequestedIndex): boolean {
  return columns[0]?.column === "id";
}

function isAscending({ direction }: IndexColumn): boolean {
  return direction === "asc";
}

function ascending(column: string): IndexColumn {
  return { column, direction: "asc" };
}
