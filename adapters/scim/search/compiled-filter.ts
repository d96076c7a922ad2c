/** A query document of the API's search for users (`POST /api/user/search`). */
export type QueryDocument = Readonly<Record<string, unknown>>;

/** The part of a filter that the storage can evaluate. */
export interface CompiledFilter {
  /** Query that finds all matching records, and perhaps others; undefined finds all records. */
  readonly query: QueryDocument | undefined;
  /** Whether the query finds only matching records, so that totals and pages of the storage apply. */
  readonly isExact: boolean;
}

/** Finds all records; all of them match. */
export const allRecords: CompiledFilter = { query: undefined, isExact: true };

/** Finds no record. */
export const noRecords: CompiledFilter = { query: { terms: { id: [] } }, isExact: true };

/** Finds all records; the storage cannot evaluate the filter. */
export const notSearchable: CompiledFilter = { query: undefined, isExact: false };

/** Returns a filter with a query; undefined becomes {@link notSearchable}. */
export function toCompiled(query: QueryDocument | undefined, isExact: boolean): CompiledFilter {
  return query === undefined ? notSearchable : { query, isExact };
}

function isNone({ query }: CompiledFilter): boolean {
  return query === noRecords.query;
}

/** Returns the conjunction of filters. */
export function compileAnd(parts: readonly CompiledFilter[]): CompiledFilter {
  if (parts.some(isNone)) return noRecords;
  const queries = parts.flatMap(({ query }) => (query === undefined ? [] : [query]));
  const isExact = parts.every((part) => part.isExact);
  return { query: queries.length > 1 ? { bool: { must: queries } } : queries[0], isExact };
}

/** Returns the disjunction of filters. */
export function compileOr(all: readonly CompiledFilter[]): CompiledFilter {
  const parts = all.filter((part) => !isNone(part));
  if (parts.length === 0) return noRecords;
  const queries = parts.flatMap(({ query }) => (query === undefined ? [] : [query]));
  if (queries.length === parts.length)
    return { query: { bool: { should: queries } }, isExact: parts.every((part) => part.isExact) };
  return parts.some(({ query, isExact }) => query === undefined && isExact) ? allRecords : notSearchable;
}

/** Returns the negation of a filter. */
export function compileNot({ query, isExact }: CompiledFilter): CompiledFilter {
  if (!isExact) return notSearchable;
  // Handled here, because the API refuses queries without a condition.
  if (isNone({ query, isExact })) return allRecords;
  return query === undefined ? noRecords : { query: { bool: { must_not: [query] } }, isExact };
}

// Below the API's limits of 200 tests and 20 levels.
const [maxNodes, maxLevels] = [120, 18];

/** Returns a filter that the API accepts: a longer or deeper one becomes {@link notSearchable}. */
export function withinLimits(compiled: CompiledFilter): CompiledFilter {
  const { nodes, levels } = measure(compiled.query);
  return nodes > maxNodes || levels > maxLevels ? notSearchable : compiled;
}

function measure(query: unknown): { readonly nodes: number; readonly levels: number } {
  const clauses = toClauses(query).map(measure);
  const nodes = clauses.reduce((sum, clause) => sum + clause.nodes, 1);
  return { nodes, levels: clauses.reduce((most, { levels }) => Math.max(most, 1 + levels), 1) };
}

function toClauses(query: unknown): readonly unknown[] {
  const { bool = {} } = (query ?? {}) as { readonly bool?: Readonly<Record<string, readonly unknown[]>> };
  return Object.values(bool).flat();
}
