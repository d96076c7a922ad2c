import type { Filter } from "../ports/storage.js";
import { isSafeText } from "../shared/find-unsafe-value.js";
import { foldText, parseUuid } from "../shared/text.js";
import { emptyPattern, noCondition } from "./conditions.js";
import { foldAscii } from "./evaluate-criteria.js";
import { maxFilterLength, parseTextPattern } from "./text-pattern.js";

/** A field that a query may name, and how a test on it is made. */
export type QueryField =
  | { readonly kind: "id" | "boolean"; readonly column: string }
  /** A member of the record's JSON, such as `data.city`: its whole value, or its start with `*` behind. */
  | { readonly kind: "member"; readonly column: string }
  /** An item of a list in the JSON of records that belong to this one. */
  | { readonly kind: "relatedItem"; readonly table: string; readonly foreignColumn: string; readonly member: string }
  /** `toExact`: the test for a whole text, where that is not to be the folded text. */
  | { readonly kind: "text"; readonly column: string; readonly toExact?: (text: string) => Filter }
  | {
      readonly kind: "related";
      readonly table: string;
      readonly foreignColumn: string;
      readonly column: string;
      /** Whether a record has one of those at most with each value, and none is without its record. */
      readonly isEach?: boolean;
    };

/** The fields that queries of one family may name, and those that a term without a field looks into. */
export interface QueryFields {
  readonly fields: Readonly<Record<string, QueryField>>;
  readonly termColumns: readonly string[];
}

/** A query that cannot be understood; the message says why, without naming what is stored. */
export class QueryError extends Error {}

/** The test that a field holds a value: ids and flags exactly, texts as search filters do (contains, or `*` as a wildcard). */
export function toFieldFilter(known: QueryFields, name: string, value: string): Filter {
  const field = Object.hasOwn(known.fields, name) ? known.fields[name] : undefined;
  if (field === undefined) throw new QueryError(`The field ${name.slice(0, 100)} cannot be searched.`);
  switch (field.kind) {
    case "text":
      return toTextFilter(field.column, value);
    case "boolean":
      if (value !== "true" && value !== "false") throw new QueryError(`The field ${name} is true or false.`);
      return { op: "equals", column: field.column, value: value === "true" };
    case "id":
      return { op: "equals", column: field.column, value: toId(value) };
    case "member":
      return toMemberFilter(field.column, value);
    case "relatedItem": {
      const { table, foreignColumn, member } = field;
      const filter = { op: "includes", member, value: foldAscii(assertText(value).trim()) } as const;
      return { op: "exists", table, localColumn: "id", foreignColumn, filter };
    }
    case "related": {
      const { table, foreignColumn, column, isEach = false } = field;
      const filter = { op: "equals", column, value: toId(value) } as const;
      return { op: "exists", table, localColumn: "id", foreignColumn, filter, ...(isEach && { isEach }) };
    }
  }
}

/** The test that a field has a value: as {@link toFieldFilter}, but of texts the whole one, without case. */
export function toExactFilter(known: QueryFields, name: string, value: string): Filter {
  const field = Object.hasOwn(known.fields, name) ? known.fields[name] : undefined;
  if (field?.kind === "member") return { op: "equals", column: field.column, value: foldAscii(assertText(value).trim()) };
  if (field?.kind !== "text") return toFieldFilter(known, name, value);
  const text = assertText(value).trim();
  return field.toExact?.(text) ?? { op: "equals", column: field.column, value: foldText(text) };
}

/** The test of a member of a record's JSON. @throws QueryError for another pattern than a start. */
export function toMemberFilter(column: string, value: string): Filter {
  const text = foldAscii(assertText(value).trim());
  const start = text.endsWith("*") ? text.slice(0, -1) : undefined;
  if ((start ?? text).includes("*") || start === "")
    throw new QueryError(`${column} is compared with a whole value, or with the start of one and * behind.`);
  return start === undefined ? { op: "equals", column, value: text } : { op: "matches", column, pattern: [start, ""] };
}

/** The fields with members of a record's JSON that may be searched, such as `data.city`. */
export function withMembers(known: QueryFields, members: readonly string[] = []): QueryFields {
  if (members.length === 0) return known;
  const fields = members.map((column) => [column, { kind: "member", column }] as const);
  return { ...known, fields: { ...known.fields, ...Object.fromEntries(fields) } };
}

/** The test that some text of a record holds a term; `*` finds every record. */
export function toTermFilter(known: QueryFields, value: string): Filter {
  if (value.trim() === "") return noCondition;
  // Without a test, the stored total of all records is the answer, and an index has the order.
  if (parseTextPattern(assertText(value)) === "everything") return { op: "and", filters: [] };
  return { op: "or", filters: known.termColumns.map((column) => toTextFilter(column, value)) };
}

function toTextFilter(column: string, value: string): Filter {
  const pattern = parseTextPattern(assertText(value));
  if (pattern === "tooManyWildcards") throw new QueryError("A value holds too many wildcards.");
  if (pattern !== "everything") return { op: "matches", column, pattern };
  return { op: "matches", column, pattern: value.trim() === "" ? emptyPattern : ["", ""] };
}

function assertText(value: string): string {
  if (!isSafeText(value)) throw new QueryError("A value holds a character that no text may hold.");
  if (value.length > maxFilterLength) throw new QueryError(`A value may have at most ${maxFilterLength} characters.`);
  return value;
}

function toId(value: string): string {
  const id = parseUuid(value);
  if (id === undefined) throw new QueryError("An id is not a UUID.");
  return id;
}
