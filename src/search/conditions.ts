import type { Filter, TextPattern } from "../ports/storage.js";

/**
 * The filter of a query without a condition, such as an empty `bool`: it matches everything. `match_all` and `*`, which request
 * everything explicitly, create another filter.
 */
export const noCondition: Filter = Object.freeze({ op: "and", filters: Object.freeze([]) });

/** The pattern of an empty text: it matches every text. */
export const emptyPattern: TextPattern = Object.freeze(["", ""]);

/**
 * Whether a caller's criteria narrow the result, or request everything explicitly. Other criteria are a mistake: a change or an
 * export with them would affect every record.
 */
export function isCondition(filter: Filter | undefined): boolean {
  return filter !== undefined && !isEmpty(filter);
}

function isEmpty(filter: Filter): boolean {
  switch (filter.op) {
    case "and":
      return filter === noCondition || (filter.filters.length > 0 && filter.filters.every(isEmpty));
    case "or":
      return filter.filters.some(isEmpty);
    case "not":
      return findsNothing(filter.filter);
    case "matches":
      return filter.pattern === emptyPattern;
    default:
      return false;
  }
}

function findsNothing(filter: Filter): boolean {
  switch (filter.op) {
    case "and":
      return filter.filters.some(findsNothing);
    case "or":
      return filter.filters.every(findsNothing);
    case "not":
      return isEmpty(filter.filter);
    case "in":
      return filter.values.length === 0;
    default:
      return false;
  }
}
