import type { Criteria, Table, TenantScope } from "latchkey/storage";
import { ignore } from "../../internal/async.js";
import type { CompileContext } from "../compile-filter.js";
import { compile, raw, ref, sql } from "../fragment.js";
import type { SqlConnection } from "../sql-connection.js";
import {
  isIndexed,
  listRequested,
  nameOf,
  type RequestedIndex,
  requestedOrder,
  searchIndexPrefix,
  toIndexColumns,
} from "./requested-index.js";

/** What makes indexes beside the requests. */
export interface IndexBuilderOptions {
  readonly reader: SqlConnection;
  /** From how many records on a table is large, or `Infinity`. */
  readonly indexFrom: number;
  /** The names of the indexes that a table has. */
  readonly indexesOf: (table: string) => readonly string[] | Promise<readonly string[]>;
  /** Makes one by a statement, without holding up the event loop. */
  readonly make: (index: MissingIndex) => Promise<void>;
}

/** An index that is to be made. */
export interface MissingIndex {
  readonly name: string;
  readonly table: string;
  /** Its columns in parentheses, after what kind of index it is where that is not the usual one. */
  readonly columns: string;
}

/** Between two looks at whether a table has become large. */
const searchesBetweenLooks = 100;

/** Indexes of one table that searches asked for: each makes writes a little slower. */
const maxIndexes = 16;

interface TableState {
  searches: number;
  isLarge: boolean;
  isBusy: boolean;
  /** Whether there are as many as there may be. */
  isFull: boolean;
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
  note(scope: TenantScope, table: Table, { filter, sort }: Criteria): void {
    if (this.#maker.indexFrom === Number.POSITIVE_INFINITY) return;
    const state = this.#stateOf(table);
    if (state.isBusy || state.isFull || (!state.isLarge && state.searches++ % searchesBetweenLooks !== 0)) return;
    const missing = listRequested({ scope, table, sort, ...(filter && { filter }) }).filter(
      (index) => !this.#isThere(table, index),
    );
    if (missing.length === 0 && state.isLarge) return;
    state.isBusy = true;
    this.#make(table, state, missing)
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
  keyOfOrder(scope: TenantScope, table: Table, { filter, sort }: Criteria): ReadonlySet<string> | undefined {
    if (this.#context.profile.choosesBySize !== false) return undefined;
    const order = requestedOrder({ scope, table, sort, ...(filter && { filter }) });
    if (order === undefined || !this.#isThere(table, order)) return undefined;
    return new Set(order.columns.slice(0, order.keyLength).map(({ column }) => column));
  }

  #isThere(table: Table, index: RequestedIndex): boolean {
    return this.#stateOf(table).names.has(this.#nameOf(table, index)) || isIndexed(this.#context.profile, table, index);
  }

  #nameOf(table: Table, index: RequestedIndex): string {
    const parts = this.#context.sqlTable(table.name).split(".");
    return nameOf(table, parts.at(-1) ?? "", index);
  }

  #stateOf(table: Table): TableState {
    const known = this.#tables.get(table.name);
    if (known !== undefined) return known;
    const state: TableState = { searches: 0, isLarge: false, isBusy: false, isFull: false, names: new Set() };
    this.#tables.set(table.name, state);
    return state;
  }

  async #make(table: Table, state: TableState, missing: readonly RequestedIndex[]): Promise<void> {
    state.isLarge ||= await this.isLarge(table);
    if (!state.isLarge) return;
    const name = this.#context.sqlTable(table.name);
    const names = new Set(await this.#maker.indexesOf(name));
    state.names = names;
    const { profile } = this.#context;
    for (const index of missing) {
      const made = { name: this.#nameOf(table, index), table: name };
      if (names.has(made.name)) continue;
      state.isFull = [...names].filter((one) => one.startsWith(searchIndexPrefix)).length >= maxIndexes;
      if (state.isFull) return;
      const { sql: columns } = compile(profile.compiler, toIndexColumns(profile, table, index));
      await this.#maker.make({ ...made, columns: `(${columns})` });
      names.add(made.name);
    }
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
