import { FieldErrorList, fieldError } from "../errors/identity-error.js";
import type { ColumnValue, Criteria, Filter, SortField } from "../ports/storage.js";
import { parseUuid } from "../shared/text.js";
import { isCondition } from "./conditions.js";
import { parseNextResults } from "./next-results.js";
import { QueryError, toMemberFilter } from "./query-fields.js";
import { maxFilterLength, maxWildcards, parseTextPattern, toQueryValue } from "./text-pattern.js";

export { foldedFilter } from "./query-fields.js";

/** The conversion of a criterion's value to a test. */
export type SearchFilter =
  | { readonly kind: "id" | "exact"; readonly column: string }
  /** A text of the record, or of the record that `localColumn` references. */
  | {
      readonly kind: "text";
      readonly column: string;
      readonly via?: { readonly table: string; readonly localColumn: string };
      /** The column with the unfolded text, used when `column` is empty because folding would only lower ASCII letters. */
      readonly plainColumn?: string;
    }
  /** One of a list of values; some are stored in another form than on the wire. */
  | {
      readonly kind: "option";
      readonly column: string;
      readonly values: readonly string[];
      readonly kept?: Readonly<Partial<Record<string, string>>>;
    }
  /** An id in any of several columns. */
  | { readonly kind: "anyId"; readonly toFilter: (id: string) => Filter }
  | { readonly kind: "instant"; readonly column: string; readonly comparison: ">=" | "<" }
  /** A list of ids: an array, or a text separated by commas. */
  | { readonly kind: "ids"; readonly column: string }
  /** A query language; `toFilter` throws a QueryError for an invalid query. */
  | { readonly kind: "query"; readonly toFilter: (value: unknown, members?: readonly string[]) => Filter };

/** The criteria and sort fields of a family. */
export interface SearchDefinition {
  readonly filters: Readonly<Record<string, SearchFilter>>;
  /** The names that `orderBy` accepts. */
  readonly sortable: Readonly<Record<string, Omit<SortField, "direction">>>;
  /** Names that `orderBy` accepts without a field of the record: they select the default order. */
  readonly unsorted?: readonly string[];
  /** Searchable members of the records' JSON, such as `data.city`: criteria of these names, and fields of queries. */
  readonly members?: readonly string[] | undefined;
  /** The members that only the caller's tenant declares, not the host. */
  readonly ownMembers?: readonly string[] | undefined;
  /** In the syntax of `orderBy`. */
  readonly defaultOrder: string;
}

/** Criteria from the wire: texts of a query string, JSON values of a body. */
export type RawCriteria = Readonly<Record<string, unknown>>;

/** The number of characters by which long texts are sorted: a token of `nextResults` contains them. */
export const maxSortLength = 191;

const maxResults = 10_000;
const defaultResults = 25;

/**
 * Parses the criteria of a body. Unknown names are ignored beside a known criterion, but refused alone: the caller does not want
 * everything. Neither does a query without a condition.
 * @throws IdentityError 400 with all refused criteria at once.
 */
export function parseGivenCriteria(definition: SearchDefinition, raw: RawCriteria): Criteria {
  const criteria = parseCriteria(definition, raw);
  const { filters, members = [] } = definition;
  const isKnown = (name: string): boolean => Object.hasOwn(filters, name) || members.includes(name) || besides.has(name);
  const unknown = Object.entries(raw).filter(([name, value]) => !isKnown(name) && !isEmpty(value));
  if (criteria.filter !== undefined) assertCondition(definition, raw, criteria.filter);
  if (criteria.filter !== undefined || unknown.length === 0) return criteria;
  const errors = new FieldErrorList();
  for (const [name] of unknown) errors.add("unknown", `search.${name}`);
  throw errors.toError();
}

/**
 * Refuses queries without a condition, if no other criterion narrows the result. @throws IdentityError 400
 * `[missing]<criterion>`.
 */
export function assertCondition({ filters }: SearchDefinition, raw: RawCriteria, filter: Filter): void {
  if (isCondition(filter)) return;
  const name = Object.keys(raw).find((one) => filters[one]?.kind === "query") ?? "query";
  throw fieldError("missing", name, `The [${name}] has no condition. Ask for everything by match_all or *.`);
}

