import type { ComparisonOperator } from "../filter/filter.js";
import type { QueryDocument } from "./compiled-filter.js";

const maxTextLength = 900;

/**
 * Whether the API's search compares a text unchanged: it trims blanks, refuses long texts and characters that no storage accepts,
 * and finds nothing for an empty one.
 */
export function isSearchable(value: string): boolean {
  if (value === "" || value.length > maxTextLength || value.trim() !== value) return false;
  return value.isWellFormed() && !value.includes("\0");
}

/** Returns a text with wildcards for a text filter of the API; undefined for other operators. */
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

/** Returns the query that compares a field of users like the operator; undefined without one. */
export function toTextQuery(field: string, operator: ComparisonOperator, value: string): QueryDocument | undefined {
  if (operator === "eq") return isSearchable(value) ? { term: { [field]: value } } : undefined;
  const pattern = toPattern(operator, value);
  return pattern === undefined ? undefined : { wildcard: { [field]: pattern } };
}
