import type { Criteria, Table, TenantScope } from "latchkey/ports";
import { ignore } from "../../internal/async.js";
import type { CompileContext } from "../sql/compile-filter.js";
import { compile, raw, ref, sql } from "../sql/fragment.js";
import type { SqlConnection } from "../sql/sql-connection.js";
import type { IndexBuilds, ReportRows } from "./index-builds.js";
import {
  isIndexed,
  listRequested,
  nameOf,
  ownerId,
  ownerOf,
  type RequestedIndex,
  requestedOrder,
  requestedSubstrings,
  type SearchShape,
  searchIndexPrefix,
  tenantIndexPrefix,
  toIndexColumns,
  toTenantIndex,
} from "./requested-index.js";

/** What makes indexes beside the requests. */
export interface IndexBuilderOptions {
  readonly reader: SqlConnection;
  /** From how many records on a table is large, or `Infinity`. */
  readonly indexFrom: number;
  /** The names of the indexes that a table has. */
  readonly indexesOf: (table: string) => readonly string[] | Promise<readonly string[]>;
  /** Makes one by a statement, without holding up the event loop. */
  readonly make: (index: MissingIndex, report: ReportRows) => Promise<void>;
  /** Removes one in the same way. */
  readonly drop: (index: Pick<MissingIndex, "name" | "table">) => Promise<void>;
  readonly builds: IndexBuilds;
}

/** An index that is to be made. */
export interface MissingIndex {
  readonly name: string;
  readonly table: string;
  /** Its columns in parentheses, after what kind of index it is where that is not the usual one, and before which records are in it. */
  readonly columns: string;
}

/** Between two looks at whether a table has become large. */
const searchesBetweenLooks = 100;

/** Indexes of one table that searches asked for: each makes writes a little slower. */
const maxIndexes = 16;

/** Indexes of one table that are of the records of one tenant each: writes of others have to look at what they are of. */
const maxTenantIndexes = 32;

interface TableState {
  searches: number;
  isLarge: boolean;
  isBusy: boolean;
  /** Whether there are as many as there may be: of all records, and of those of single tenants. */
  isFull: boolean;
  isFullOfOwn: boolean;
  names: ReadonlySet<string>;
}

/**
 * The indexes that searches of large tables ask for: those in the order of a page, and of texts that begin alike. A small table has none. Of a
 * large one, each is made beside the requests when a search is the first to have use for it; until then the database sorts.
 */
export class IndexBuilder {
  readonly #context: CompileContext;
  readonly #maker: IndexBuilderOptions;
  readonly #tables = new Map<string, TableState>();

  constructor(context: CompileContext, maker: IndexBuilderOptions) {
    this.#context = context;
    this.#maker = maker;
  }

  /** Called with each search: has made what is missing. */
  note(scope: TenantScope, table: Table, criteria: Criteria): void {
    if (this.#maker.indexFrom === Number.POSITIVE_INFINITY) return;
    const state = this.#stateOf(table);
    const isLook = state.searches++ % searchesBetweenLooks === 0;
    if (isLook) state.isFullOfOwn = false;
    if (state.isBusy || !(state.isLarge || isLook)) return;
    const shape = { ...criteria, scope, table };
    const missing = this.#listRequested(shape).filter((index) => !isFullFor(state, index) && !this.#isThere(table, index));
    if (missing.length === 0 && state.isLarge) return;
    state.isBusy = true;
    this.#make(shape, state, missing)
      .catch(() => {
        // What fails is tried again after a while.
        state.isLarge = false;
      })
      .finally(() => {
        state.isBusy = false;
      })
      .catch(ignore);
  }

  /** The columns at the beginning of the index in the order of a page, where there is one. */
  keyOfOrder(scope: TenantScope, table: Table, criteria: Criteria): ReadonlySet<string> | undefined {
    if (this.#context.profile.choosesBySize !== false) return undefined;
    const order = requestedOrder({ ...criteria, scope, table });
    if (order === undefined || !this.#isThere(table, order)) return undefined;
    return new Set(order.columns.slice(0, order.keyLength).map(({ column }) => column));
  }

  /** Whether a tenant has an index of its own records for a member of their JSON that it declares. */
  hasTenantIndex(table: Table, tenantId: string, member: string): boolean {
    const names = this.#tables.get(table.name)?.names;
    if (!member.includes(".") || names === undefined || names.size === 0) return false;
    return names.has(this.#nameOf(table, toTenantIndex(tenantId, member)));
  }

  #listRequested(shape: SearchShape): readonly RequestedIndex[] {
    const { profile } = this.#context;
    const substrings = profile.substrings && requestedSubstrings(profile, shape);
    return substrings === undefined ? listRequested(shape) : [...listRequested(shape), substrings];
  }

  #isThere(table: Table, index: RequestedIndex): boolean {
    return this.#stateOf(table).names.has(this.#nameOf(table, index)) || isIndexed(this.#context.profile, table, index);
  }

  #nameOf(table: Table, index: RequestedIndex): string {
    return nameOf(table, this.#prefixedTable(table), index);
  }

  #prefixedTable(table: Table): string {
    return this.#context.sqlTable(table.name).split(".").at(-1) ?? "";
  }

  #stateOf(table: Table): TableState {
    const known = this.#tables.get(table.name);
    if (known !== undefined) return known;
    const state: TableState = { searches: 0, isLarge: false, isBusy: false, isFull: false, isFullOfOwn: false, names: new Set() };
    this.#tables.set(table.name, state);
    return state;
  }

