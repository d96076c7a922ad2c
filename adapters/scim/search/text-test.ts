import type { ComparisonOperator } from "../filter/filter.js";
import type { QueryDocument } from "./compiled-filter.js";

const maxTextLength = 900;

/**
 * Whether a search of the API compares a text as it is: searches leave blanks around it out, refuse long texts and characters that no
 * storage holds, and find nothing by an empty one.
 */
export function isSearchable(value: string): boolean {
  if (value === "" || value.length > maxTextLength || value.trim() !== value) return false;
  return value.isWellFormed() && !value.includes("\0");
}

/** Returns a text with the wildcards that make a text filter of the API ask what the operator asks; undefined for other operators. */
export function toPattern(operator: ComparisonOperator, value: string): string | undefined {
  if (!isSearchable(value) || value.includes("*")) return undefined;
  switch (operator) {
    case "sw":
      return `${value}*`;
    case "co":
      return `*${value}*`;
    case "ew":
      return `*${value}`;
    default:
      return undefined;
  }
}

/** Returns the query that compares a field of users as the operator does; undefined where there is none. */
export function toTextQuery(field: string, operator: ComparisonOperator, value: string): QueryDocument | undefined {
  if (operator === "eq") return isSearchable(value) ? { term: { [field]: value } } : undefined;
  const pattern = toPattern(operator, value);
  return pattern === undefined ? undefined : { wildcard: { [field]: pattern } };
}
