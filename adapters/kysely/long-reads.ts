import type { Filter, FindOptions, Table } from "latchkey/ports";
import { partsOf } from "./sql/compile-filter.js";

/** How many records are found quickly in any table. */
const few = 1_000;

/** Whether a search finds its records by their ids or by a unique key, regardless of how many others there are. */
export function isLookup(table: Table, filter: Filter | undefined): boolean {
  const tests = partsOf(filter);
  if (tests.some((test) => test.op === "in" && test.column === "id" && test.values.length <= few)) return true;
  // A key within the tenant is looked up in each of them where none is given.
  const columns = new Set(["tenantId", ...tests.filter(isOneValue).map(({ column }) => column)]);
  const isKnown = (column: string): boolean => columns.has(column);
  return (
    isKnown("id") ||
    table.uniqueKeys.some((key) => key.columns.some((column) => column !== "tenantId") && key.columns.every(isKnown))
  );
}

/** Whether `find` need not look through the table: few records are asked for, or those that refer to certain others. */
export function isShortFind(filter: Filter | undefined, options: FindOptions = {}): boolean {
  return (options.limit ?? Number.POSITIVE_INFINITY) <= few || partsOf(filter).some(isOfFew);
}

function isOfFew(test: Filter): boolean {
  return test.op === "equals" || test.op === "in" || (test.op === "exists" && test.isNarrow === true);
}

function isOneValue(test: Filter): test is Filter & { readonly column: string } {
  if (test.op === "matches") return test.pattern.length === 1 && test.isLowered !== true;
  return test.op === "equals" && test.value !== null;
}