// Parameters of the response, and the tenant, to which the caller may be bound.
const besides: ReadonlySet<string> = new Set([
  "accurateTotal",
  "nextResults",
  "numberOfResults",
  "orderBy",
  "sortFields",
  "startRow",
  "tenantId",
]);

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/**
 * Parses the criteria of a query string with other parameters; ignores unknown names and empty values.
 * @throws IdentityError 400 with all refused criteria at once.
 */
export function parseCriteria(definition: SearchDefinition, raw: RawCriteria): Criteria {
  const errors = new FieldErrorList();
  const filters = parseFilters(definition, raw, errors);
  const sort = parseOrderBy(definition, raw.orderBy ?? toOrderBy(raw.sortFields), errors);
  const limit = parseWhole(raw.numberOfResults, "numberOfResults", defaultResults, maxResults, errors);
  const offset = parseWhole(raw.startRow, "startRow", 0, 2 ** 31 - 1, errors);
  const filter: Filter | undefined = filters.length > 1 ? { op: "and", filters } : filters[0];
  const { ownMembers } = definition;
  const criteria = { ...(filter && { filter }), sort, limit, offset, ...(ownMembers && { ownMembers }) };
  const after = errors.isEmpty ? parseNextResults(raw.nextResults, criteria, errors) : undefined;
  errors.throwIfAny();
  return after === undefined ? criteria : { ...criteria, offset: 0, after };
}

function parseFilters(definition: SearchDefinition, raw: RawCriteria, errors: FieldErrorList): Filter[] {
  const filters: Filter[] = [];
  for (const [name, filter] of Object.entries(definition.filters)) {
    const value = raw[name];
    if (isEmpty(value)) continue;
    const parsed = parseFilter(filter, name, value, errors, definition.members);
    if (parsed !== undefined) filters.push(parsed);
  }
  for (const name of definition.members ?? []) {
    const value = raw[name];
    if (isEmpty(value)) continue;
    const parsed = parseQuery((text) => toMemberFilter(name, toQueryValue(String(text))), name, value, errors);
    if (parsed !== undefined) filters.push(parsed);
  }
  return filters;
}

function parseFilter(
  filter: SearchFilter,
  name: string,
  value: unknown,
  errors: FieldErrorList,
  members?: readonly string[],
): Filter | undefined {
  if (filter.kind === "instant") return parseInstant(filter, name, value, errors);
  if (filter.kind === "ids") return parseIds(filter.column, name, value, errors);
  if (filter.kind === "query") return parseQuery((given) => filter.toFilter(given, members), name, value, errors);
  if (typeof value !== "string") return refuse(errors, "invalidJSON", name);
  if (value.length > maxFilterLength) return refuse(errors, "tooLong", name);
  switch (filter.kind) {
    case "text":
      return parseText(filter, name, value, errors);
    case "id":
      return parseId((id) => equalsFilter(filter.column, id), name, value, errors);
    case "anyId":
      return parseId(filter.toFilter, name, value, errors);
    case "option":
      if (!filter.values.includes(value)) return refuse(errors, "couldNotConvert", name);
      return equalsFilter(filter.column, filter.kept?.[value] ?? value);
    case "exact":
      return equalsFilter(filter.column, value);
  }
}

function parseId(toFilter: (id: string) => Filter, name: string, value: string, errors: FieldErrorList): Filter | undefined {
  const id = parseUuid(value.trim());
  return id === undefined ? refuse(errors, "couldNotConvert", name) : toFilter(id);
}

function parseIds(column: string, name: string, value: unknown, errors: FieldErrorList): Filter | undefined {
  const texts: readonly unknown[] = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [value];
  if (texts.length > maxResults) return refuse(errors, "tooMany", name);
  const ids = texts.map((text) => (typeof text === "string" ? parseUuid(text.trim()) : undefined));
  if (!ids.every((id) => id !== undefined)) return refuse(errors, "couldNotConvert", name);
  return { op: "in", column, values: ids };
}

function parseQuery(
  toFilter: (value: unknown) => Filter,
  name: string,
  value: unknown,
  errors: FieldErrorList,
): Filter | undefined {
  try {
    return toFilter(value);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    errors.add("invalid", name, error.message);
    return undefined;
  }
}

function refuse(errors: FieldErrorList, kind: Parameters<FieldErrorList["add"]>[0], name: string): undefined {
  errors.add(kind, name);
  return undefined;
}

