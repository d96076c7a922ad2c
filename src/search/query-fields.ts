import type { ColumnValue, Filter } from "../ports/storage.js";
import { isSafeText } from "../shared/find-unsafe-value.js";
import { foldCase, foldText, isAscii, parseUuid } from "../shared/text.js";
import { emptyPattern, noCondition } from "./conditions.js";
import { foldAscii } from "./evaluate-criteria.js";
import { maxFilterLength, type QueryValue, toQueryValue, toTextPattern } from "./text-pattern.js";

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
export function toFieldFilter(known: QueryFields, name: string, value: QueryValue): Filter {
  const { text } = value;
  const field = Object.hasOwn(known.fields, name) ? known.fields[name] : undefined;
  if (field === undefined) throw new QueryError(`The field ${name.slice(0, 100)} cannot be searched.`);
  switch (field.kind) {
    case "text":
      return toTextFilter(field.column, value);
    case "boolean":
      if (text !== "true" && text !== "false") throw new QueryError(`The field ${name} is true or false.`);
      return { op: "equals", column: field.column, value: text === "true" };
    case "id":
      return { op: "equals", column: field.column, value: toId(text) };
    case "member":
      return toMemberFilter(field.column, value);
    case "relatedItem": {
      const { table, foreignColumn, member } = field;
      const filter = anyForm(assertText(text).trim(), (form) => ({ op: "includes", member, value: form }));
      return { op: "exists", table, localColumn: "id", foreignColumn, filter };
    }
    case "related": {
      const { table, foreignColumn, column, isEach = false } = field;
      const filter = { op: "equals", column, value: toId(text) } as const;
      return { op: "exists", table, localColumn: "id", foreignColumn, filter, ...(isEach && { isEach }) };
    }
  }
}

/** The exact test for a field's value: as {@link toFieldFilter}, but texts must match as a whole, without case. */
export function toExactFilter(known: QueryFields, name: string, value: string): Filter {
  const field = Object.hasOwn(known.fields, name) ? known.fields[name] : undefined;
  if (field?.kind === "member") return { op: "equals", column: field.column, value: foldAscii(assertText(value).trim()) };
  if (field?.kind !== "text") return toFieldFilter(known, name, toQueryValue(value));
  const text = assertText(value).trim();
  return field.toExact?.(text) ?? foldedFilter(field.column, text);
}

/** The test that a folded column has a text. Records of earlier releases have some texts in the form that callers typed. */
export function foldedFilter(column: string, text: string): Filter {
  return oneOf(column, new Set([foldText(text), foldCase(text)]));
}

function oneOf(column: string, values: ReadonlySet<ColumnValue>): Filter {
  const [value = null] = values;
  return values.size === 1 ? { op: "equals", column, value } : { op: "in", column, values: [...values] };
}

// JSON has a text as callers typed it, in one of two forms of Unicode.
function anyForm(text: string, toFilter: (form: string) => Filter): Filter {
  const filters = [...formsOf(text)].map(toFilter);
  return filters.length === 1 ? (filters[0] as Filter) : { op: "or", filters };
}

function formsOf(text: string): ReadonlySet<string> {
  return new Set((isAscii(text) ? [text] : [text, text.normalize("NFC"), text.normalize("NFD")]).map(foldAscii));
}

/** The test of a member of a record's JSON. @throws QueryError for any pattern but a prefix. */
export function toMemberFilter(column: string, { parts, text }: QueryValue): Filter {
  assertText(text);
  const [start = "", end, ...others] = parts;
  if (end === undefined) return oneOf(column, formsOf(start));
  if (end !== "" || start === "" || others.length > 0)
    throw new QueryError(`${column} is compared with a whole value, or with the start of one and * behind.`);
  return anyForm(start, (form) => ({ op: "matches", column, pattern: [form, ""] }));
}

/** Adds searchable members of a record's JSON to the fields, such as `data.city`. */
export function withMembers(known: QueryFields, members: readonly string[] = []): QueryFields {
  if (members.length === 0) return known;
  const fields = members.map((column) => [column, { kind: "member", column }] as const);
  return { ...known, fields: { ...known.fields, ...Object.fromEntries(fields) } };
}

/** The test that any text of a record contains a term; `*` matches every record. */
export function toTermFilter(known: QueryFields, value: QueryValue): Filter {
  if (value.text.trim() === "") return noCondition;
  // Without a test, the search can use the stored total of all records, and an index for the order.
  assertText(value.text);
  if (toTextPattern(value) === "everything") return { op: "and", filters: [] };
  return { op: "or", filters: known.termColumns.map((column) => toTextFilter(column, value)) };
}

function toTextFilter(column: string, value: QueryValue): Filter {
  assertText(value.text);
  const pattern = toTextPattern(value);
  if (pattern === "tooManyWildcards") throw new QueryError("A value holds too many wildcards.");
  if (pattern !== "everything") return { op: "matches", column, pattern };
  return { op: "matches", column, pattern: value.text.trim() === "" ? emptyPattern : ["", ""] };
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
