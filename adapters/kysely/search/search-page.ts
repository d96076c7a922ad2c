import type { ColumnValue, Criteria, SearchPage, TenantScope } from "latchkey/ports";
import { partsOf } from "../sql/compile-filter.js";
import type { Query } from "../sql/fragment.js";
import type { SqlConnection, SqlRow } from "../sql/sql-connection.js";
import { readWithin } from "../sql/sql-connection.js";
import { toStoredRecord } from "../sql/table-sql.js";
import type { Search, SearchIndex, SearchPlan, SearchStatements } from "./search-statements.js";

/** The connection of a search, its statements and search indexes. */
export interface SearchContext {
  readonly connection: SqlConnection;
  readonly statements: SearchStatements;
  readonly aid?: SearchIndex | undefined;
  readonly totals?: Totals | undefined;
}

/** One page of the records that match the criteria, and their total. */
export async function searchPage(means: SearchContext, search: Search): Promise<SearchPage> {
  const { criteria, scope, table } = search;
  const { filter, sort } = criteria;
  const plan = means.aid?.plan?.(scope, table, filter);
  // A cached total already shows that there are too many candidates.
  const isMany = plan?.total !== undefined && (await means.totals?.knows(plan.total));
  const { rows, total } = await (plan === undefined || isMany
    ? inOrder(means, search, plan?.total)
    : amongFew(means, search, plan));
  const last = rows.at(-1);
  const values = sort.map((_, index) => (last?.[`sort_${index}`] ?? null) as ColumnValue);
  return { records: rows.map(toStoredRecord), total, ...(last && { last: { values, id: last.id as string } }) };
}

interface Found {
  readonly rows: readonly SqlRow[];
  readonly total: number;
}

async function amongFew(means: SearchContext, search: Search, { candidates, total }: SearchPlan): Promise<Found> {
  const page = means.statements.pageAmong(candidates, search);
  const rows = await readPage(means, page, search.criteria);
  // A row with the counts exists even for an empty page.
  const [counts] = rows;
  if (Number(counts?.found) > candidates.found.most) return inOrder(means, search, total);
  return { rows: rows.filter(({ id }) => id !== null), total: Number(counts?.total) };
}

// Reads the total first: it decides whether the page has records, and which end of the order is closer.
async function inOrder(means: SearchContext, search: Search, given?: Query): Promise<Found> {
  const { criteria, scope, table } = search;
  const { aid, connection, statements } = means;
  const kept = given === undefined ? await aid?.counts.read(connection, { ...criteria, scope, table }) : undefined;
  if (kept === undefined && isCountedAlong(means, scope, criteria)) {
    const rows = await readPage(means, statements.firstPage(table, criteria), criteria);
    return { rows, total: Number(rows[0]?.total ?? 0) };
  }
  const total = kept ?? (await totalOf(means, given ?? statements.count(scope, table, criteria.filter)));
  if (total <= criteria.offset || criteria.limit === 0) return { rows: [], total };
  const known = { total, keyOfOrder: aid?.orders.keyOfOrder(scope, table, criteria) };
  const page = statements.pageFromBack(search, known) ?? statements.page(search, known);
  const rows = await readPage(means, page, { ...criteria, limit: Math.min(criteria.limit, total - criteria.offset) });
  // Where each statement sees its own moment, the page may have records that came after the count.
  return { rows, total: Math.max(total, criteria.offset + rows.length) };
}

// The first page of all records is best read from the front, at any total: no count is needed first.
function isCountedAlong(
  { aid }: SearchContext,
  { kind }: TenantScope,
  { after, filter, limit, offset, sizeLimit }: Criteria,
): boolean {
  const isFirstOfAll = kind === "global" && partsOf(filter).length === 0 && offset === 0 && after === undefined;
  return isFirstOfAll && limit > 0 && limit <= (sizeLimit?.unmeasured ?? limit) && aid?.dataVersion === undefined;
}

async function totalOf({ connection, totals }: SearchContext, count: Query): Promise<number> {
  return totals?.of(count) ?? countBy(connection, count);
}

function readPage(
  { connection }: SearchContext,
  page: Query,
  { limit, sizeLimit }: Criteria,
): readonly SqlRow[] | Promise<readonly SqlRow[]> {
  if (sizeLimit === undefined || limit <= sizeLimit.unmeasured) return connection.all(page.sql, page.parameters);
  return readWithin(connection, page, sizeLimit);
}

async function countBy(connection: SqlConnection, { parameters, sql }: Query): Promise<number> {
  const row = await connection.first(sql, parameters);
  return Number(row?.total ?? 0);
}

const maxTotals = 1_000;

/** Totals cached until the next commit, so that further pages of a search need no count. */
export class Totals {
  readonly #connection: SqlConnection;
  readonly #aid: Pick<SearchIndex, "dataVersion">;
  readonly #known = new Map<string, number>();
  #countedAt: number | undefined;

  constructor(connection: SqlConnection, aid: Pick<SearchIndex, "dataVersion">) {
    this.#connection = connection;
    this.#aid = aid;
  }

  /** Whether the total of a count statement is cached. */
  async knows(count: Query): Promise<boolean> {
    await this.#forgetOld();
    return this.#known.has(toKey(count));
  }

  /** The total of a count statement. */
  async of(count: Query): Promise<number> {
    // Read before the count: a change in between then invalidates the result.
    const version = await this.#forgetOld();
    const known = this.#known.get(toKey(count));
    if (known !== undefined) return known;
    const total = await countBy(this.#connection, count);
    if (version !== undefined && version === this.#countedAt) this.#known.set(toKey(count), total);
    return total;
  }

  async #forgetOld(): Promise<number | undefined> {
    const version = await this.#aid.dataVersion?.(this.#connection);
    if (version !== this.#countedAt || this.#known.size >= maxTotals) this.#known.clear();
    this.#countedAt = version;
    return version;
  }
}

function toKey({ parameters, sql }: Query): string {
  return JSON.stringify([sql, parameters]);
}
