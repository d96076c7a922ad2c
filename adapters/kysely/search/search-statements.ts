import {
  type Criteria,
  type Filter,
  globalScope,
  type IndexPlan,
  type IndexProgress,
  type SortField,
  type Table,
  type TenantScope,
} from "latchkey/ports";
import {
  type CompileContext,
  compileScopedFilter,
  compileSortExpression,
  type FilteredTable,
  joinConditions,
  partsOf,
} from "../sql/compile-filter.js";
import { compileAfter, compileOrder, compileRanges, type OrderOptions, type SortTerms } from "../sql/compile-order.js";
import { compile, type Fragment, join, type Query, raw, ref, sql } from "../sql/fragment.js";
import type { SqlConnection } from "../sql/sql-connection.js";
import { recordColumns, toSqlName } from "../sql/table-sql.js";
import type { IndexBuilder } from "./index-builder.js";
import type { StoredLists } from "./stored-lists.js";
import type { StoredTotals } from "./stored-totals.js";

/** Structures that a database maintains beside its tables to speed up searches. */
export interface SearchIndex {
  /** The indexes in the order of pages. */
  readonly orders: IndexBuilder;
  /** The items of lists in JSON. */
  readonly lists: StoredLists;
  /** Totals maintained by triggers. */
  readonly counts: StoredTotals;
  /** Plans a search by candidates; undefined when a scan of the table is best. */
  plan?(scope: TenantScope, table: Table, filter: Filter | undefined): SearchPlan | undefined;
  /** The missing structures for substring searches of large tables, if they need more than an index. */
  planTexts?(table: Table, filter: Filter | undefined): Promise<readonly IndexPlan[]>;
  /** The indexes that this process builds or built, with their progress. */
  readProgress(): Promise<readonly IndexProgress[]>;
  /** A number of a reading connection that changes after each commit of any connection; undefined without one. */
  dataVersion?(connection: SqlConnection): Promise<number | undefined>;
}

/**
 * Candidates to check one by one, unless there are too many: then a page is best read in its order, and `total` is faster than a
 * count of the table.
 */
export interface SearchPlan {
  readonly candidates: Candidates;
  readonly total?: Query | undefined;
}

/** The candidates for a filter: all matching records are among the ids of both parts. */
export interface Candidates {
  /** Rows that the other parts call `found`, looked up once; more than `most` are too many. */
  readonly found: { readonly rows: Fragment; readonly most: number };
  /** Ids of the records to check. */
  readonly ids: Fragment;
  /**
   * Columns stored in a second, narrower place: the columns that the filter and the order may use there, and the rows (alias
   * `t`).
   */
  readonly narrow: { readonly columns: ReadonlySet<string>; readonly from: Fragment; readonly ids: Fragment };
}

/** Creates the search index from the compile context. */
export type CreateSearchIndex = (context: CompileContext) => SearchIndex;

/** A search of a table: its scope, filter, order and page. */
export interface Search {
  readonly scope: TenantScope;
  readonly table: Table;
  readonly criteria: Criteria;
}

interface SearchTarget {
  readonly scope: TenantScope;
  readonly table: Table;
  readonly filter?: Filter | undefined;
  /** The first columns of the index in the order of the page, if the search reads in its order. */
  readonly keyOfOrder?: ReadonlySet<string> | undefined;
}

/** Known properties of a page before its search. */
export interface KnownOfPage {
  readonly total: number;
  /** The first columns of the index in the order of the page; undefined without one, or if the database decides better. */
  readonly keyOfOrder?: ReadonlySet<string> | undefined;
}

/** The SQL of searches. Each page includes its sort values as `sort_0`, `sort_1` and so on. */
export class SearchStatements {
  readonly #context: CompileContext;

  constructor(context: CompileContext) {
    this.#context = context;
  }

  /**
   * One page of `total` records. If an index covers the search, finds the page's ids in it, then looks up the records. If few
   * records match, sorts them: a walk from one end of an index would pass very many others.
   */
  page({ criteria, scope, table }: Search, { keyOfOrder, total }: KnownOfPage): Query {
    const options = { isSorted: total < sparse * (criteria.offset + criteria.limit) };
    const target = { scope, table, filter: criteria.filter, ...(!options.isSorted && { keyOfOrder }) };
    return this.#isFoundByIds(table, criteria)
      ? this.#pageOf(table, criteria.sort, this.#ids(target, criteria, options))
      : this.#recordsInOrder(target, criteria, options);
  }

