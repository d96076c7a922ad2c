import type {
  Filter,
  FindOptions,
  HiddenText,
  Lease,
  RecordRead,
  SortField,
  Table,
  TenantScope,
  UniqueKey,
} from "latchkey/ports";
import { SearchStatements, toLimit } from "./search/search-statements.js";
import {
  type CompileContext,
  columnReference,
  compileFilter,
  compileScopedFilter,
  compileSortExpression,
  type FilteredTable,
  joinConditions,
  partsOf,
  shapeOf,
} from "./sql/compile-filter.js";
import { compileOrder } from "./sql/compile-order.js";
import { compile, type Fragment, join, type Query, raw, ref, sql } from "./sql/fragment.js";
import { ManyRecords } from "./sql/many-records.js";
import { allColumns, recordColumns, rewrittenCount, toSqlName } from "./sql/table-sql.js";

/** The capacity of the cache: more than the usual shapes of calls; only filters that callers compose exceed it. */
const maxTexts = 1_000;

/** Statements without objects for searches, which an administrator may drop at any time. */
export interface PlainStatements {
  readonly statements: Statements;
  readonly isMissingTable: (error: unknown) => boolean;
  readonly forgetObjects: () => void;
}

/** The SQL of every storage call. Texts that do not depend on the call are written once per table. */
export class Statements {
  readonly #context: CompileContext;
  readonly #fixed = new WeakMap<Table, FixedStatements>();
  readonly #texts = new Map<string, string>();

  readonly searches: SearchStatements;

  readonly many: ManyRecords;

  /** The statements that use only the tables, and a function to call once an object for searches turned out to be missing. */
  readonly plain: PlainStatements | undefined;

  constructor(context: CompileContext, plain?: PlainStatements) {
    this.plain = plain;
    // Cached texts must fit every tenant.
    const { hasTenantIndex: _, ...others } = context;
    this.#context = others;
    this.searches = new SearchStatements(context);
    this.many = new ManyRecords(context.profile, context.sqlTable);
  }

  /** The texts for one table with a fixed order of parameters. */
  fixed(table: Table): FixedStatements {
    let statements = this.#fixed.get(table);
    if (statements === undefined) {
      statements = this.#writeFixed(table);
      this.#fixed.set(table, statements);
    }
    return statements;
  }

