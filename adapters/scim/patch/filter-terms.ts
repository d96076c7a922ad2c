import type { Comparison, Filter } from "../filter/filter.js";

/**
 * Returns the values of a filter in brackets of the form `value eq "…"`, optionally joined by `or`; undefined for every other
 * filter.
 */
export function equalValues(filter: Filter): readonly string[] | undefined {
  if (filter.kind === "compare") return isValueEquality(filter) ? [String(filter.value)] : undefined;
  if (filter.kind !== "or") return undefined;
  const lists = filter.filters.map(equalValues);
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
}

function isValueEquality({ operator, path, value }: Comparison): boolean {
  const isText = path.attribute.type === "string" || path.attribute.type === "reference";
  return operator === "eq" && path.attribute.name === "value" && isText && typeof value === "string";
}

/** Returns the parts that a filter of `eq` joined by `and` requires, by canonical name; undefined for every other filter. */
export function requiredParts(filter: Filter): Readonly<Record<string, unknown>> | undefined {
  const comparisons = filter.kind === "and" ? filter.filters : [filter];
  const parts: Record<string, unknown> = {};
  for (const comparison of comparisons) {
    if (comparison.kind !== "compare" || comparison.operator !== "eq" || comparison.value === null) return undefined;
    const { name, mutability } = comparison.path.attribute;
    if (mutability === "readOnly" || (Object.hasOwn(parts, name) && parts[name] !== comparison.value)) return undefined;
    parts[name] = comparison.value;
  }
  return parts;
}

/** Counts the comparisons of a filter for one value. */
export function countComparisons(filter: Filter): number {
  switch (filter.kind) {
    case "and":
    case "or":
      return filter.filters.reduce((count, part) => count + countComparisons(part), 0);
    case "not":
    case "value":
      return countComparisons(filter.filter);
    default:
      return 1;
  }
}
