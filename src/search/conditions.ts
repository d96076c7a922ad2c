import type { Filter, TextPattern } from "../ports/storage.js";

/** What a query without a condition finds, such as an empty `bool`: everything. `match_all` and `*`, which ask for it, make another filter. */
export const noCondition: Filter = Object.freeze({ op: "and", filters: Object.freeze([]) });

/** What an empty text finds: every text. */
export const emptyPattern: TextPattern = Object.freeze(["", ""]);

/**
 * Whether the criteria of a caller narrow anything, or ask for everything by name. Otherwise they were not meant: a change or an export by
 * them would concern everybody.
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