  /** The same page, read from the far end of the order; undefined when that end is not closer. */
  pageFromBack({ criteria, scope, table }: Search, { keyOfOrder, total }: KnownOfPage): Query | undefined {
    const { after, offset, sort } = criteria;
    const behind = total - offset;
    if (after !== undefined || offset <= behind || !this.#isFoundByIds(table, criteria)) return undefined;
    const limit = Math.min(criteria.limit, behind);
    const mirrored = { ...criteria, limit, offset: behind - limit };
    return this.#pageOf(
      table,
      sort,
      this.#ids({ scope, table, filter: criteria.filter, keyOfOrder }, mirrored, { isFromBack: true }),
    );
  }

  /** The first page of all records, with the `total` of them in each row. */
  firstPage(table: Table, criteria: Criteria): Query {
    const total = sql`(select count(*) from ${this.#table(table)}) as total`;
    return this.#recordsInOrder({ scope: globalScope, table }, criteria, {}, [total]);
  }

  /**
   * One page of the matching candidates, with their `total` and the number `found`: in every row, and in a row without a record
   * for an empty page.
   */
  pageAmong(candidates: Candidates, { criteria, scope, table }: Search): Query {
    const { after, limit, offset, sort } = criteria;
    const hits = this.#hits(candidates, { scope, table, filter: criteria.filter }, sort);
    const expressions = sort.map((_, index) => ref(`sort_${index}`));
    const terms = { table, sort, expressions, id: ref("id") };
    const where = after === undefined ? sql`1 = 1` : compileAfter(terms, this.#bound(after.values, sort), after);
    const order = this.#order(terms);
    const page = sql`select * from hits where ${where} ${order} limit ${toLimit(limit)} offset ${offset}`;
    const counts = sql`select (select count(*) from hits) as total, (select count(*) from found) as found`;
    const parts = sql`found as materialized (${candidates.found.rows}), hits as materialized (${hits}), page as (${page})`;
    const more = [ref("counts.total"), ref("counts.found")];
    const from = sql`(${counts}) as counts left join page on true left join ${this.#table(table)} as t on t.id = page.id`;
    return this.#compile(sql`with ${parts} ${this.#records(table, sort, from, more)}`);
  }

  count(scope: TenantScope, table: Table, filter: Filter | undefined): Query {
    const all = sql`select count(*) as total from ${this.#table(table)} as t`;
    // Without a condition, SQLite adds up the counts in its pages.
    if (scope.kind === "global" && partsOf(filter).length === 0) return this.#compile(all);
    return this.#compile(sql`${all} where ${compileScopedFilter(this.#rows(table), scope, filter)}`);
  }

  // Without ids in indexes, the extra lookup pays off for far pages only.
  #isFoundByIds(table: Table, { offset }: Criteria): boolean {
    return table.isLog !== true && (this.#context.profile.indexesHoldIds === true || offset >= farOffset);
  }

  #recordsInOrder(target: SearchTarget, criteria: Criteria, options: OrderOptions = {}, more: readonly Fragment[] = []): Query {
    const expressions = this.#expressions(target.table, criteria.sort);
    const values = expressions.map((expression, index) => sql`${expression} as ${ref(`sort_${index}`)}`);
    const columns = join([...recordColumns.map((column) => ref(`t.${column}`)), ...values, ...more]);
    return this.#compile(this.#inOrder(columns, target, criteria, options));
  }

