import type { Filter, IndexPlan, Table, TenantScope, TextPattern } from "latchkey/ports";
import { pause } from "../../internal/async.js";
import type { StorageRuntime } from "../../internal/storage-runtime.js";
import type { IndexBuilds, ReportRows } from "../../kysely/search/index-builds.js";
import type { PresentObjects } from "../../kysely/search/present-objects.js";
import type { Candidates, SearchPlan } from "../../kysely/search/search-statements.js";
import { type CompileContext, compileFilter } from "../../kysely/sql/compile-filter.js";
import { compile, type Fragment, type Query, raw, ref, sql } from "../../kysely/sql/fragment.js";
import type { SqlConnection } from "../../kysely/sql/sql-connection.js";
import { toSqlName } from "../../kysely/sql/table-sql.js";
import { SubstringTable } from "./substring-table.js";

/** The parts for planning searches. */
export interface SubstringSearchOptions {
  readonly runtime: StorageRuntime;
  readonly reader: SqlConnection;
  readonly present: PresentObjects;
  /** Counts the rows of a table beside the event loop. */
  readonly count: (table: string) => Promise<number>;
  /** Runs work that changes the database, beside the event loop. */
  readonly write: (work: (connection: SqlConnection) => Promise<boolean>) => Promise<boolean>;
  /** Creates the index and its triggers by statements, unless all of them exist. */
  readonly makeOnce: (names: readonly string[], statements: readonly string[]) => Promise<void>;
  /** The number of records from which a table has an index, or `Infinity`. The other sizes derive from it. */
  readonly indexFrom: number;
  readonly builds: IndexBuilds;
}

/** The number of records indexed in one transaction: some ten milliseconds. */
const batch = 500;
/** How long a few changes wait for the index, in milliseconds. Until then, each search looks them up in the table. */
const quietMs = 1_000;
/**
 * Plans substring searches (test/bench/README.md). With an index, a pattern with few candidates is looked up; one with many is
 * read in the order of the page, and the index counts. Short patterns, small tables and small tenants do not use it. It is built
 * on demand, and filled while searches continue without it.
 */
export class SubstringSearch {
  readonly #options: SubstringSearchOptions;
  readonly #context: CompileContext;
  readonly #indexes = new Map<string, SubstringTable>();
  readonly #busy = new Set<SubstringTable>();
  readonly #caughtUp = new Map<SubstringTable, number>();

  constructor(context: CompileContext, options: SubstringSearchOptions) {
    this.#context = context;
    this.#options = options;
  }

