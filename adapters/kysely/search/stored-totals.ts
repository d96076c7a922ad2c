import type { Filter, IndexPlan, Table, TenantScope } from "latchkey/ports";
import { ignore } from "../../internal/async.js";
import { type CompileContext, partsOf } from "../sql/compile-filter.js";
import { compile, type Fragment, type Query, ref, sql } from "../sql/fragment.js";
import type { SqlConnection } from "../sql/sql-connection.js";
import { toSqlName } from "../sql/table-sql.js";
import type { ObjectNames, PresentObjects } from "./present-objects.js";
import type { SearchShape } from "./requested-index.js";
import type { TableState } from "./table-state.js";

/** A count of a table's records: all of them, or those with each value of a column; in total and by tenant. */
export interface TotalDefinition {
  /** Its name in the table of counts. */
  readonly name: string;
  /** The table in SQL, with its schema. */
  readonly table: string;
  /** The column in SQL; absent to count all records. */
  readonly column?: string;
}

/** The counts that triggers maintain in a database. */
export interface TotalOptions {
  /**
   * The table of counts, with its schema: the name of the count (`of_name`), the value, the tenant, and a number to add (`n`).
   */
  readonly table: string;
  /** The names of the triggers that maintain a count. */
  readonly namesOf: (counted: TotalDefinition) => ObjectNames;
  /**
   * The name of the trigger that empties a count with its table, where statements can skip the other triggers: then plans compare
   * the count with the records. A count is read without this trigger too. Default: no statement can skip a trigger.
   */
  readonly guardOf?: (counted: TotalDefinition) => string;
  /** SQL for the number of these triggers that the table has. */
  readonly countTriggers: (names: readonly string[], table: string) => Fragment;
  readonly present: PresentObjects;
  /** Counts again, and creates missing triggers, in one transaction and without blocking the event loop. */
  readonly keep: (counted: TotalDefinition) => Promise<void>;
  /** Adds up the rows of a count, if each change appends one. */
  readonly fold?: (name: string) => Promise<void>;
}

/** The number of rows from which a count is added up. */
const maxParts = 500;

interface Counted {
  /** The table of the counted records. */
  readonly counts: Table;
  readonly records: TotalDefinition;
  readonly value: string;
  readonly tenantId: string | undefined;
  /** Finds a counted record without a record in the searched table; absent when a foreign key prevents that. */
  readonly stray?: { readonly name: string; readonly first: Fragment } | undefined;
}

/**
 * Totals of large tables, maintained by triggers: of all records, of a tenant's, and of those that reference one other record.
 * Small tables are counted, without cost for their writes.
 */
export class StoredTotals {
  readonly #context: CompileContext;
  readonly #storage: TotalOptions;
  /** The counts being added up. */
  readonly #busy = new Set<string>();
  /** Whether each counted record has one in the searched table. Looked up once: a process has its users in one place. */
  readonly #standsForOne = new Map<string, boolean>();

  constructor(context: CompileContext, storage: TotalOptions) {
    this.#context = context;
    this.#storage = storage;
  }

