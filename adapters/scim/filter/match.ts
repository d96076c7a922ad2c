import { foldEmailAddress, foldText } from "latchkey/ports";
import { isObject } from "../../internal/objects.js";
import { parseDate } from "../schema/read-value.js";
import type { AttributePath, ScimAttribute, ScimResource } from "../schema/types.js";
import type { Comparison, ComparisonOperator, Filter, ValueFilter } from "./filter.js";

/**
 * Whether a resource matches a filter (RFC 7644, 3.4.2.2). A multi-valued attribute matches when one value does. `ne` matches an
 * attribute without value, and a list with one value that differs. Texts are compared without case, as the API compares names,
 * unless the attribute is case-exact, and ordered by UTF-16 code unit; dates are compared as instants. A value of another type
 * than the attribute's matches `ne` only.
 */
export function matches(filter: Filter, resource: ScimResource): boolean {
  switch (filter.kind) {
    case "and":
      return filter.filters.every((part) => matches(part, resource));
    case "or":
      return filter.filters.some((part) => matches(part, resource));
    case "not":
      return !matches(filter.filter, resource);
    case "present":
      return valuesAt(filter.path, resource).some(isPresent);
    case "value":
      return hasMatchingValue(filter, resource);
    case "compare":
      return matchesComparison(filter, valuesAt(filter.path, resource));
  }
}

function hasMatchingValue({ path, filter }: ValueFilter, resource: ScimResource): boolean {
  return valuesAt(path, resource).some((value) => matches(filter, toItem(value)));
}

/** Returns a list value as filters in brackets see it: a simple value becomes the `value` of an object. */
export function toItem(value: unknown): ScimResource {
  return isObject(value) ? value : { value };
}

/** Returns the values of an attribute or sub-attribute of a resource; `[]` for none. */
export function valuesAt({ extension, attribute, sub }: AttributePath, resource: ScimResource): readonly unknown[] {
  const container = extension === undefined ? resource : resource[extension];
  const values = isObject(container) ? toList(container[attribute.name]) : [];
  if (sub === undefined) return values;
  return values.flatMap((value) => toList(toItem(value)[sub.name]));
}

function toList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function isPresent(value: unknown): boolean {
  return value !== "" && !(isObject(value) && Object.keys(value).length === 0);
}

function matchesComparison({ operator, value, path }: Comparison, values: readonly unknown[]): boolean {
  if (value === null) return (operator === "ne") === values.some(isPresent);
  if (operator === "ne" && values.length === 0) return true;
  return values.some((found) => compare(path.sub ?? path.attribute, operator, { found, value }));
}

interface Pair {
  readonly found: unknown;
  readonly value: string | number | boolean;
}

function compare(attribute: ScimAttribute, operator: ComparisonOperator, pair: Pair): boolean {
  const isWhole = operator === "eq" || operator === "ne";
  const found = toComparable(attribute, pair.found, isWhole);
  const value = toComparable(attribute, pair.value, isWhole);
  if (typeof found !== typeof value || found === undefined || value === undefined) return operator === "ne";
  if (typeof found === "string" && typeof value === "string") return compareTexts(operator, found, value);
  return compareOrdered(operator, found, value);
}

type Comparable = string | number | boolean;

function toComparable({ type, caseExact }: ScimAttribute, value: unknown, isWhole: boolean): Comparable | undefined {
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value !== "string") return undefined;
  if (type === "dateTime") return parseDate(value);
  if (caseExact || type === "binary") return value;
  return isWhole && isAddress(value) ? foldEmailAddress(value) : foldText(value);
}

function compareTexts(operator: ComparisonOperator, found: string, value: string): boolean {
  if (operator === "co") return found.includes(value);
  if (operator === "sw") return found.startsWith(value);
  if (operator === "ew") return found.endsWith(value);
  return compareOrdered(operator, found, value);
}

// All spellings of a domain make one address.
function isAddress(text: string): boolean {
  return text.includes("@") && text.trim() === text;
}

function compareOrdered(operator: ComparisonOperator, found: Comparable, value: Comparable): boolean {
  switch (operator) {
    case "eq":
      return found === value;
    case "ne":
      return found !== value;
    case "gt":
      return found > value;
    case "ge":
      return found >= value;
    case "lt":
      return found < value;
    case "le":
      return found <= value;
    default:
      return false;
  }
}