  find(read: RecordRead, options: FindOptions = {}): Query {
    const { filter, table } = read;
    const { after, limit, sort = [] } = options;
    if (after !== undefined) return this.#findAfter(read, { after, limit });
    const order = sort.length === 0 ? "" : JSON.stringify(sort);
    return this.#write(`find ${limit} ${order}`, read, (where) => {
      const end = limit === undefined ? sql`` : sql` limit ${toLimit(limit)}`;
      return sql`${this.#select(table)} where ${where} ${this.#order(table, sort, filter)}${end}`;
    });
  }

  /**
   * The records of each read, in no particular order, with the number of the read as `part`. With a size limit, reads one record
   * more than the unmeasured ones, to show whether the list is long.
   */
  findEach(reads: readonly RecordRead[]): Query {
    const parameters: unknown[] = [];
    const keys = reads.map((read) => this.#keyOf(`any ${read.sizeLimit?.unmeasured}`, read, parameters));
    const [only, another] = reads;
    return this.#writeOnce(keys.includes(undefined) ? undefined : keys.join(" "), parameters, () => {
      if (only !== undefined && another === undefined) return this.#selectPart(only, 0);
      return join(
        reads.map((read, part) => sql`select * from (${this.#selectPart(read, part)}) as few`),
        " union all ",
      );
    });
  }

  #selectPart({ filter, scope, sizeLimit, table }: RecordRead, part: number): Fragment {
    const columns = [...recordColumns.map((column) => ref(`t.${column}`)), sql`${raw(String(part))} as part`];
    const where = compileScopedFilter(this.#rows(table), scope, filter);
    const end = sizeLimit === undefined ? sql`` : sql` limit ${toLimit(sizeLimit.unmeasured + 1)}`;
    return sql`select ${join(columns)} from ${this.#table(table)} as t where ${where}${end}`;
  }

  findIds(read: RecordRead, column: string): Query {
    const { table } = read;
    return this.#write(`ids ${column}`, read, (where) => {
      const name = columnReference(this.#rows(table), column);
      return sql`select ${name} from ${this.#table(table)} as t where ${where} and ${name} is not null`;
    });
  }

  remove(read: RecordRead): Query {
    const { table } = read;
    return this.#write("remove", read, (where) => sql`delete from ${this.#table(table)} as t where ${where}`);
  }

  // A test with `is true` uses no index: any index but that of the ids would find all later records for each page, and sort them.
  #findAfter(
    { filter, scope, table }: RecordRead,
    { after, limit }: Pick<FindOptions, "limit"> & { readonly after: string },
  ): Query {
    const tests = partsOf(filter);
    const ids = tests.filter((test) => test.op === "in" && test.column === "id");
    const others: Filter = { op: "and", filters: tests.filter((test) => !ids.includes(test)) };
    const conditions = [
      sql`t.id > ${after}`,
      ...ids.map((test) => compileFilter(this.#rows(table), test)),
      sql`(${compileScopedFilter(this.#rows(table), scope, others)}) is true`,
    ];
    const end = limit === undefined ? sql`` : sql` limit ${toLimit(limit)}`;
    return this.#compile(sql`${this.#select(table)} where ${joinConditions(conditions, "and")} ${this.#order(table, [])}${end}`);
  }

  #write(what: string, read: RecordRead, write: (where: Fragment) => Fragment): Query {
    const { filter, scope, table } = read;
    const parameters: unknown[] = [];
    const key = this.#keyOf(what, read, parameters);
    return this.#writeOnce(key, parameters, () => write(compileScopedFilter(this.#rows(table), scope, filter)));
  }

  // The cache key of a text; appends its parameters. Undefined when the text depends on them.
  #keyOf(what: string, { filter, scope, table }: RecordRead, parameters: unknown[]): string | undefined {
    if (scope.kind === "tenant") parameters.push(scope.tenantId);
    const shape = filter === undefined ? "" : shapeOf(this.#context.profile, filter, parameters);
    return shape === undefined ? undefined : `${table.name} ${what} ${scope.kind} ${shape}`;
  }

  // Repeated calls differ in their values only, and writing SQL takes longer than running many a statement.
  #writeOnce(key: string | undefined, parameters: readonly unknown[], write: () => Fragment): Query {
    const known = key === undefined ? undefined : this.#texts.get(key);
    if (known !== undefined) return { sql: known, parameters };
    const query = this.#compile(write());
    if (key !== undefined && this.#texts.size < maxTexts) this.#texts.set(key, query.sql);
    return query;
  }

  replaceHidden(scope: TenantScope, table: Table, { hidden, id, version }: HiddenText): Query {
    const isTenants = scope.kind === "global" ? sql`` : sql` and tenant_id = ${scope.tenantId}`;
    return this.#compile(
      sql`update ${this.#table(table)} set hidden = ${hidden} where id = ${id} and version = ${version}${isTenants}`,
    );
  }

  /** Removes and returns the oldest rows of a log; `added` gives their order. */
  take(table: Table, limit: number, maxBytes?: number): Query {
    const isFirst = this.#isFirst(table, sql`1 = 1`, { limit, maxBytes });
    return this.#compile(sql`delete from ${this.#table(table)} where ${isFirst} ${this.#returnAdded()}`);
  }

  /** Leases and returns the first free rows of a log; `added` is their position. */
  lease(table: Table, { limit, maxBytes, now, until }: Lease): Query {
    const isFree = sql`(leased_until is null or leased_until < ${now})`;
    const isFirst = this.#isFirst(table, isFree, { limit, maxBytes });
    return this.#compile(sql`update ${this.#table(table)} set leased_until = ${until} where ${isFirst} ${this.#returnAdded()}`);
  }

  /** Removes leased rows of a log; returns `added`, the position of each. */
  removeLeased(table: Table, positions: readonly number[], until: number): Query {
    const { listTest } = this.#context.profile;
    const isOne = sql`added ${raw(listTest.before)}${listTest.toParameter(positions)}${raw(listTest.after)}`;
    return this.#compile(sql`delete from ${this.#table(table)} where ${isOne} and leased_until = ${until} returning added`);
  }

  /** The ranges of positions of a log: without a gap, a position and its rank grow alike. */
  findPositions(table: Table): Query {
    const ranked = sql`select added, added - row_number() over (order by added) as island from ${this.#table(table)}`;
    const range = sql`min(added) as lowest, max(added) as highest`;
    return this.#compile(sql`select ${range} from (${ranked}) as ranked group by island order by lowest`);
  }

  clearTenant(table: Table, tenantId: string, limit: number): Query {
    const name = this.#table(table);
    const own = sql`select id from ${name} where tenant_id = ${tenantId} limit ${toLimit(limit)}`;
    return this.#compile(sql`update ${name} set tenant_id = null where id in (${own})`);
  }

  #isFirst(table: Table, condition: Fragment, { limit, maxBytes }: Pick<Lease, "limit" | "maxBytes">): Fragment {
    const { locksRows } = this.#context.profile;
    const end = sql`where ${condition} order by added limit ${toLimit(limit)}${locksRows ? sql` for update skip locked` : sql``}`;
    const from = this.#table(table);
    const first = maxBytes === undefined ? sql`select added from ${from} ${end}` : firstOfSize(from, end, maxBytes);
    // As an array, the subquery runs once: otherwise it would try the locked rows again for every row.
    return sql`added ${locksRows ? sql`= any(array(${first}))` : sql`in (${first})`}`;
  }

  #returnAdded(): Fragment {
    return sql`returning ${join(recordColumns.map((column) => ref(column)))}, added`;
  }

  #writeFixed(table: Table): FixedStatements {
    const name = this.#table(table);
    const columns = allColumns(table).map(toSqlName);
    const changing = columns.filter((column) => column !== "id" && column !== "tenant_id");
    const refs = (names: readonly string[]): Fragment => join(names.map((column) => ref(column)));
    const toChanges = (names: readonly string[]): Fragment => join(names.map((column) => sql`${ref(column)} = ${null}`));
    const isOwn = sql`where id = ${null} and version = ${null}`;
    const update = sql`update ${name} set ${toChanges(changing)} ${isOwn}`;
    const isFree = table.uniqueKeys.reduce((before, key) => sql`${before}${this.#isFree(table, key)}`, sql``);
    const rewrite = sql`update ${name} set ${toChanges(changing.slice(0, rewrittenCount))} ${isOwn}`;
    const values = join(columns.map(() => null));
    const select = sql`select ${refs(recordColumns)} from ${name} where id = ${null}`;
    const write = (query: Fragment): string => this.#compile(query).sql;
    return {
      retrieve: write(select),
      retrieveInTenant: write(sql`${select} and tenant_id = ${null}`),
      insert: write(sql`insert into ${name} (${refs(columns)}) values (${values}) on conflict do nothing`),
      removeOne: write(sql`delete from ${name} where id = ${null}`),
      insertOrFail: write(sql`insert into ${name} (${refs(columns)}) values (${values})`),
      updateInTenant: write(sql`${update} and tenant_id = ${null}${isFree}`),
      updateWithoutTenant: write(sql`${update} and tenant_id is null${isFree}`),
      rewriteInTenant: write(sql`${rewrite} and tenant_id = ${null}`),
      rewriteWithoutTenant: write(sql`${rewrite} and tenant_id is null`),
    };
  }

  // No other record has these values. True with a null among them: nothing equals null.
  #isFree(table: Table, { columns }: UniqueKey): Fragment {
    const tests = columns.map((column) => sql`${ref(`other.${toSqlName(column)}`)} = ${null}`);
    const isOther = joinConditions([...tests, sql`other.id <> ${null}`], "and");
    return sql` and not exists (select 1 from ${this.#table(table)} as other where ${isOther})`;
  }

  #rows(table: Table): FilteredTable {
    return { context: this.#context, table, alias: "t" };
  }

  #table(table: Table): Fragment {
    return ref(this.#context.sqlTable(table.name));
  }

  #select(table: Table): Fragment {
    return sql`select ${join(recordColumns.map((column) => ref(`t.${column}`)))} from ${this.#table(table)} as t`;
  }

  #order(table: Table, sort: readonly SortField[], filter?: Filter): Fragment {
    const expressions = sort.map((field) => compileSortExpression(this.#rows(table), field));
    return compileOrder(this.#context.profile, { table, sort, expressions, id: ref("t.id") }, { filter });
  }

  #compile(query: Fragment): Query {
    return compile(this.#context.profile.compiler, query);
  }
}

// Lengths are known without reading the texts. The sum of the rows before decides whether a row is included.
function firstOfSize(from: Fragment, end: Fragment, maxBytes: number): Fragment {
  const measured = sql`select added, octet_length(json) as bytes from ${from} ${end}`;
  const summed = sql`select added, sum(bytes) over (order by added) - bytes as before from (${measured}) as measured`;
  return sql`select added from (${summed}) as summed where before < ${maxBytes}`;
}

/**
 * Parameters: retrieve (id), retrieveInTenant (id, tenant id), insert (all columns), updateWithoutTenant (all columns but id and
 * tenant id; id, version; for each unique key its columns and the id), updateInTenant (the same, with the tenant id after the
 * version). Neither changes a record when another one has the values of a unique key.
 */
export interface FixedStatements {
  readonly retrieve: string;
  readonly retrieveInTenant: string;
  readonly insert: string;
  /** Undoes the insert of a record, by its id. */
  readonly removeOne: string;
  /** As `insert`, but fails when the record collides. */
  readonly insertOrFail: string;
  readonly updateInTenant: string;
  readonly updateWithoutTenant: string;
  /** As updates, with the standard columns only. */
  readonly rewriteInTenant: string;
  readonly rewriteWithoutTenant: string;
}
