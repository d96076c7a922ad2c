import type { Filter, IndexPlan, Table } from "latchkey/ports";
import type { CompileContext } from "../sql/compile-filter.js";
import type { Fragment } from "../sql/fragment.js";
import { toSqlName } from "../sql/table-sql.js";
import type { ObjectNames, PresentObjects } from "./present-objects.js";
import type { SearchShape } from "./requested-index.js";
import type { TableState } from "./table-state.js";

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
  /** The names of the index or the triggers that store a list. */
  readonly namesOf: (list: ListDefinition) => ObjectNames;
  readonly present: PresentObjects;
  /** Makes it, without holding up the event loop. */
  readonly store: (list: ListDefinition) => Promise<void>;
  /** The ids of the records with an item; absent where the database uses what is stored by itself. */
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

  /** The ids of the records with an item in their lists; undefined where they are not stored. */
  idsOf(table: Table, member: string, item: string): Fragment | undefined {
    const { idsOf, namesOf, present } = this.#options;
    if (idsOf === undefined) return undefined;
    const list = this.#listOf(table, member);
    return present.has(namesOf(list), list.table) ? idsOf(list, item) : undefined;
  }

  /** The lists of large tables that a filter asks for and that are not stored. */
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
