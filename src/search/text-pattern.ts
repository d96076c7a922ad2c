import type { TextPattern } from "../ports/storage.js";
import { foldText } from "../shared/text.js";

/** The maximum length of a filter, in characters. Databases refuse to match much longer patterns. */
export const maxFilterLength = 1_000;

/** The maximum number of wildcards in a filter; more would make matching slow without benefit. */
export const maxWildcards = 16;

/** The value of a test. */
export interface QueryValue {
  readonly text: string;
  /** The trimmed text, cut at its wildcards. */
  readonly parts: readonly string[];
  /** Whether the parts are anchored at both ends of a text. Otherwise the one part is anywhere in it. */
  readonly isAnchored: boolean;
}

/** The value of a filter text (docs/reference/search.md#text-filters): `*` is a wildcard, `**` a literal `*`. */
export function toQueryValue(text: string): QueryValue {
  return { text, parts: splitAtWildcards(text), isAnchored: text.includes("*") };
}

/** The value in a text of the `queryString` language: a backslash makes the next character literal. */
export function toLiteralValue(raw: string): QueryValue {
  const isAnchored = raw.replace(escaped, "").includes("*");
  return { text: toLiteral(raw), parts: splitAtWildcards(raw, toLiteral), isAnchored };
}

const escaped = /\\(.)/gs;

function toLiteral(raw: string): string {
  return raw.replace(escaped, "$1");
}

function splitAtWildcards(text: string, toPlain?: (raw: string) => string): string[] {
  const parts = [""];
  for (const [piece] of text.matchAll(toPlain === undefined ? /\*\*|\*|[^*]+/g : /\*\*|\*|\\.|[^*\\]+|\\/gs))
    if (piece === "*") parts.push("");
    else parts[parts.length - 1] += piece === "**" ? "*" : (toPlain?.(piece) ?? piece);
  parts[0] = (parts[0] as string).trimStart();
  parts.push((parts.pop() as string).trimEnd());
  return parts;
}

/** Parses a filter text into a folded pattern, as {@link toTextPattern} does. */
export function parseTextPattern(text: string): TextPattern | "everything" | "tooManyWildcards" {
  return toTextPattern(toQueryValue(text));
}

/** The folded pattern of a value. Returns `everything` for one that filters nothing, `tooManyWildcards` above the limit. */
export function toTextPattern({ isAnchored, parts }: QueryValue): TextPattern | "everything" | "tooManyWildcards" {
  if (parts.length - 1 > maxWildcards) return "tooManyWildcards";
  if (parts.every((part) => part === "")) return "everything";
  const folded = parts.map(foldText);
  return isAnchored ? folded : ["", ...folded, ""];
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
