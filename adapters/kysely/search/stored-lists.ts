import type { Filter, Table } from "latchkey/ports";
import { ignore } from "../../internal/async.js";
import type { CompileContext } from "../sql/compile-filter.js";
import type { Fragment } from "../sql/fragment.js";
import { toSqlName } from "../sql/table-sql.js";

/** The lists in a member of the JSON of a table's records. */
export interface ListDefinition {
  /** What names it among the indexes and triggers of the database. */
  readonly name: string;
  /** The table in SQL, with its schema. */
  readonly table: string;
  readonly member: string;
}

/** What finds the records whose lists have an item, in a database. */
export interface ListOptions {
  readonly isLarge: (table: Table) => Promise<boolean>;
  readonly isStored: (list: ListDefinition) => boolean | Promise<boolean>;
  /** Makes it, without holding up the event loop. */
  readonly store: (list: ListDefinition) => Promise<void>;
  /** The ids of the records with an item; absent where the database uses what is stored by itself. */
  readonly idsOf?: (list: ListDefinition, item: string) => Fragment;
  /** How long connections may still see the state from before it was made, in milliseconds. */
  readonly staleMilliseconds: number;
}

/** Between two looks at a table that was small. */
const searchesBetweenLooks = 100;

/** Indexes of the items of lists, made for a large table when a search first asks for an item. */
export class StoredLists {
  readonly #context: CompileContext;
  readonly #options: ListOptions;
  /** From which instant on each may be used. */
  readonly #usableFrom = new Map<string, number>();
  readonly #busy = new Set<string>();
  readonly #searches = new Map<string, number>();

  constructor(context: CompileContext, options: ListOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** Called with the filter of each search. */
  note(table: Table, filter: Filter | undefined): void {
    if (filter === undefined) return;
    if (filter.op === "includes") this.#noteList(table, this.#listOf(table, filter.member));
    if (filter.op === "and" || filter.op === "or") for (const part of filter.filters) this.note(table, part);
    if (filter.op === "not") this.note(table, filter.filter);
    const other = filter.op === "exists" ? this.#context.tables.get(filter.table) : undefined;
    if (filter.op === "exists" && other !== undefined) this.note(other, filter.filter);
  }

  /** The ids of the records with an item in their lists; undefined where they are not stored. */
  idsOf(table: Table, member: string, item: string): Fragment | undefined {
    const list = this.#listOf(table, member);
    const usableFrom = this.#usableFrom.get(list.name);
    return usableFrom === undefined || performance.now() < usableFrom ? undefined : this.#options.idsOf?.(list, item);
  }

  #noteList(table: Table, list: ListDefinition): void {
    const { name } = list;
    const searches = this.#searches.get(name) ?? 0;
    this.#searches.set(name, searches + 1);
    if (this.#usableFrom.has(name) || this.#busy.has(name) || searches % searchesBetweenLooks !== 0) return;
    this.#busy.add(name);
    // What fails is tried again after a while.
    this.#make(table, list)
      .catch(ignore)
      .finally(() => this.#busy.delete(name));
  }

  async #make(table: Table, list: ListDefinition): Promise<void> {
    const { isLarge, isStored, staleMilliseconds, store } = this.#options;
    if (!(await isStored(list))) {
      if (!(await isLarge(table))) return;
      await store(list);
    }
    this.#usableFrom.set(list.name, performance.now() + staleMilliseconds);
  }

  #listOf(table: Table, member: string): ListDefinition {
    const name = this.#context.sqlTable(table.name);
    return { name: `${name.split(".").at(-1)}_${toSqlName(member).replaceAll(".", "_")}`, table: name, member };
  }
}