  async #make(shape: SearchShape, state: TableState, missing: readonly RequestedIndex[]): Promise<void> {
    const { table } = shape;
    state.isLarge ||= await this.isLarge(table);
    if (!state.isLarge) return;
    const name = this.#context.sqlTable(table.name);
    const names = new Set(await this.#maker.indexesOf(name));
    state.names = names;
    for (const index of missing) {
      const made = { name: this.#nameOf(table, index), table: name };
      if (names.has(made.name)) continue;
      if (index.tenantId !== undefined) await this.#dropUnused(shape, names, index.tenantId);
      noteFull(state, index);
      if (isFullFor(state, index)) continue;
      const columns = await this.#columnsOf(table, index);
      if (columns !== undefined)
        await this.#maker.builds.track(made.name, name, (report) => this.#maker.make({ ...made, columns }, report));
      // What cannot be had is not asked for with each search.
      names.add(made.name);
    }
  }

  async #columnsOf(table: Table, index: RequestedIndex): Promise<string | undefined> {
    const { profile } = this.#context;
    const operators = index.isOfSubstrings && (await profile.substrings?.findOperators(this.#maker.reader));
    if (index.isOfSubstrings && operators === undefined) return undefined;
    return compile(profile.compiler, toIndexColumns(profile, table, { ...index, operators })).sql;
  }

  // What a tenant declares no more makes room, and where there is none left, so does what is of tenants that are gone.
  async #dropUnused({ ownMembers = [], table }: SearchShape, names: Set<string>, tenantId: string): Promise<void> {
    const owner = tenantIndexPrefix + ownerOf(this.#prefixedTable(table), tenantId);
    const declared = new Set(ownMembers.map((member) => this.#nameOf(table, toTenantIndex(tenantId, member))));
    const unused = [...names].filter((name) => name.startsWith(owner) && !declared.has(name));
    const others = isFullOfOwn(names) ? await this.#ofTenantsGone(names) : [];
    for (const name of [...unused, ...others]) {
      await this.#maker.drop({ name, table: this.#context.sqlTable(table.name) });
      this.#maker.builds.drop(name);
      names.delete(name);
    }
  }

  async #ofTenantsGone(names: ReadonlySet<string>): Promise<readonly string[]> {
    const gone: string[] = [];
    const tenants = ref(this.#context.sqlTable("tenants"));
    for (const name of names) {
      const id = ownerId(name);
      if (id === undefined) continue;
      const { sql: text, parameters } = compile(
        this.#context.profile.compiler,
        sql`select 1 as found from ${tenants} where id = ${id}`,
      );
      if ((await this.#maker.reader.first(text, parameters)) === undefined) gone.push(name);
    }
    return gone;
  }

  /** Whether a table is large. */
  async isLarge(table: Table): Promise<boolean> {
    const { indexFrom, reader } = this.#maker;
    const first = sql`select 1 from ${ref(this.#context.sqlTable(table.name))} limit ${raw(String(indexFrom))}`;
    const { sql: text, parameters } = compile(
      this.#context.profile.compiler,
      sql`select count(*) as n from (${first}) as counted`,
    );
    const row = await reader.first(text, parameters);
    return Number(row?.n) >= indexFrom;
  }
}

function isFullFor(state: TableState, { isOfSubstrings, tenantId }: RequestedIndex): boolean {
  if (isOfSubstrings) return false;
  return tenantId === undefined ? state.isFull : state.isFullOfOwn;
}

function noteFull(state: TableState, { tenantId }: RequestedIndex): void {
  if (tenantId === undefined) state.isFull = isFullOf(state.names, searchIndexPrefix, maxIndexes);
  else state.isFullOfOwn = isFullOfOwn(state.names);
}

function isFullOf(names: ReadonlySet<string>, prefix: string, most: number): boolean {
  return [...names].filter((name) => name.startsWith(prefix)).length >= most;
}

function isFullOfOwn(names: ReadonlySet<string>): boolean {
  return isFullOf(names, tenantIndexPrefix, maxTenantIndexes);
}
