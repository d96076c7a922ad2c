/** A query document of the API's search for users (`POST /api/user/search`). */
export type QueryDocument = Readonly<Record<string, unknown>>;

/** What the storage can do of a filter. */
export interface CompiledFilter {
  /** Query that finds all records that match, and perhaps others; undefined finds all records. */
  readonly query: QueryDocument | undefined;
  /** Whether the query finds no others, so that totals and pages of the storage are those of the filter. */
  readonly isExact: boolean;
}

/** Finds all records, each of which matches. */
export const allRecords: CompiledFilter = { query: undefined, isExact: true };

/** Finds no record. */
export const noRecords: CompiledFilter = { query: { terms: { id: [] } }, isExact: true };

/** Finds all records; the storage cannot find out which match. */
export const notSearchable: CompiledFilter = { query: undefined, isExact: false };

/** Returns the filter of a query; without one, the storage cannot find out what matches. */
export function toCompiled(query: QueryDocument | undefined, isExact: boolean): CompiledFilter {
  return query === undefined ? notSearchable : { query, isExact };
}

function isNone({ query }: CompiledFilter): boolean {
  return query === noRecords.query;
}

/** Returns the filter that finds what all parts find. */
export function compileAnd(parts: readonly CompiledFilter[]): CompiledFilter {
  if (parts.some(isNone)) return noRecords;
  const queries = parts.flatMap(({ query }) => (query === undefined ? [] : [query]));
  const isExact = parts.every((part) => part.isExact);
  return { query: queries.length > 1 ? { bool: { must: queries } } : queries[0], isExact };
}

/** Returns the filter that finds what one part at least finds. */
export function compileOr(all: readonly CompiledFilter[]): CompiledFilter {
  const parts = all.filter((part) => !isNone(part));
  if (parts.length === 0) return noRecords;
  const queries = parts.flatMap(({ query }) => (query === undefined ? [] : [query]));
  if (queries.length === parts.length)
    return { query: { bool: { should: queries } }, isExact: parts.every((part) => part.isExact) };
  return parts.some(({ query, isExact }) => query === undefined && isExact) ? allRecords : notSearchable;
}

/** Returns the filter that finds what another one does not find. */
export function compileNot({ query, isExact }: CompiledFilter): CompiledFilter {
  if (!isExact) return notSearchable;
  // The API refuses queries without a condition, as it takes one for all but nothing.
  if (isNone({ query, isExact })) return allRecords;
  return query === undefined ? noRecords : { query: { bool: { must_not: [query] } }, isExact };
}

// Below the limits of the API, which counts 200 tests and 20 levels.
const [maxNodes, maxLevels] = [120, 18];

/** Returns a filter that the API accepts: one that is too long or too deep finds all records. */
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
