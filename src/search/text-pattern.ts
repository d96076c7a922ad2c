import type { TextPattern } from "../ports/storage.js";
import { foldText } from "../shared/text.js";

/** The maximum length of a filter, in characters. Databases refuse to match much longer patterns. */
export const maxFilterLength = 1_000;

/** The maximum number of wildcards in a filter; more would make matching slow without benefit. */
export const maxWildcards = 16;

/**
 * Parses a filter text into a folded pattern (docs/reference/search.md#text-filters): trimmed; without `*` it means "contains";
 * with `*` it is anchored at both ends; `**` is a literal `*`. Returns `everything` for a text that filters nothing,
 * `tooManyWildcards` above the limit.
 */
export function parseTextPattern(text: string): TextPattern | "everything" | "tooManyWildcards" {
  const folded = foldText(text.trim());
  if (folded === "") return "everything";
  if (!folded.includes("*")) return ["", folded, ""];
  const parts = splitAtWildcards(folded);
  if (parts.length - 1 > maxWildcards) return "tooManyWildcards";
  return parts.length > 1 && parts.every((part) => part === "") ? "everything" : parts;
}

function splitAtWildcards(text: string): string[] {
  const parts = [""];
  for (let index = 0; index < text.length; index++) {
    const character = text[index] as string;
    if (character !== "*") parts[parts.length - 1] += character;
    else if (text[index + 1] === "*") {
      parts[parts.length - 1] += "*";
      index++;
    } else parts.push("");
  }
  return parts;
}

/** Whether a folded text matches the pattern. */
export function matchesPattern(text: string, pattern: TextPattern): boolean {
  const first = pattern[0] ?? "";
  const last = pattern[pattern.length - 1] ?? "";
  if (pattern.length === 1) return text === first;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  return containsInOrder(text.slice(first.length, text.length - last.length), pattern.slice(1, -1));
}

function containsInOrder(text: string, parts: readonly string[]): boolean {
  let position = 0;
  for (const part of parts) {
    const found = text.indexOf(part, position);
    if (found < 0) return false;
    position = found + part.length;
  }
  return true;
}
