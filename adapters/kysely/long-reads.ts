import type { Filter, FindOptions, Table } from "latchkey/ports";
import { partsOf } from "./sql/compile-filter.js";

/** The number of records that any table finds quickly. */
const few = 1_000;

/** Whether a search finds its records by id or by a unique key, independent of the table's size. */
export function isLookup(table: Table, filter: Filter | undefined): boolean {
  const tests = partsOf(filter);
  if (tests.some((test) => test.op === "in" && test.column === "id" && test.values.length <= few)) return true;
  // Without a tenant, a key within the tenant is looked up in each tenant.
  const columns = new Set(["tenantId", ...tests.filter(isOneValue).map(({ column }) => column)]);
  const isKnown = (column: string): boolean => columns.has(column);
  return (
    isKnown("id") ||
    table.uniqueKeys.some((key) => key.columns.some((column) => column !== "tenantId") && key.columns.every(isKnown))
  );
}

/** Whether `find` needs no scan of the table: it reads few records, or those that reference certain others. */
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
