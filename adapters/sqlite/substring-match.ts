import type { Filter, TextPattern } from "latchkey/storage";
import { toSqlName } from "../kysely/table-sql.js";

/** Letters that one entry of the index spans. Shorter texts cannot be looked up. */
const span = 3;
const maxDepth = 8;

/**
 * What an index of trigrams is asked so that it answers every record that passes a filter, and perhaps others; undefined when a filter does
 * not show. `columns` are those that the index has.
 */
export function toSubstringMatch(filter: Filter, columns: readonly string[], depth = 0): string | undefined {
  if (depth > maxDepth) return undefined;
  if (filter.op === "matches" && columns.includes(filter.column)) return ofPattern(filter.column, filter.pattern);
  if (filter.op !== "and" && filter.op !== "or") return undefined;
  const parts = filter.filters.map((part) => toSubstringMatch(part, columns, depth + 1));
  const known = parts.filter((part) => part !== undefined);
  const isEnough = known.length > 0 && (filter.op === "and" || known.length === parts.length);
  return isEnough ? `(${known.join(filter.op === "and" ? " AND " : " OR ")})` : undefined;
}

/** The text that a filter looks for and nothing else; undefined when it is another kind of filter. */
export function soleSubstring(filter: Filter): { readonly column: string; readonly text: string } | undefined {
  if (filter.op === "and" && filter.filters.length === 1) return soleSubstring(filter.filters[0] as Filter);
  if (filter.op !== "matches" || filter.pattern.length !== 3) return undefined;
  const [before, text = "", after] = filter.pattern;
  return before === "" && after === "" ? { column: filter.column, text } : undefined;
}

function ofPattern(column: string, pattern: TextPattern): string | undefined {
  const parts = pattern.filter(canBeLookedUp);
  return parts.length === 0 ? undefined : `${toSqlName(column)} : (${parts.map(toPhrase).join(" AND ")})`;
}

// The tokenizer ends at a NUL.
function canBeLookedUp(part: string): boolean {
  return part.length >= span && !part.includes("\0") && Array.from(part).length >= span;
}

function toPhrase(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
