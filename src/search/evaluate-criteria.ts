import type { ColumnValue, Filter, SortField } from "../ports/storage.js";
import { isObject } from "../shared/objects.js";
import { compareCodePoints } from "../shared/text.js";
import { matchesPattern } from "./text-pattern.js";

/** A record as its columns, including the standard ones. */
export type ColumnsOf = (column: string) => ColumnValue;

/** Access to related tables for filters and orders. */
export interface RelatedRecords {
  /** The records of `table` with `value` in `column`. */
  withValue(table: string, column: string, value: ColumnValue): Iterable<ColumnsOf>;
}

/** Whether a record matches a filter. A comparison with null is false, as in SQL. */
export function evaluateFilter(filter: Filter, record: ColumnsOf, related: RelatedRecords): boolean {
  switch (filter.op) {
    case "equals":
      return record(filter.column) === filter.value;
    case "in":
      return isListed(filter, record(filter.column));
    case "matches":
      return matchesColumn(filter, record(filter.column));
    case "includes":
      return includesText(memberOf(record, filter.member), filter.value);
    case "compare":
      return isOrdered(record(filter.column), filter.comparison, filter.value);
    case "and":
      return filter.filters.every((part) => evaluateFilter(part, record, related));
    case "or":
      return filter.filters.some((part) => evaluateFilter(part, record, related));
    case "not":
      return !evaluateFilter(filter.filter, record, related);
    case "exists":
      return existsRelated(filter, record, related);
  }
}

type ListFilter = Filter & { readonly op: "in" };

const longLists = new WeakMap<ListFilter, ReadonlySet<ColumnValue>>();

// A long list is tested for each record: a linear search would cost the square of its length.
function isListed(filter: ListFilter, value: ColumnValue): boolean {
  if (filter.values.length <= 16) return filter.values.includes(value);
  let listed = longLists.get(filter);
  if (listed === undefined) {
    listed = new Set(filter.values);
    longLists.set(filter, listed);
  }
  return listed.has(value);
}

function matchesColumn({ isLowered, pattern }: Filter & { op: "matches" }, value: ColumnValue): boolean {
  return typeof value === "string" && matchesPattern(isLowered ? foldAscii(value) : value, pattern);
}

function includesText(list: unknown, value: string): boolean {
  return Array.isArray(list) && list.some((item) => typeof item === "string" && foldAscii(item) === value);
}

function memberOf(record: ColumnsOf, path: string): unknown {
  const member = (value: unknown, name: string): unknown =>
    isObject(value) && Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
  return path.split(".").reduce(member, JSON.parse(String(record("json"))));
}

/** Longer texts, in characters, cannot be searched. */
export const maxMemberLength = 100;

/** The column value of a member of a record's JSON: a text with its ASCII letters in lower case. */
export function memberValue(record: ColumnsOf, path: string): string | null {
  const value = memberOf(record, path);
  if (typeof value === "string") return Array.from(value).length > maxMemberLength ? null : foldAscii(value);
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

/** A text with its ASCII letters in lower case. */
export function foldAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function existsRelated(filter: Filter & { op: "exists" }, record: ColumnsOf, related: RelatedRecords): boolean {
  const value = record(filter.localColumn);
  if (value === null) return false;
  const test = filter.filter;
  if (filter.isNarrow && test?.op === "equals") {
    for (const candidate of related.withValue(filter.table, test.column, test.value))
      if (candidate(filter.foreignColumn) === value) return true;
    return false;
  }
  for (const candidate of related.withValue(filter.table, filter.foreignColumn, value))
    if (test === undefined || evaluateFilter(test, candidate, related)) return true;
  return false;
}

function isOrdered(value: ColumnValue, comparison: "<" | "<=" | ">" | ">=", limit: string | number): boolean {
  if (value === null) return false;
  const order = compareValues(value, limit);
  if (comparison === "<") return order < 0;
  if (comparison === "<=") return order <= 0;
  return comparison === ">" ? order > 0 : order >= 0;
}

/** Orders two column values: nulls first, false before true, numbers by size, texts by code point. */
export function compareValues(a: ColumnValue, b: ColumnValue): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  if (typeof a === "string" && typeof b === "string") return compareCodePoints(a, b);
  return Number(a) - Number(b);
}

/** The sort value of a record. */
export function sortValue(field: SortField, record: ColumnsOf, related: RelatedRecords): ColumnValue {
  if (field.via === undefined) return startOf(record(field.column), field);
  for (const target of related.withValue(field.via.table, "id", record(field.via.localColumn)))
    return startOf(target(field.column), field);
  return null;
}

function startOf(value: ColumnValue, { maxLength }: SortField): ColumnValue {
  if (typeof value !== "string" || maxLength === undefined || value.length <= maxLength) return value;
  return Array.from(value.slice(0, 2 * maxLength))
    .slice(0, maxLength)
    .join("");
}

/** Orders two lists of sort values of the same fields; the ascending id breaks ties. */
export function compareSortValues(
  sort: readonly SortField[],
  a: { readonly values: readonly ColumnValue[]; readonly id: string },
  b: { readonly values: readonly ColumnValue[]; readonly id: string },
): number {
  for (let index = 0; index < sort.length; index++) {
    const order = compareValues(a.values[index] ?? null, b.values[index] ?? null);
    if (order !== 0) return sort[index]?.direction === "desc" ? -order : order;
  }
  return compareCodePoints(a.id, b.id);
}
