import type { Filter, IndexPlan, Table } from "latchkey/ports";
import type { CompileContext } from "../sql/compile-filter.js";
import type { Fragment } from "../sql/fragment.js";
import { toSqlName } from "../sql/table-sql.js";
import type { ObjectNames, PresentObjects } from "./present-objects.js";
import type { SearchShape } from "./requested-index.js";
import type { TableState } from "./table-state.js";

/** A list in the JSON of a table's records. */
export interface ListDefinition {
  /** The part of its index and trigger names. */
  readonly name: string;
  /** The table in SQL, with its schema. */
  readonly table: string;
  readonly member: string;
}

/** The list indexes of a database. */
export interface ListOptions {
  /** The names of the index or the triggers that store a list. */
  readonly namesOf: (list: ListDefinition) => ObjectNames;
  readonly present: PresentObjects;
  /** Creates it, without blocking the event loop. */
  readonly store: (list: ListDefinition) => Promise<void>;
  /** The ids of the records with an item; absent when the database uses its index by itself. */
  readonly idsOf?: (list: ListDefinition, item: string) => Fragment;
}

/** Indexes of the items of lists. */
export class StoredLists {
  readonly #context: CompileContext;
  readonly #options: ListOptions;

  constructor(context: CompileContext, options: ListOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** The ids of the records with an item in their lists; undefined when the list is not stored. */
  idsOf(table: Table, member: string, item: string): Fragment | undefined {
    const { idsOf, namesOf, present } = this.#options;
    if (idsOf === undefined) return undefined;
    const list = this.#listOf(table, member);
    return present.has(namesOf(list), list.table) ? idsOf(list, item) : undefined;
  }

  /** The missing indexes for the lists of a filter, in large tables. */
  async plan({ filter, table }: SearchShape, facts: TableState): Promise<readonly IndexPlan[]> {
    const { namesOf, present, store } = this.#options;
    const planned: IndexPlan[] = [];
    for (const { asked, list } of this.#listAsked(table, filter)) {
      if (!(await facts.isLarge(asked)) || (await facts.hasAll(list.table, namesOf(list)))) continue;
      const [name] = namesOf(list);
      const build = async (): Promise<void> => {
        await store(list);
        present.forget(name);
      };
      planned.push({ name, table: list.table, change: "create", build });
    }
    return planned;
  }

  #listAsked(table: Table, filter: Filter | undefined): readonly { readonly asked: Table; readonly list: ListDefinition }[] {
    switch (filter?.op) {
      case "includes":
        return [{ asked: table, list: this.#listOf(table, filter.member) }];
      case "and":
      case "or":
        return filter.filters.flatMap((part) => this.#listAsked(table, part));
      case "not":
        return this.#listAsked(table, filter.filter);
      case "exists": {
        const other = this.#context.tables.get(filter.table);
        return other === undefined ? [] : this.#listAsked(other, filter.filter);
      }
      default:
        return [];
    }
  }

  #listOf(table: Table, member: string): ListDefinition {
    const name = this.#context.sqlTable(table.name);
    return { name: `${name.split(".").at(-1)}_${toSqlName(member).replaceAll(".", "_")}`, table: name, member };
  }
}