  #ids(target: SearchTarget, criteria: Criteria, options: OrderOptions): Fragment {
    const expressions = this.#expressions(target.table, criteria.sort);
    return this.#inOrder(this.#idAndValues(expressions), target, criteria, options);
  }

  // After a position, each range is read separately, no further than the page may reach.
  #inOrder(columns: Fragment, target: SearchTarget, criteria: Criteria, options: OrderOptions): Fragment {
    const { limit, offset, sort } = criteria;
    const { table } = target;
    const terms = { table, sort, expressions: this.#expressions(table, sort), id: ref("t.id") };
    const ranges = this.#rangesBehind(target, criteria, terms);
    const order = this.#order(terms, options);
    const from = sql`select ${columns} from ${this.#table(table)} as t where`;
    if (ranges.length === 1) return sql`${from} ${ranges[0]} ${order} limit ${toLimit(limit)} offset ${offset}`;
    const parts = ranges.map((where) => sql`select * from (${from} ${where} ${order} limit ${toLimit(offset + limit)}) as part`);
    const expressions = sort.map((_, index) => ref(`sort_${index}`));
    const all = this.#order({ table, sort, expressions, id: ref("id") }, options);
    return sql`select * from (${join(parts, " union all ")}) as parts ${all} limit ${toLimit(limit)} offset ${offset}`;
  }

  #rangesBehind({ filter, keyOfOrder, scope, table }: SearchTarget, { after, sort }: Criteria, terms: SortTerms): Fragment[] {
    const context = keyOfOrder === undefined ? this.#context : { ...this.#context, keyOfOrder };
    const scoped = compileScopedFilter({ context, table, alias: "t" }, scope, filter);
    if (after === undefined) return [scoped];
    const ranges = compileRanges(this.#context.profile, terms, this.#bound(after.values, sort), after);
    return ranges.map((range) => joinConditions([scoped, range], "and"));
  }

  #hits({ found, ids, narrow }: Candidates, { scope, table, filter }: SearchTarget, sort: readonly SortField[]): Fragment {
    const isFew = sql`(select count(*) from found) <= ${found.most}`;
    const passes = joinConditions([isFew, compileScopedFilter(this.#rows(table), scope, filter)], "and");
    const expressions = this.#expressions(table, sort);
    const from = sql`${this.#table(table)} as t`;
    const among = (list: Fragment): Fragment =>
      this.#selectIds(from, expressions, joinConditions([sql`t.id in (${list})`, passes], "and"));
    if (scope.kind !== "global" || !isWithin(narrow.columns, filter, sort)) return among(ids);
    const kept = joinConditions([sql`t.id not in (${narrow.ids})`, passes], "and");
    return sql`${this.#selectIds(narrow.from, expressions, kept)} union all ${among(narrow.ids)}`;
  }

  #selectIds(from: Fragment, expressions: readonly Fragment[], where: Fragment): Fragment {
    return sql`select ${this.#idAndValues(expressions)} from ${from} where ${where}`;
  }

  #idAndValues(expressions: readonly Fragment[]): Fragment {
    const values = expressions.map((expression, index) => sql`${expression} as ${ref(`sort_${index}`)}`);
    return join([sql`t.id as id`, ...values]);
  }

  #pageOf(table: Table, sort: readonly SortField[], ids: Fragment): Query {
    return this.#compile(this.#records(table, sort, sql`(${ids}) as page join ${this.#table(table)} as t on t.id = page.id`));
  }

  #records(table: Table, sort: readonly SortField[], from: Fragment, more: readonly Fragment[] = []): Fragment {
    const values = sort.map((_, index) => ref(`page.sort_${index}`));
    const columns = join([...recordColumns.map((column) => ref(`t.${column}`)), ...values, ...more]);
    const order = this.#order({ table, sort, expressions: values, id: ref("page.id") });
    return sql`select ${columns} from ${from} ${order}`;
  }

  #order(terms: SortTerms, options?: OrderOptions): Fragment {
    return compileOrder(this.#context.profile, terms, options);
  }

  #expressions(table: Table, sort: readonly SortField[]): Fragment[] {
    return sort.map((field) => compileSortExpression(this.#rows(table), field));
  }

  #bound(values: NonNullable<Criteria["after"]>["values"], sort: readonly SortField[]): unknown[] {
    return sort.map((_, index) => this.#context.profile.toParameter(values[index] ?? null));
  }

  #rows(table: Table): FilteredTable {
    return { context: this.#context, table, alias: "t" };
  }

  #table(table: Table): Fragment {
    return ref(this.#context.sqlTable(table.name));
  }

  #compile(query: Fragment): Query {
    return compile(this.#context.profile.compiler, query);
  }
}

const farOffset = 1_000;

/**
 * With at least so many records per record up to the end of the page, the page is read through an index in its order: reading a
 * record out of table order takes some fifty times as long as passing it in a scan, at any size.
 */
const sparse = 100;

/** Whether a filter and an order use only the given columns and the id. */
function isWithin(columns: ReadonlySet<string>, filter: Filter | undefined, sort: readonly SortField[]): boolean {
  const isHere = (column: string): boolean => column === "id" || columns.has(toSqlName(column));
  const passes = (test: Filter): boolean => {
    switch (test.op) {
      case "and":
      case "or":
        return test.filters.every(passes);
      case "not":
        return passes(test.filter);
      case "exists":
      case "includes":
        return false;
      default:
        return isHere(test.column);
    }
  };
  return (filter === undefined || passes(filter)) && sort.every(({ column, via }) => via === undefined && isHere(column));
}

/** A limit as literal SQL: SQLite prepares a statement again whenever a bound limit would change its plan. */
export function toLimit(limit: number): Fragment {
  if (!Number.isSafeInteger(limit) || limit < 0) throw new TypeError("A limit is a whole number.");
  return raw(String(limit));
}
