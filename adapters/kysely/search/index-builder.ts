import type { Criteria, IndexPlan, Table, TenantScope } from "latchkey/ports";
import type { CompileContext } from "../sql/compile-filter.js";
import { compile, raw, ref, sql } from "../sql/fragment.js";
import type { SqlConnection } from "../sql/sql-connection.js";
import type { IndexBuilds, ReportRows } from "./index-builds.js";
import type { PresentObjects } from "./present-objects.js";
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
  tenantIndexPrefix,
  toIndexColumns,
  toTenantIndex,
} from "./requested-index.js";

/** What makes indexes, when somebody asks for that. */
export interface IndexBuilderOptions {
  readonly reader: SqlConnection;
  /** From how many records on a table is large, or `Infinity`. */
  readonly indexFrom: number;
  readonly present: PresentObjects;
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

/** The indexes of large tables for searches: those in the order of a page, and of texts that begin alike. Without one, the database sorts. */
export class IndexBuilder {
  readonly #context: CompileContext;
  readonly #maker: IndexBuilderOptions;

  constructor(context: CompileContext, maker: IndexBuilderOptions) {
    this.#context = context;
    this.#maker = maker;
  }

  /** The columns at the beginning of the index in the order of a page, where there is one. */
  keyOfOrder(scope: TenantScope, table: Table, criteria: Criteria): ReadonlySet<string> | undefined {
    if (this.#context.profile.choosesBySize !== false) return undefined;
    const order = requestedOrder({ ...criteria, scope, table });
    if (order === undefined) return undefined;
    if (!isIndexed(this.#context.profile, table, order) && !this.#has(table, order)) return undefined;
    return new Set(order.columns.slice(0, order.keyLength).map(({ column }) => column));
  }

  /** Whether a tenant has an index of its own records for a member of their JSON that it declares. */
  hasTenantIndex(table: Table, tenantId: string, member: string): boolean {
    return member.includes(".") && this.#has(table, toTenantIndex(tenantId, member));
  }

  /** The indexes that a search of a large table lacks, and those of its tenant that are of no more use. */
  async plan(shape: SearchShape): Promise<readonly IndexPlan[]> {
    const { table } = shape;
    if (!(await this.isLarge(table))) return [];
    const names = new Set(await this.#maker.indexesOf(this.#context.sqlTable(table.name)));
    const planned: IndexPlan[] = [];
    for (const index of this.#listRequested(shape)) {
      const name = this.#nameOf(table, index);
      if (names.has(name) || isIndexed(this.#context.profile, table, index)) continue;
      const columns = await this.#columnsOf(table, index);
      if (columns !== undefined) planned.push(this.#toCreate({ name, table: this.#context.sqlTable(table.name), columns }));
    }
    return [...planned, ...(await this.#listUnused(shape, names))];
  }

  /** Whether a table is large. */
  async isLarge(table: Table): Promise<boolean> {
    const { indexFrom, reader } = this.#maker;
    if (indexFrom === Number.POSITIVE_INFINITY) return false;
    const first = sql`select 1 from ${ref(this.#context.sqlTable(table.name))} limit ${raw(String(indexFrom))}`;
    const { sql: text, parameters } = compile(
      this.#context.profile.compiler,
      sql`select count(*) as n from (${first}) as counted`,
    );
    const row = await reader.first(text, parameters);
    return Number(row?.n) >= indexFrom;
  }

  #toCreate(index: MissingIndex): IndexPlan {
    const { builds, make, present } = this.#maker;
    const { name, table } = index;
    const build = async (): Promise<void> => {
      await builds.track(name, table, (report) => make(index, report));
      present.forget(name);
    };
    return { name, table, change: "create", build };
  }

  #toDrop(name: string, table: string): IndexPlan {
    const { builds, drop, present } = this.#maker;
    const build = async (): Promise<void> => {
      await drop({ name, table });
      builds.drop(name);
      present.forget(name);
    };
    return { name, table, change: "drop", build };
  }

  #listRequested(shape: SearchShape): readonly RequestedIndex[] {
    const { profile } = this.#context;
    const substrings = profile.substrings && requestedSubstrings(profile, shape);
    return substrings === undefined ? listRequested(shape) : [...listRequested(shape), substrings];
  }

  #has(table: Table, index: RequestedIndex): boolean {
    return this.#maker.present.has(this.#nameOf(table, index), this.#context.sqlTable(table.name));
  }

  #nameOf(table: Table, index: RequestedIndex): string {
    return nameOf(table, this.#prefixedTable(table), index);
  }

  #prefixedTable(table: Table): string {
    return this.#context.sqlTable(table.name).split(".").at(-1) ?? "";
  }

  async #columnsOf(table: Table, index: RequestedIndex): Promise<string | undefined> {
    const { profile } = this.#context;
    const operators = index.isOfSubstrings && (await profile.substrings?.findOperators(this.#maker.reader));
    if (index.isOfSubstrings && operators === undefined) return undefined;
    return compile(profile.compiler, toIndexColumns(profile, table, { ...index, operators })).sql;
  }

  // Indexes of members that the tenant no longer declares, and of removed tenants.
  async #listUnused({ ownMembers, scope, table }: SearchShape, names: ReadonlySet<string>): Promise<readonly IndexPlan[]> {
    const own = scope.kind === "tenant" && ownMembers !== undefined ? scope.tenantId : undefined;
    const isOwn = (name: string): boolean =>
      own !== undefined && name.startsWith(tenantIndexPrefix + ownerOf(this.#prefixedTable(table), own));
    const declared = new Set(ownMembers?.map((member) => this.#nameOf(table, toTenantIndex(own ?? "", member))));
    const unused: string[] = [];
    for (const name of names) if (isOwn(name) ? !declared.has(name) : await this.#isOfTenantGone(name)) unused.push(name);
    return unused.map((name) => this.#toDrop(name, this.#context.sqlTable(table.name)));
  }

  async #isOfTenantGone(name: string): Promise<boolean> {
    const id = ownerId(name);
    if (id === undefined) return false;
    const tenants = ref(this.#context.sqlTable("tenants"));
    const query = compile(this.#context.profile.compiler, sql`select 1 as found from ${tenants} where id = ${id}`);
    return (await this.#maker.reader.first(query.sql, query.parameters)) === undefined;
  }
}
