import type { Filter } from "../ports/storage.js";
import { isSafeText } from "../shared/find-unsafe-value.js";
import { foldText, parseUuid } from "../shared/text.js";
import { emptyPattern, noCondition } from "./conditions.js";
import { foldAscii } from "./evaluate-criteria.js";
import { maxFilterLength, parseTextPattern } from "./text-pattern.js";

/** A field of queries, and the creation of its tests. */
export type QueryField =
  | { readonly kind: "id" | "boolean"; readonly column: string }
  /** A member of the record's JSON, such as `data.city`: its whole value, or a prefix followed by `*`. */
  | { readonly kind: "member"; readonly column: string }
  /** An item of a list in the JSON of related records. */
  | { readonly kind: "relatedItem"; readonly table: string; readonly foreignColumn: string; readonly member: string }
  /** `toExact`: the test for a whole text, if it does not use the folded text. */
  | { readonly kind: "text"; readonly column: string; readonly toExact?: (text: string) => Filter }
  | {
      readonly kind: "related";
      readonly table: string;
      readonly foreignColumn: string;
      readonly column: string;
      /** Whether a record has at most one related record with each value, and each related record has its record. */
      readonly isEach?: boolean;
    };

/** The fields of a family's queries, and the columns for terms without a field. */
export interface QueryFields {
  readonly fields: Readonly<Record<string, QueryField>>;
  readonly termColumns: readonly string[];
}

/** An invalid query; the message gives the reason without stored data. */
export class QueryError extends Error {}

/** The test for a field's value: ids and flags exactly, texts like search filters (contains, or `*` as a wildcard). */
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

/** The exact test for a field's value: as {@link toFieldFilter}, but texts must match as a whole, without case. */
export function toExactFilter(known: QueryFields, name: string, value: string): Filter {
  const field = Object.hasOwn(known.fields, name) ? known.fields[name] : undefined;
  if (field?.kind === "member") return { op: "equals", column: field.column, value: foldAscii(assertText(value).trim()) };
  if (field?.kind !== "text") return toFieldFilter(known, name, value);
  const text = assertText(value).trim();
  return field.toExact?.(text) ?? { op: "equals", column: field.column, value: foldText(text) };
}

/** The test of a member of a record's JSON. @throws QueryError for any pattern but a prefix. */
export function toMemberFilter(column: string, value: string): Filter {
  const text = foldAscii(assertText(value).trim());
  const start = text.endsWith("*") ? text.slice(0, -1) : undefined;
  if ((start ?? text).includes("*") || start === "")
    throw new QueryError(`${column} is compared with a whole value, or with the start of one and * behind.`);
  return start === undefined ? { op: "equals", column, value: text } : { op: "matches", column, pattern: [start, ""] };
}

/** Adds searchable members of a record's JSON to the fields, such as `data.city`. */
export function withMembers(known: QueryFields, members: readonly string[] = []): QueryFields {
  if (members.length === 0) return known;
  const fields = members.map((column) => [column, { kind: "member", column }] as const);
  return { ...known, fields: { ...known.fields, ...Object.fromEntries(fields) } };
}

/** The test that any text of a record contains a term; `*` matches every record. */
export function toTermFilter(known: QueryFields, value: string): Filter {
  if (value.trim() === "") return noCondition;
  // Without a test, the search can use the stored total of all records, and an index for the order.
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
