import type { Filter, Table, TenantScope } from "latchkey/storage";
import { ignore } from "../../internal/async.js";
import { type CompileContext, partsOf } from "../compile-filter.js";
import { compile, ref, sql } from "../fragment.js";
import type { SqlConnection, SqlRow } from "../sql-connection.js";
import { toSqlName } from "../table-sql.js";

/** Records of a table that are counted: all of them, or those with each value of a column, and in each tenant. */
export interface TotalDefinition {
  /** What names it in the table of counts. */
  readonly name: string;
  /** The table in SQL, with its schema. */
  readonly table: string;
  /** The column in SQL; absent where all records are counted. */
  readonly column?: string;
}

/** What has triggers keep counts in a database. */
export interface TotalOptions {
  /** The table of counts, with its schema: what is counted (`of_name`), the value, the tenant, and a number to add (`n`). */
  readonly table: string;
  /** From how many records on a count is stored, or `Infinity`. */
  readonly countFrom: number;
  readonly isKept: (counted: TotalDefinition) => boolean | Promise<boolean>;
  /** Counts, and makes the triggers that keep the count from then on, in one transaction and without holding up the event loop. */
  readonly keep: (counted: TotalDefinition) => Promise<void>;
  /** Adds up the numbers of a count, where each change appends one. */
  readonly fold?: (name: string) => Promise<void>;
}

/** From how many numbers on a count is added up. */
const maxParts = 500;

interface Counted {
  readonly records: TotalDefinition;
  readonly value: string;
  readonly tenantId: string | undefined;
}

/**
 * Totals that triggers keep. A count is stored from the first time on that it is large: below, counting is fast, and writes pay nothing. What is
 * kept is what is asked for most: all records, those of a tenant, and those that belong to one other.
 */
export class StoredTotals {
  readonly #context: CompileContext;
  readonly #storage: TotalOptions;
  readonly #kept = new Set<string>();
  readonly #busy = new Set<string>();

  constructor(context: CompileContext, storage: TotalOptions) {
    this.#context = context;
    this.#storage = storage;
  }

  /** How many records pass; undefined while that is not kept. */
  async read(
    connection: SqlConnection,
    scope: TenantScope,
    table: Table,
    filter: Filter | undefined,
  ): Promise<number | undefined> {
    const counted = this.#countedBy(scope, table, filter);
    if (counted === undefined || !this.#kept.has(counted.records.name)) return undefined;
    const { records, tenantId, value } = counted;
    const isInTenant = tenantId === undefined ? sql`` : sql` and tenant_id = ${tenantId}`;
    const where = sql`of_name = ${records.name} and value = ${value}${isInTenant}`;
    const query = sql`select coalesce(sum(n), 0) as total, count(*) as parts from ${ref(this.#storage.table)} where ${where}`;
    const { parameters, sql: text } = compile(this.#context.profile.compiler, query);
    const row = await readOrMiss(connection, text, parameters);
    const parts = Number(row?.parts ?? 0);
    if (parts > maxParts) this.#fold(records.name);
    // A connection that still sees the state from before it was counted has no numbers.
    return parts === 0 ? undefined : Number(row?.total);
  }

  /** Called with each total that was counted: has it kept where it is large. */
  note(scope: TenantScope, table: Table, filter: Filter | undefined, total: number): void {
    if (total < this.#storage.countFrom) return;
    const records = this.#countedBy(scope, table, filter)?.records;
    if (records === undefined || this.#kept.has(records.name) || this.#busy.has(records.name)) return;
    this.#busy.add(records.name);
    // What fails is tried again with the next total.
    this.#keep(records)
      .catch(ignore)
      .finally(() => this.#busy.delete(records.name));
  }

  #fold(name: string): void {
    const { fold } = this.#storage;
    if (fold === undefined || this.#busy.has(name)) return;
    this.#busy.add(name);
    fold(name)
      .catch(ignore)
      .finally(() => this.#busy.delete(name));
  }

  async #keep(records: TotalDefinition): Promise<void> {
    if (!(await this.#storage.isKept(records))) await this.#storage.keep(records);
    this.#kept.add(records.name);
  }

  #countedBy(scope: TenantScope, table: Table, filter: Filter | undefined): Counted | undefined {
    const parts = partsOf(filter);
    const ofTenant = parts.find((part) => part.op === "equals" && part.column === "tenantId");
    const given = scope.kind === "tenant" ? scope.tenantId : ofTenant?.op === "equals" ? ofTenant.value : undefined;
    const [test, another] = parts.filter((part) => part !== ofTenant);
    const isTwice = scope.kind === "tenant" && ofTenant !== undefined;
    if (isTwice || another !== undefined || (given !== undefined && typeof given !== "string")) return undefined;
    const tenantId = given;
    if (test === undefined) return { records: this.#recordsOf(table), value: "", tenantId };
    const inner = test.op === "exists" && test.isEach ? test.filter : test;
    const counted = test.op === "exists" ? this.#context.tables.get(test.table) : table;
    if (counted === undefined || inner?.op !== "equals" || inner.value === null || !isCounted(counted, inner.column))
      return undefined;
    const value = String(this.#context.profile.toParameter(inner.value));
    return { records: this.#recordsOf(counted, inner.column), value, tenantId };
  }

  #recordsOf(table: Table, column?: string): TotalDefinition {
    const name = this.#context.sqlTable(table.name);
    if (column === undefined) return { name: name.split(".").at(-1) ?? "", table: name };
    return { name: `${name.split(".").at(-1)}_${toSqlName(column)}`, table: name, column: toSqlName(column) };
  }
}

async function readOrMiss(connection: SqlConnection, text: string, parameters: readonly unknown[]): Promise<SqlRow | undefined> {
  try {
    return await connection.first(text, parameters);
  } catch {
    // In that state there may be no such table; what else is wrong shows when the records are counted.
    return undefined;
  }
}

// Columns of few values, each of which many records may have.
function isCounted(table: Table, column: string): boolean {
  const known = table.columns[column];
  return known !== undefined && (known.references !== undefined || known.type === "boolean");
}