  /** The number of matching records; undefined when no trigger maintains it. */
  async read(connection: SqlConnection, { filter, scope, table }: SearchShape): Promise<number | undefined> {
    const counted = this.#countedBy(scope, table, filter);
    if (counted === undefined) return undefined;
    const { records, stray, tenantId, value } = counted;
    const { countTriggers, namesOf, present } = this.#storage;
    const names = namesOf(records);
    if (!present.has(names, records.table)) return undefined;
    if (stray !== undefined && !(await this.#hasNone(connection, stray))) return undefined;
    const isInTenant = tenantId === undefined ? sql`` : sql` and tenant_id = ${tenantId}`;
    const where = sql`of_name = ${records.name} and value = ${value}${isInTenant}`;
    // In the statement that reads the total: once a trigger is dropped, the total is outdated by the next write.
    const triggers = sql`(${countTriggers(names, records.table)}) as triggers`;
    const sums = sql`coalesce(sum(n), 0) as total, count(*) as parts, ${triggers}`;
    const query = sql`select ${sums} from ${ref(this.#storage.table)} where ${where}`;
    const { parameters, sql: text } = compile(this.#context.profile.compiler, query);
    const row = await connection.first(text, parameters);
    if (Number(row?.triggers) !== names.length) {
      present.forget(names[0]);
      return undefined;
    }
    const parts = Number(row?.parts ?? 0);
    if (parts > maxParts) this.#fold(records.name);
    // No rows for the tenant or value: it is counted instead.
    return parts === 0 ? undefined : Number(row?.total);
  }

  /** The count for a search of a large table, if triggers could maintain it and do not yet. */
  async plan({ filter, scope, table }: SearchShape, facts: TableState): Promise<readonly IndexPlan[]> {
    const { guardOf, keep, namesOf, present } = this.#storage;
    const counted = this.#countedBy(scope, table, filter);
    if (counted === undefined) return [];
    const { counts, records } = counted;
    if (!(await facts.isLarge(counts))) return [];
    const [name, ...others] = namesOf(records);
    const guards = guardOf === undefined ? [] : [guardOf(records)];
    const isComplete = await facts.hasAll(records.table, [name, ...others, ...guards]);
    const isSure = guardOf === undefined || !isComplete;
    const isWrong = !isSure && (await facts.isDifferent(name, () => this.#findDifference(records)));
    if (isComplete && !isWrong) return [];
    const build = async (): Promise<void> => {
      await keep(records);
      present.forget(name);
    };
    return [{ name, table: records.table, change: isComplete ? "repair" : "create", build }];
  }

  // One statement sees the records and the total of one moment.
  #findDifference({ column, name, table }: TotalDefinition): Query {
    const value = column === undefined ? sql`''` : sql`coalesce(cast(${ref(column)} as text), '')`;
    const grouped = sql`select ${value} as value, coalesce(tenant_id, '') as tenant_id, count(*) as n from ${ref(table)} group by 1, 2`;
    const where = sql`where of_name = ${name} group by 1, 2`;
    const kept = sql`select value, tenant_id, sum(n) as n from ${ref(this.#storage.table)} ${where}`;
    const both = sql`(${grouped}) as c full join (${kept}) as k on k.value = c.value and k.tenant_id = c.tenant_id`;
    const difference = sql`select 1 as differs from ${both} where coalesce(k.n, 0) <> coalesce(c.n, 0) limit 1`;
    return compile(this.#context.profile.compiler, difference);
  }

  async #hasNone(connection: SqlConnection, { first, name }: NonNullable<Counted["stray"]>): Promise<boolean> {
    const known = this.#standsForOne.get(name);
    if (known !== undefined) return known;
    const { parameters, sql: text } = compile(this.#context.profile.compiler, first);
    const isEach = (await connection.first(text, parameters)) === undefined;
    this.#standsForOne.set(name, isEach);
    return isEach;
  }

  #fold(name: string): void {
    const { fold } = this.#storage;
    if (fold === undefined || this.#busy.has(name)) return;
    this.#busy.add(name);
    fold(name)
      .catch(ignore)
      .finally(() => this.#busy.delete(name));
  }

  #countedBy(scope: TenantScope, table: Table, filter: Filter | undefined): Counted | undefined {
    const parts = partsOf(filter);
    const ofTenant = parts.find((part) => part.op === "equals" && part.column === "tenantId");
    const given = scope.kind === "tenant" ? scope.tenantId : ofTenant?.op === "equals" ? ofTenant.value : undefined;
    const [test, another] = parts.filter((part) => part !== ofTenant);
    const isTwice = scope.kind === "tenant" && ofTenant !== undefined;
    if (isTwice || another !== undefined || (given !== undefined && typeof given !== "string")) return undefined;
    const tenantId = given;
    if (test === undefined) return { counts: table, records: this.#recordsOf(table), value: "", tenantId };
    const inner = test.op === "exists" && test.isEach ? test.filter : test;
    const counted = test.op === "exists" ? this.#context.tables.get(test.table) : table;
    if (counted === undefined || inner?.op !== "equals" || inner.value === null || !isCounted(counted, inner.column))
      return undefined;
    const value = String(this.#context.profile.toParameter(inner.value));
    const records = this.#recordsOf(counted, inner.column);
    const stray = test.op === "exists" ? this.#strayOf(counted, table, test) : undefined;
    return { counts: counted, records, value, tenantId, stray };
  }

  #strayOf(counted: Table, table: Table, { foreignColumn, localColumn }: Filter & { op: "exists" }): Counted["stray"] {
    if (counted.columns[foreignColumn]?.references?.isEnforced !== false) return undefined;
    const name = this.#context.sqlTable(counted.name);
    const other = ref(this.#context.sqlTable(table.name));
    const isOf = sql`${ref(`o.${toSqlName(localColumn)}`)} = ${ref(`c.${toSqlName(foreignColumn)}`)}`;
    const first = sql`select 1 as found from ${ref(name)} as c where not exists (select 1 from ${other} as o where ${isOf}) limit 1`;
    return { name: `${name} ${foreignColumn}`, first };
  }

  #recordsOf(table: Table, column?: string): TotalDefinition {
    const name = this.#context.sqlTable(table.name);
    if (column === undefined) return { name: name.split(".").at(-1) ?? "", table: name };
    return { name: `${name.split(".").at(-1)}_${toSqlName(column)}`, table: name, column: toSqlName(column) };
  }
}

// Columns with few values, each of which many records may have.
function isCounted(table: Table, column: string): boolean {
  const known = table.columns[column];
  return known !== undefined && (known.references !== undefined || known.type === "boolean");
}
