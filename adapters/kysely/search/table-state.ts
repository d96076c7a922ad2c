import type { IndexPlanOptions, Table } from "latchkey/ports";
import type { CompileContext } from "../sql/compile-filter.js";
import { compile, type Query, raw, ref, sql } from "../sql/fragment.js";
import type { SqlConnection } from "../sql/sql-connection.js";
import { ownerId } from "./requested-index.js";

/** Access to a database's tables for a plan. */
export interface TableStateOptions extends IndexPlanOptions {
  readonly reader: SqlConnection;
  /** The number of records from which a table is large, or `Infinity`. */
  readonly indexFrom: number;
  /** The names of a table's usable indexes and triggers. */
  readonly objectsOf: (table: string) => readonly string[] | Promise<readonly string[]>;
  /**
   * Runs a statement that reads a whole table, without blocking the event loop, and returns its first column. Default: `reader`
   * does.
   */
  readonly readAll?: ((query: Query) => Promise<readonly unknown[]>) | undefined;
}

/** The indexes and triggers of a table. */
export interface TableObjects {
  readonly names: ReadonlySet<string>;
  /** Those of one tenant's records, by tenant id. */
  readonly byTenant: ReadonlyMap<string, readonly string[]>;
}

/** The state of the tables for one plan: one query for each table, for any number of searches. */
export class TableState {
  readonly #context: CompileContext;
  readonly #options: TableStateOptions;
  readonly #areLarge = new Map<string, Promise<boolean>>();
  readonly #largeTenants = new Map<string, Promise<ReadonlySet<unknown>>>();
  readonly #differences = new Map<string, Promise<boolean>>();
  readonly #objects = new Map<string, Promise<TableObjects>>();

  constructor(context: CompileContext, options: TableStateOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** Whether a query for a difference between a total and its records finds one. False for plans that do not check totals. */
  async isDifferent(total: string, toQuery: () => Query): Promise<boolean> {
    if (this.#options.checksTotals !== true) return false;
    return remember(this.#differences, total, async () => (await this.#readAll(toQuery())).length > 0);
  }

  isLarge({ name }: Pick<Table, "name">): Promise<boolean> {
    return remember(this.#areLarge, this.#context.sqlTable(name), (table) => this.#askIfLarge(table));
  }

  /** Whether a table has enough records of one tenant for a large table. */
  async isLargeTenant({ name }: Pick<Table, "name">, tenantId: string): Promise<boolean> {
    const large = remember(this.#largeTenants, this.#context.sqlTable(name), (table) => this.#findLargeTenants(table));
    return (await large).has(tenantId);
  }

  objectsOf(table: string): Promise<TableObjects> {
    return remember(this.#objects, table, (asked) => this.#readObjects(asked));
  }

  /** Whether a table in SQL has all of these objects. */
  async hasAll(table: string, wanted: readonly string[]): Promise<boolean> {
    const { names } = await this.objectsOf(table);
    return wanted.every((name) => names.has(name));
  }

  /** The objects of all tables read so far, by the name of the table in SQL. */
  async listKnown(): Promise<readonly (readonly [table: string, objects: TableObjects])[]> {
    return Promise.all([...this.#objects].map(async ([table, objects]) => [table, await objects] as const));
  }

  async #askIfLarge(table: string): Promise<boolean> {
    const { indexFrom, reader } = this.#options;
    if (indexFrom === Number.POSITIVE_INFINITY) return false;
    const first = sql`select 1 from ${ref(table)} limit ${raw(String(indexFrom))}`;
    const { profile } = this.#context;
    const { parameters, sql: text } = compile(profile.compiler, sql`select count(*) as n from (${first}) as counted`);
    return Number((await reader.first(text, parameters))?.n) >= indexFrom;
  }

  async #findLargeTenants(table: string): Promise<ReadonlySet<unknown>> {
    const isLarge = sql`having count(*) >= ${raw(String(this.#options.indexFrom))}`;
    const text = sql`select tenant_id from ${ref(table)} group by tenant_id ${isLarge}`;
    return new Set(await this.#readAll(compile(this.#context.profile.compiler, text)));
  }

  async #readAll(query: Query): Promise<readonly unknown[]> {
    const { readAll, reader } = this.#options;
    return readAll?.(query) ?? reader.column(query.sql, query.parameters);
  }

  async #readObjects(table: string): Promise<TableObjects> {
    const names = await this.#options.objectsOf(table);
    const ofTenants = names.filter((name) => ownerId(name) !== undefined);
    return { names: new Set(names), byTenant: Map.groupBy(ofTenants, (name) => ownerId(name) ?? "") };
  }
}

function remember<T>(known: Map<string, Promise<T>>, name: string, ask: (name: string) => Promise<T>): Promise<T> {
  const answer = known.get(name) ?? ask(name);
  known.set(name, answer);
  return answer;
}
