import type { ColumnType, HiddenText, RecordToStore, Table, TenantScope } from "latchkey/ports";
import { compile, type Fragment, join, raw, ref, sql } from "./fragment.js";
import type { SqlConnection, SqlProfile } from "./sql-connection.js";
import { allColumns, columnValue, rewrittenCount, standardColumns, toSqlName } from "./table-sql.js";

/** The number of records from which one statement writes them all, if the database supports arrays. */
const manyFrom = 8;

/** Some record could not be written. Writing one by one finds it and the reason. */
class SomeRefused extends Error {}

/** Runs work that is rolled back when it throws. */
type Savepoint = (work: () => Promise<void>) => Promise<void>;

/** Statements that write many records of a table at once, from one array for each column. */
export class ManyRecords {
  readonly #profile: SqlProfile;
  readonly #arrayTypes: Readonly<Record<ColumnType, string>> | undefined;
  readonly #sqlTable: (name: string) => string;
  readonly #texts = new Map<string, string>();

  constructor(profile: SqlProfile, sqlTable: (name: string) => string) {
    this.#profile = profile;
    this.#arrayTypes = profile.arrayTypes;
    this.#sqlTable = sqlTable;
  }

  /** Whether this number of records is written at once. */
  takes(records: readonly unknown[]): boolean {
    return this.#arrayTypes !== undefined && records.length >= manyFrom;
  }

  /** Inserts log records without waiting for the response: they have no collisions. */
  post(connection: SqlConnection, table: Table, records: readonly RecordToStore[]): void {
    const columns = allColumns(table);
    connection.post?.(this.#insert(table), this.#toArrays(records, columns));
  }

  /** Inserts records; false, without writing any, when one collides. */
  insert(connection: SqlConnection, savepoint: Savepoint, table: Table, records: readonly RecordToStore[]): Promise<boolean> {
    const arrays = this.#toArrays(records, allColumns(table));
    return writeAll(savepoint, records.length, () => connection.run(this.#insert(table), arrays));
  }

  /**
   * Inserts records where a collision may surface later, as a failed statement. Undefined when the connection does not support
   * it.
   */
  insertAhead(connection: SqlConnection, table: Table, records: readonly RecordToStore[]): Promise<void> | undefined {
    if (!this.takes(records)) return undefined;
    return connection.insertManyAhead?.(this.#insert(table, "fail"), this.#toArrays(records, allColumns(table)));
  }

  /**
   * Rewrites the standard columns of records of one tenant, or without a tenant; false, without writing any, when one is stale.
   */
  rewrite(connection: SqlConnection, savepoint: Savepoint, table: Table, records: readonly RecordToStore[]): Promise<boolean> {
    const tenantId = records[0]?.tenantId ?? null;
    const arrays = this.#toArrays(records, ["id", ...rewritten]);
    const values = [...arrays, ...(tenantId === null ? [] : [tenantId])];
    return writeAll(savepoint, records.length, () => connection.run(this.#rewrite(table, tenantId !== null), values));
  }

  /** Replaces the hidden texts of records with the given versions; returns the ids of the changed ones. */
  async replaceHidden(
    connection: SqlConnection,
    scope: TenantScope,
    table: Table,
    records: readonly HiddenText[],
  ): Promise<readonly string[]> {
    const arrays = hiddenColumns.map((column) => this.#toArray(records.map((record) => record[column])));
    const values = [...arrays, ...(scope.kind === "tenant" ? [scope.tenantId] : [])];
    const ids = await connection.column(this.#replaceHidden(table, scope.kind === "tenant"), values);
    return ids.map(String);
  }

  #toArrays(records: readonly RecordToStore[], columns: readonly string[]): readonly unknown[] {
    const { toParameter } = this.#profile;
    return columns.map((column) => this.#toArray(records.map((record) => toParameter(columnValue(record, column)))));
  }

  #toArray(values: readonly unknown[]): unknown {
    return this.#profile.toArray?.(values) ?? values;
  }

  // Log rows get positions in the order of the records.
  #insert(table: Table, onConflict: "fail" | "skip" = "skip"): string {
    return this.#write(`insert ${onConflict} ${table.name}`, () => {
      const columns = allColumns(table);
      const names = join(columns.map((column) => ref(toSqlName(column))));
      const from = sql`unnest(${this.#arrays(table, columns)}) with ordinality as given (${names}, place_in_list)`;
      const skip = raw(onConflict === "skip" ? " on conflict do nothing" : "");
      return sql`insert into ${this.#table(table)} (${names}) select ${names} from ${from} order by place_in_list${skip}`;
    });
  }

  #rewrite(table: Table, isInTenant: boolean): string {
    return this.#write(`rewrite ${isInTenant} ${table.name}`, () => {
      const columns = ["id", ...rewritten];
      const names = join(columns.map((column) => ref(toSqlName(column))));
      const from = sql`unnest(${this.#arrays(table, columns)}) as given (${names})`;
      const changes = join(rewritten.map((column) => sql`${ref(toSqlName(column))} = ${ref(`given.${toSqlName(column)}`)}`));
      const tenant = isInTenant ? sql`t.tenant_id = ${null}` : sql`t.tenant_id is null`;
      const isOwn = sql`t.id = given.id and t.version = given.version - 1 and ${tenant}`;
      return sql`update ${this.#table(table)} as t set ${changes} from ${from} where ${isOwn}`;
    });
  }

  #replaceHidden(table: Table, isInTenant: boolean): string {
    return this.#write(`hidden ${isInTenant} ${table.name}`, () => {
      const from = sql`unnest(${this.#arrays(table, hiddenColumns)}) as given (${join(hiddenColumns.map((column) => ref(column)))})`;
      const tenant = isInTenant ? sql` and t.tenant_id = ${null}` : sql``;
      const isOwn = sql`t.id = given.id and t.version = given.version${tenant}`;
      return sql`update ${this.#table(table)} as t set hidden = given.hidden from ${from} where ${isOwn} returning t.id`;
    });
  }

  #arrays(table: Table, columns: readonly string[]): Fragment {
    const typeOf = (column: string): ColumnType => standardColumns[column]?.type ?? table.columns[column]?.type ?? "text";
    return join(columns.map((column) => sql`${null}::${raw(this.#arrayTypes?.[typeOf(column)] ?? "")}`));
  }

  #table(table: Table): Fragment {
    return ref(this.#sqlTable(table.name));
  }

  #write(key: string, write: () => Fragment): string {
    const text = this.#texts.get(key) ?? compile(this.#profile.compiler, write()).sql;
    this.#texts.set(key, text);
    return text;
  }
}

const rewritten = Object.keys(standardColumns).slice(2, 2 + rewrittenCount);

const hiddenColumns = ["id", "version", "hidden"] as const;

async function writeAll(savepoint: Savepoint, count: number, write: () => number | Promise<number>): Promise<boolean> {
  try {
    await savepoint(async () => {
      if ((await write()) < count) throw new SomeRefused();
    });
    return true;
  } catch (error) {
    if (error instanceof SomeRefused) return false;
    throw error;
  }
}
