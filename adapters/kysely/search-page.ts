import type { ColumnValue, Criteria, SearchPage, Table, TenantScope } from "latchkey";
import type { Query } from "./fragment.js";
import type { Candidates, SearchAid, SearchPlan } from "./search-aid.js";
import type { SearchStatements } from "./search-statements.js";
import type { SqlConnection, SqlRow } from "./sql-connection.js";
import { toStoredRecord } from "./table-sql.js";

/** Where searches are run, and what helps. */
export interface SearchMeans {
  readonly connection: SqlConnection;
  readonly statements: SearchStatements;
  readonly aid?: SearchAid | undefined;
  readonly totals?: Totals | undefined;
}

/** One page of the records that pass the criteria, and how many pass in all. */
export async function searchPage(means: SearchMeans, scope: TenantScope, table: Table, criteria: Criteria): Promise<SearchPage> {
  const { filter, sort } = criteria;
  const plan = filter && means.aid?.plan(scope, table, filter);
  const { rows, total } = await (plan?.kind === "few"
    ? amongFew(means, scope, table, criteria, plan.candidates)
    : inOrder(means, scope, table, criteria, plan));
  const last = rows.at(-1);
  const values = sort.map((_, index) => (last?.[`sort_${index}`] ?? null) as ColumnValue);
  return { records: rows.map(toStoredRecord), total, ...(last && { last: { values, id: last.id as string } }) };
}

interface Found {
  readonly rows: readonly SqlRow[];
  readonly total: number;
}

async function amongFew(
  { connection, statements }: SearchMeans,
  scope: TenantScope,
  table: Table,
  criteria: Criteria,
  candidates: Candidates,
): Promise<Found> {
  const page = statements.pageAmong(candidates, scope, table, criteria);
  const rows = await connection.all(page.sql, page.parameters);
  const [first] = rows;
  if (first !== undefined) return { rows, total: Number(first.total) };
  return { rows, total: await countBy(connection, statements.countAmong(candidates, scope, table, criteria.filter)) };
}

// The total comes first: it tells whether there is a page at all, and from which end it is nearer.
async function inOrder(
  means: SearchMeans,
  scope: TenantScope,
  table: Table,
  criteria: Criteria,
  plan?: SearchPlan & { readonly kind: "many" },
): Promise<Found> {
  const { connection, statements, totals } = means;
  const count = plan?.total ?? statements.count(scope, table, criteria.filter);
  const total = await (totals?.of(count) ?? countBy(connection, count));
  if (total <= criteria.offset || criteria.limit === 0) return { rows: [], total };
  const isMost = total <= 2 * (criteria.offset + criteria.limit);
  if (isMost && plan?.candidates !== undefined) return amongFew(means, scope, table, criteria, plan.candidates);
  const page = statements.pageFromBack(scope, table, criteria, total) ?? statements.page(scope, table, criteria);
  return { rows: await connection.all(page.sql, page.parameters), total };
}

async function countBy(connection: SqlConnection, { parameters, sql }: Query): Promise<number> {
  const row = await connection.first(sql, parameters);
  return Number(row?.total ?? 0);
}

const maxTotals = 1_000;

/** Totals that were counted since anybody last changed anything, so that the next pages of a search need not count. */
export class Totals {
  readonly #connection: SqlConnection;
  readonly #dataVersion: () => number | undefined;
  readonly #known = new Map<string, number>();
  #countedAt: number | undefined;

  constructor(connection: SqlConnection, dataVersion: () => number | undefined) {
    this.#connection = connection;
    this.#dataVersion = dataVersion;
  }

  /** What a statement counts. */
  async of(count: Query): Promise<number> {
    // Asked before counting: what changes in between is then looked at anew.
    const version = this.#dataVersion();
    if (version === undefined) return countBy(this.#connection, count);
    if (version !== this.#countedAt || this.#known.size >= maxTotals) this.#known.clear();
    this.#countedAt = version;
    const key = JSON.stringify([count.sql, count.parameters]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const total = await countBy(this.#connection, count);
    if (version === this.#countedAt) this.#known.set(key, total);
    return total;
  }
}
