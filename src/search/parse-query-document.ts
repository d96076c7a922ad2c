import type { Filter } from "../ports/storage.js";
import { isObject, isObjectOrList } from "../shared/objects.js";
import { emptyPattern, noCondition } from "./conditions.js";
import { QueryError, type QueryFields, toExactFilter, toFieldFilter } from "./query-fields.js";
import { type QueryValue, toQueryValue } from "./text-pattern.js";

/**
 * The `query` of searches: the part of the common search-engine JSON that existing clients send (`match_all`, `bool`, `match`,
 * `term`, `terms`, `prefix`, `wildcard` and `nested`), as text or as JSON.
 */

const maxDepth = 20;
// Databases refuse expressions of more than about a thousand terms.
const maxTests = 200;

type Json = Readonly<Record<string, unknown>>;
type Parser = (known: QueryFields, body: Json, depth: number) => Filter;

const everything: Filter = { op: "and", filters: [] };

const parsers: Readonly<Record<string, Parser>> = {
  match_all: () => everything,
  bool: parseBool,
  nested: (known, body, depth) => joinRelated(parseNode(known, body.query, depth + 1)),
  match: (known, body) => parseValue(known, body, "query"),
  term: parseTerm,
  prefix: parsePrefix,
  wildcard: (known, body) => parseValue(known, body, "value"),
  terms: parseTerms,
};

/** Parses a query document into a filter. @throws QueryError for an invalid query. */
export function parseQueryDocument(known: QueryFields, query: unknown): Filter {
  const filter = parseNode(known, typeof query === "string" ? parseText(query) : query, 0);
  if (countTests(filter) > maxTests) throw new QueryError(`A query may have at most ${maxTests} parts.`);
  return filter;
}

type Related = Filter & { op: "exists" };

// Within `nested`, tests that must all hold apply to one and the same related record.
function joinRelated(filter: Filter): Filter {
  if (filter.op !== "and") return filter;
  const parts = filter.filters.map(joinRelated).flatMap((part) => (part.op === "and" ? part.filters : [part]));
  const related = Map.groupBy(parts.filter(isRelated), ({ foreignColumn, table }) => `${table} ${foreignColumn}`);
  const joined = [...related.values()].map(([first, ...others]): Filter => {
    if (first === undefined || others.length === 0) return first ?? everything;
    const { isEach: _, ...one } = first;
    return { ...one, filter: { op: "and", filters: [first, ...others].flatMap((part) => part.filter ?? []) } };
  });
  const filters = [...parts.filter((part) => !isRelated(part)), ...joined];
  return filters.length === 0 ? noCondition : { op: "and", filters };
}

function isRelated(filter: Filter): filter is Related {
  return filter.op === "exists";
}

function countTests(filter: Filter): number {
  if (filter.op === "not") return countTests(filter.filter);
  if (filter.op !== "and" && filter.op !== "or") return 1;
  return filter.filters.reduce((sum, part) => sum + countTests(part), 1);
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new QueryError("The query is not valid JSON.");
  }
}

function parseNode(known: QueryFields, node: unknown, depth: number): Filter {
  if (depth > maxDepth) throw new QueryError(`A query may nest at most ${maxDepth} levels.`);
  const [entry, another] = Object.entries(asObject(node));
  if (entry === undefined || another !== undefined) throw new QueryError("A query has exactly one kind.");
  const [kind, body] = entry;
  const parser = Object.hasOwn(parsers, kind) ? parsers[kind] : undefined;
  if (parser === undefined) throw new QueryError(`A query of the kind ${kind.slice(0, 100)} is not supported.`);
  return parser(known, asObject(body), depth);
}

function asObject(value: unknown): Json {
  if (!isObject(value)) throw new QueryError("A query is an object.");
  return value as Json;
}

function parseBool(known: QueryFields, body: Json, depth: number): Filter {
  const parseAll = (clause: unknown): Filter[] => asList(clause).map((node) => parseNode(known, node, depth + 1));
  const should = parseAll(body.should);
  const filters = [...parseAll(body.must), ...parseAll(body.filter)];
  if (should.length > 0) filters.push({ op: "or", filters: should });
  for (const filter of parseAll(body.must_not)) filters.push({ op: "not", filter });
  return filters.length === 0 ? noCondition : { op: "and", filters };
}

function asList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

// `{"field": "value"}` or `{"field": {"query": "value"}}`.
function parseValue(known: QueryFields, body: Json, member: string): Filter {
  const [field, value] = readValue(body, member);
  return toFieldFilter(known, field, value);
}

function readValue(body: Json, member: string): readonly [field: string, value: QueryValue] {
  const [[field, raw] = ["", undefined]] = Object.entries(body);
  return [field, toQueryValue(toText(isObjectOrList(raw) ? ((raw as Json)[member] ?? (raw as Json).value) : raw))];
}

function parsePrefix(known: QueryFields, body: Json): Filter {
  const [field, value] = readValue(body, "value");
  const isOpen = value.parts.length > 1 && value.parts.at(-1) === "";
  const filter = toFieldFilter(known, field, isOpen ? value : toQueryValue(`${value.text}*`));
  return value.text.trim() === "" && filter.op === "matches" ? { ...filter, pattern: emptyPattern } : filter;
}

function parseTerm(known: QueryFields, body: Json): Filter {
  const [[field, raw] = ["", undefined]] = Object.entries(body);
  return toExactFilter(known, field, toText(isObjectOrList(raw) ? (raw as Json).value : raw));
}

function parseTerms(known: QueryFields, body: Json): Filter {
  const [[field, values] = ["", []]] = Object.entries(body);
  const isText = Object.hasOwn(known.fields, field) && known.fields[field]?.kind === "text";
  if (isText && asList(values).length > maxTests) throw new QueryError(`A query may have at most ${maxTests} parts.`);
  const filters = asList(values).map((value) => toExactFilter(known, field, toText(value)));
  const equal = filters.filter((filter) => filter.op === "equals");
  const column = equal[0]?.column;
  if (column === undefined || equal.length < filters.length) return { op: "or", filters };
  return { op: "in", column, values: equal.map((filter) => filter.value) };
}

function toText(value: unknown): string {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
  throw new QueryError("A value is a text, a number or a flag.");
}
