import type { Criteria, IndexPlan, IndexPlanOptions, Table, TenantScope } from "latchkey/ports";
import type { CompileContext } from "../sql/compile-filter.js";
import { compile, raw, ref, sql } from "../sql/fragment.js";
import type { IndexBuilds, ReportRows } from "./index-builds.js";
import type { PresentObjects } from "./present-objects.js";
import {
  isIndexed,
  listRequested,
  nameOf,
  type RequestedIndex,
  requestedOrder,
  requestedSubstrings,
  type SearchShape,
  toIndexColumns,
  toTenantIndex,
} from "./requested-index.js";
import { type TableObjects, TableState, type TableStateOptions } from "./table-state.js";

/** Options for building indexes on demand. */
export interface IndexBuilderOptions extends TableStateOptions {
  readonly present: PresentObjects;
  /** Creates an index by a statement, without blocking the event loop. */
  readonly make: (index: MissingIndex, report: ReportRows) => Promise<void>;
  /** Drops an index, without blocking the event loop. */
  readonly drop: (index: Pick<MissingIndex, "name" | "table">) => Promise<void>;
  readonly builds: IndexBuilds;
}

/** An index to create. */
export interface MissingIndex {
  readonly name: string;
  readonly table: string;
  /** Its columns in parentheses, after the index type if not the default, and before the condition of a partial index. */
  readonly columns: string;
}

/** The search indexes of large tables: in the order of a page, and for prefixes of texts. Without one, the database sorts. */
export class IndexBuilder {
  readonly #context: CompileContext;
  readonly #maker: IndexBuilderOptions;

  constructor(context: CompileContext, maker: IndexBuilderOptions) {
    this.#context = context;
    this.#maker = maker;
  }

  /** Starts a plan with the current state of the tables. */
  readFacts(options: IndexPlanOptions): TableState {
    return new TableState(this.#context, { ...this.#maker, ...options });
  }

  /** Makes all indexes and triggers be checked again. */
  forgetObjects(): void {
    this.#maker.present.forget();
  }

  /** The first columns of the index in the order of a page, if one exists. */
  keyOfOrder(scope: TenantScope, table: Table, criteria: Criteria): ReadonlySet<string> | undefined {
    if (this.#context.profile.choosesBySize !== false) return undefined;
    const order = requestedOrder({ ...criteria, scope, table });
    if (order === undefined) return undefined;
    if (!isIndexed(this.#context.profile, table, order) && !this.#has(table, order)) return undefined;
    return new Set(order.columns.slice(0, order.keyLength).map(({ column }) => column));
  }

  /** Whether a tenant has an index of its records for a declared member of their JSON. */
  hasTenantIndex(table: Table, tenantId: string, member: string): boolean {
    return member.includes(".") && this.#has(table, toTenantIndex(tenantId, member));
  }

  /** The missing indexes of a search in a large table, and the unused ones of its tenant. */
  async plan(shape: SearchShape, facts: TableState): Promise<readonly IndexPlan[]> {
    const { table } = shape;
    if (!(await facts.isLarge(table))) return [];
    const sqlTable = this.#context.sqlTable(table.name);
    const objects = await facts.objectsOf(sqlTable);
    const planned: IndexPlan[] = [];
    for (const index of this.#listRequested(shape)) {
      const name = this.#nameOf(table, index);
      if (objects.names.has(name) || isIndexed(this.#context.profile, table, index)) continue;
      // Each write tests the conditions of all partial indexes, and reading a small tenant takes no longer than a small table.
      if (index.tenantId !== undefined && !(await facts.isLargeTenant(table, index.tenantId))) continue;
      const columns = await this.#columnsOf(table, index);
      planned.push(columns === undefined ? this.#toNeed(name, sqlTable) : this.#toCreate({ name, table: sqlTable, columns }));
    }
    return [...planned, ...this.#listUndeclared(shape, objects).map((name) => this.#toDrop(name, sqlTable))];
  }

  /** The indexes of removed tenants, in the tables of a plan. */
  async planDrops(facts: TableState): Promise<readonly IndexPlan[]> {
    const known = await facts.listKnown();
    const gone = await this.#findGone([...new Set(known.flatMap(([, { byTenant }]) => [...byTenant.keys()]))]);
    return known.flatMap(([table, { byTenant }]) =>
      gone.flatMap((id) => (byTenant.get(id) ?? []).map((name) => this.#toDrop(name, table))),
    );
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

  // Hosts build all planned indexes: an unavailable one must not prevent the others.
  #toNeed(name: string, table: string): IndexPlan {
    const { needs = "" } = this.#context.profile.substrings ?? {};
    return { name, table, change: "create", needs, build: async () => undefined };
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
    return this.#maker.present.has([this.#nameOf(table, index)], this.#context.sqlTable(table.name));
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

  #listUndeclared({ ownMembers, scope, table }: SearchShape, { byTenant }: TableObjects): readonly string[] {
    if (scope.kind === "global" || ownMembers === undefined) return [];
    const { tenantId } = scope;
    const declared = new Set(ownMembers.map((member) => this.#nameOf(table, toTenantIndex(tenantId, member))));
    return (byTenant.get(tenantId) ?? []).filter((name) => !declared.has(name));
  }

  async #findGone(tenantIds: readonly string[]): Promise<readonly string[]> {
    const { compiler, listTest } = this.#context.profile;
    const gone: string[] = [];
    for (let start = 0; start < tenantIds.length; start += idsInOneQuery) {
      const ids = tenantIds.slice(start, start + idsInOneQuery);
      const isAsked = sql`id ${raw(listTest.before)}${listTest.toParameter(ids)}${raw(listTest.after)}`;
      const query = compile(compiler, sql`select id from ${ref(this.#context.sqlTable("tenants"))} where ${isAsked}`);
      const there = new Set(await this.#maker.reader.column(query.sql, query.parameters));
      for (const id of ids) if (!there.has(id)) gone.push(id);
    }
    return gone;
  }
}

const idsInOneQuery = 1_000;