  plan(scope: TenantScope, table: Table, filter: Filter | undefined): SearchPlan | undefined {
    const columns = substringColumns(table);
    if (columns.length === 0 || this.#options.indexFrom === Number.POSITIVE_INFINITY) return undefined;
    const index = this.#indexOf(table, columns);
    if (filter === undefined || testsOneValue(filter)) return undefined;
    const match = toSubstringMatch(filter, columns);
    if (match === undefined) return this.#planShort(index, scope, table, filter);
    if (!this.#isUsable(index) || (scope.kind === "tenant" && this.#isSmall(index, scope.tenantId))) return undefined;
    const name = ref(index.index);
    const matching = sql`${name} where ${name} match ${match}`;
    const isCounted = scope.kind === "global" && isOfSubstrings(filter, columns);
    const total = isCounted ? this.#total(index, table, filter, matching) : undefined;
    return { candidates: this.#candidates(index, sql`select ${name}.rowid as number from ${matching}`), total };
  }

  /** The missing or unfilled index for a search of a large table. */
  planBuild(table: Table, filter: Filter | undefined): readonly IndexPlan[] {
    const columns = substringColumns(table);
    if (filter === undefined || testsOneValue(filter) || toSubstringMatch(filter, columns) === undefined) return [];
    const index = this.#indexOf(table, columns);
    const isWhole = this.#exists(index) && index.state(this.#options.reader, 0).isBuilt;
    if (isWhole) return [];
    const build = (): Promise<void> =>
      this.#options.builds.track(index.index, index.table, (report) => this.#make(index, report));
    return [{ name: index.index, table: index.table, change: "create", build }];
  }

  // Patterns too short for a lookup scan the texts of the index, which are more compact than the table.
  #planShort(index: SubstringTable, scope: TenantScope, table: Table, filter: Filter): SearchPlan | undefined {
    const isAlone = index.hasOneColumn && soleSubstring(filter)?.column === substringColumns(table)[0];
    if (!isAlone || scope.kind === "tenant" || !this.#exists(index) || !this.#isUsable(index)) return undefined;
    const passing = sql`${ref(index.rows)} as t where ${compileFilter({ context: this.#context, table, alias: "t" }, filter)}`;
    const total = this.#total(index, table, filter, passing);
    return { candidates: this.#candidates(index, sql`select t.number from ${passing}`), total };
  }

  #indexOf(table: Table, columns: readonly string[]): SubstringTable {
    const known = this.#indexes.get(table.name);
    if (known !== undefined) return known;
    const index = new SubstringTable(table, columns, this.#context);
    this.#indexes.set(table.name, index);
    return index;
  }

  // While the index is being built, or far behind, searches do without it.
  #isUsable(index: SubstringTable): boolean {
    const { indexFrom, reader } = this.#options;
    if (!this.#exists(index)) return false;
    const most = Math.ceil(indexFrom / 10);
    const { isBuilt, pending } = index.state(reader, most + 1);
    if (!isBuilt || pending > indexFrom / 100 || (pending > 0 && this.#isDue(index))) this.#catchUp(index);
    return isBuilt && pending <= most;
  }

  #isDue(index: SubstringTable): boolean {
    return this.#options.runtime.monotonic() - (this.#caughtUp.get(index) ?? 0) >= quietMs;
  }

  #exists(index: SubstringTable): boolean {
    return this.#options.present.has(index.objects, index.table);
  }

  #isSmall({ table }: SubstringTable, tenantId: string): boolean {
    const { indexFrom, reader } = this.#options;
    const first = sql`select 1 from ${ref(table)} where tenant_id = ${tenantId} limit ${raw(String(indexFrom))}`;
    const query = sql`select count(*) as n from (${first})`;
    const { sql: text, parameters } = compile(this.#context.profile.compiler, query);
    return countOf(reader, text, parameters) < indexFrom;
  }

  #candidates({ changes, columns, rows }: SubstringTable, numbers: Fragment): Candidates {
    const most = Math.ceil(this.#options.indexFrom / 2);
    const found = { rows: sql`${numbers} limit ${raw(String(most + 1))}`, most };
    const hits = sql`found join ${ref(rows)} as t on t.number = found.number`;
    const ids = sql`select id from ${ref(changes)}`;
    const texts = raw(columns.map((column) => `t."${column}"`).join(", "));
    const from = sql`(select t.id, ${texts} from ${hits}) as t`;
    return { found, ids: sql`select t.id from ${hits} union all ${ids}`, narrow: { columns: new Set(columns), from, ids } };
  }

  // The count of the index is right except for the listed changes, which are counted as before and as now.
  #total(index: SubstringTable, table: Table, filter: Filter, indexed: Fragment): Query {
    const passes = compileFilter({ context: this.#context, table, alias: "t" }, filter);
    const isChanged = sql`t.id in (select id from ${ref(index.changes)})`;
    const count = (from: string): Fragment => sql`(select count(*) from ${ref(from)} as t where ${isChanged} and ${passes})`;
    const query = sql`select (select count(*) from ${indexed}) - ${count(index.rows)} + ${count(index.table)} as total`;
    return compile(this.#context.profile.compiler, query);
  }

  // The next search that needs the index retries a failure.
  #catchUp(index: SubstringTable): void {
    if (this.#busy.has(index)) return;
    this.#busy.add(index);
    this.#fill(index, false)
      .catch(() => undefined)
      .finally(() => {
        this.#busy.delete(index);
        this.#caughtUp.set(index, this.#options.runtime.monotonic());
      });
  }

  async #make(index: SubstringTable, report: ReportRows): Promise<void> {
    await this.#options.makeOnce(index.objects, index.definition);
    const { rowsDone, rowsTotal } = await this.#countRows(index);
    await this.#fill(index, true, (added) => report({ rowsDone: Math.min(rowsDone + added, rowsTotal), rowsTotal }));
  }

  // A process started only for this work stays alive until it is done.
  async #fill(index: SubstringTable, isAwaited: boolean, report?: (added: number) => void): Promise<void> {
    let isBehind = true;
    for (let added = 0; isBehind; added += batch) {
      report?.(added);
      const start = this.#options.runtime.monotonic();
      isBehind = await this.#options.write((connection) => index.catchUp(connection, batch));
      // Leaves at least half of the time to requests.
      await pause(this.#options.runtime.timers, this.#options.runtime.monotonic() - start, isAwaited);
    }
  }

  async #countRows({ rows, table }: SubstringTable): Promise<{ readonly rowsDone: number; readonly rowsTotal: number }> {
    const { count } = this.#options;
    return { rowsDone: await count(rows), rowsTotal: await count(table) };
  }
}

function substringColumns(table: Table): readonly string[] {
  return table.indexes.flatMap(({ columns, kind }) => (kind === "substring" ? columns : []));
}

// An equality test has a separate index, and finds fewer records than a substring test.
function testsOneValue(filter: Filter): boolean {
  const tests = filter.op === "and" ? filter.filters : [filter];
  return tests.some(({ op }) => op === "equals" || op === "in");
}

function countOf(connection: SqlConnection, text: string, parameters: readonly unknown[]): number {
  const row = connection.first(text, parameters) as { readonly n?: unknown } | undefined;
  return Number(row?.n);
}

/** The number of characters in an index entry. Shorter texts cannot be looked up. */
const span = 3;
const maxDepth = 8;

/**
 * The query for a trigram index that finds every matching record, and perhaps others; undefined when the filter has none.
 * `columns` are those of the index.
 */
function toSubstringMatch(filter: Filter, columns: readonly string[], depth = 0): string | undefined {
  if (depth > maxDepth) return undefined;
  if (filter.op === "matches" && columns.includes(filter.column)) return ofPattern(filter.column, filter.pattern);
  if (filter.op !== "and" && filter.op !== "or") return undefined;
  const parts = filter.filters.map((part) => toSubstringMatch(part, columns, depth + 1));
  const known = parts.filter((part) => part !== undefined);
  const isEnough = known.length > 0 && (filter.op === "and" || known.length === parts.length);
  return isEnough ? `(${known.join(filter.op === "and" ? " AND " : " OR ")})` : undefined;
}

/** Whether the index finds only matching records: all tests are substring tests. */
function isOfSubstrings(filter: Filter, columns: readonly string[]): boolean {
  if (filter.op === "and" || filter.op === "or")
    return filter.filters.length > 0 && filter.filters.every((part) => isOfSubstrings(part, columns));
  const sole = soleSubstring(filter);
  return sole !== undefined && columns.includes(sole.column) && canBeLookedUp(sole.text);
}

/** The text of a filter with a single substring test; undefined for other filters. */
function soleSubstring(filter: Filter): { readonly column: string; readonly text: string } | undefined {
  if (filter.op === "and" && filter.filters.length === 1) return soleSubstring(filter.filters[0] as Filter);
  if (filter.op !== "matches" || filter.pattern.length !== 3) return undefined;
  const [before, text = "", after] = filter.pattern;
  return before === "" && after === "" ? { column: filter.column, text } : undefined;
}

function ofPattern(column: string, pattern: TextPattern): string | undefined {
  const parts = pattern.filter(canBeLookedUp);
  return parts.length === 0 ? undefined : `${toSqlName(column)} : (${parts.map(toPhrase).join(" AND ")})`;
}

// The tokenizer stops at a NUL.
function canBeLookedUp(part: string): boolean {
  return part.length >= span && !part.includes("\0") && Array.from(part).length >= span;
}

function toPhrase(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