function orPlain(folded: Filter & { op: "matches" }, column: string, plainColumn: string): Filter {
  const plain: Filter = { op: "and", filters: [equalsFilter(column, ""), { ...folded, column: plainColumn, isLowered: true }] };
  return { op: "or", filters: [folded, plain] };
}

function parseText(
  { column, plainColumn, via }: SearchFilter & { kind: "text" },
  name: string,
  value: string,
  errors: FieldErrorList,
): Filter | undefined {
  const pattern = parseTextPattern(value);
  if (pattern === "everything") return undefined;
  if (pattern !== "tooManyWildcards") {
    const folded = { op: "matches", column, pattern } as const;
    const matches: Filter = plainColumn === undefined ? folded : orPlain(folded, column, plainColumn);
    return via === undefined ? matches : { op: "exists", ...via, foreignColumn: "id", filter: matches };
  }
  errors.add("invalid", name, `The [${name}] filter may hold at most ${maxWildcards} wildcards.`);
  return undefined;
}

function parseInstant(
  filter: SearchFilter & { kind: "instant" },
  name: string,
  value: unknown,
  errors: FieldErrorList,
): Filter | undefined {
  const instant = toWhole(value);
  if (instant === undefined) return refuse(errors, "couldNotConvert", name);
  return { op: "compare", column: filter.column, comparison: filter.comparison, value: instant };
}

const orderShape = /^([A-Za-z.]+)(?:\s+(asc|desc))?$/i;

/** Parses `field [ASC|DESC], …`. An absent or empty text selects the default order. */
export function parseOrderBy(definition: SearchDefinition, raw: unknown, errors: FieldErrorList): SortField[] {
  const text = raw === undefined || raw === null || raw === "" ? definition.defaultOrder : raw;
  const terms = typeof text === "string" && text.length <= maxFilterLength ? text.split(",") : [""];
  // A repeated field breaks no ties, so only its first mention counts.
  const sort = new Map<string, SortField>();
  for (const term of terms) {
    const [, name = "", direction = "asc"] = orderShape.exec(term.trim()) ?? [];
    if (definition.unsorted?.includes(name)) continue;
    const field = Object.hasOwn(definition.sortable, name) ? definition.sortable[name] : undefined;
    if (field === undefined)
      errors.add("invalid", "orderBy", `The sortable fields are ${Object.keys(definition.sortable).join(", ")}.`);
    else if (!sort.has(name)) sort.set(name, { ...field, direction: direction.toLowerCase() === "desc" ? "desc" : "asc" });
  }
  const isUnsorted = sort.size === 0 && errors.isEmpty && text !== definition.defaultOrder;
  return isUnsorted ? parseOrderBy(definition, undefined, errors) : [...sort.values()];
}

// `sortFields` is an alternative: `[{"name": "email", "order": "desc"}]`.
function toOrderBy(sortFields: unknown): unknown {
  if (!Array.isArray(sortFields)) return sortFields ?? undefined;
  return sortFields.map(toOrderTerm).join(",");
}

function toOrderTerm(field: { readonly name?: unknown; readonly order?: unknown } | null): string {
  const name = field?.name;
  const order = field?.order ?? "asc";
  return typeof name === "string" && typeof order === "string" ? `${name} ${order}` : "?";
}

function parseWhole(raw: unknown, name: string, absent: number, maximum: number, errors: FieldErrorList): number {
  if (raw === undefined || raw === null || raw === "") return absent;
  const value = toWhole(raw);
  if (value !== undefined && value >= 0 && value <= maximum) return value;
  errors.add(
    value === undefined ? "couldNotConvert" : "invalid",
    name,
    `The [${name}] must be a whole number from 0 to ${maximum}.`,
  );
  return absent;
}

function toWhole(raw: unknown): number | undefined {
  const value = typeof raw === "string" && /^-?\d{1,15}$/.test(raw.trim()) ? Number(raw) : raw;
  return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;
}

/** The conjunction of two filters. */
export function bothFilters(a: Filter | undefined, b: Filter | undefined): Filter | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return { op: "and", filters: [a, b] };
}

/** A filter for one value of a column. */
export function equalsFilter(column: string, value: ColumnValue): Filter {
  return { op: "equals", column, value };
}
