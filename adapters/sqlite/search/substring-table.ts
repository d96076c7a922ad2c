import type { Table } from "latchkey/ports";
import type { ObjectNames } from "../../kysely/search/present-objects.js";
import type { CompileContext } from "../../kysely/sql/compile-filter.js";
import type { SqlConnection, SqlRow } from "../../kysely/sql/sql-connection.js";
import { toSqlName } from "../../kysely/sql/table-sql.js";

/**
 * The trigram index (FTS5) of one table's texts, and its maintenance. Created when the table is large, and filled in steps:
 * triggers only list the id of each change, and idle time applies the list to the index. Once filled, the index equals the table
 * for every unlisted id; the listed ones must be checked in the table.
 */
export class SubstringTable {
  readonly columns: readonly string[];
  readonly table: string;
  readonly index: string;
  /** The indexed rows: a number for each, its id and its texts. */
  readonly rows: string;
  /** Ids of records that were inserted, deleted or changed since they were indexed. */
  readonly changes: string;
  readonly #builds: string;
  /** The columns of the other indexes of a large table. */
  readonly #orders: readonly (readonly string[])[];
  /** The order in which the index is filled: one that the table has. */
  readonly #filling: readonly string[];

  constructor(table: Table, columns: readonly string[], { sqlTable }: CompileContext) {
    this.columns = columns.map(toSqlName);
    this.table = sqlTable(table.name);
    this.#orders = table.indexes.flatMap((index) => (index.whenLarge ? [index.columns.map(toSqlName)] : []));
    this.#filling = [...this.columns.filter((column) => this.hasOneColumn && this.#isOrdered(table, column)), "id"];
    this.index = `${this.table}_substrings`;
    this.rows = `${this.table}_substring_rows`;
    this.changes = `${this.table}_substring_changes`;
    this.#builds = `${this.table}_substring_build`;
  }

  /** Whether there is a single column. Its texts then have an index: the most compact place to scan them all. */
  get hasOneColumn(): boolean {
    return this.columns.length === 1;
  }

  // Filled in the order of texts, the index stores them adjacently, so that a full scan is a fifth faster.
  #isOrdered({ columns }: Table, column: string): boolean {
    const isNullable = Object.entries(columns).some(
      ([name, { isNullable }]) => toSqlName(name) === column && isNullable === true,
    );
    return !isNullable && this.#orders.some(([first]) => first === column);
  }

  /** The names of its tables and triggers. */
  get objects(): ObjectNames {
    return [this.index, ...this.#tables, ...this.#triggers];
  }

  get #tables(): readonly string[] {
    return [this.rows, this.changes, this.#builds];
  }

  get #triggers(): readonly string[] {
    return ["insert", "delete", "update"].map((event) => `${this.changes}_${event}`);
  }

  /** Whether every record has been indexed once, and the number of listed ids, at most `limit`. */
  state(connection: SqlConnection, limit: number): { readonly isBuilt: boolean; readonly pending: number } {
    const pending = `(select count(*) from (select 1 from "${this.changes}" limit ${limit}))`;
    // The connection for reads is synchronous.
    const row = connection.first(`select is_built, ${pending} as pending from "${this.#builds}"`, []) as SqlRow | undefined;
    return { isBuilt: row?.is_built === 1, pending: Number(row?.pending) };
  }

  /** The statements that create the empty index and the triggers, after dropping the remains of an incomplete one. */
  get definition(): readonly string[] {
    const columns = this.columns.map((column) => `"${column}"`);
    const options = `content='${this.rows}', content_rowid='number', tokenize='trigram case_sensitive 1', columnsize=0`;
    const texts = columns.map((column) => `${column} text`);
    const change = (id: string): string => `begin insert into "${this.changes}" (id) values (${id}) on conflict do nothing; end`;
    const isOther = columns.map((column) => `old.${column} is not new.${column}`).join(" or ");
    return [
      ...this.#triggers.map((name) => `drop trigger if exists "${name}"`),
      ...[this.index, ...this.#tables].map((name) => `drop table if exists "${name}"`),
      `create table "${this.rows}" (number integer primary key, id text not null unique, ${texts.join(", ")})`,
      `create virtual table "${this.index}" using fts5(${columns.join(", ")}, ${options})`,
      ...(this.hasOneColumn ? [`create index "${this.rows}_texts" on "${this.rows}" (${columns.join(", ")})`] : []),
      `create table "${this.changes}" (id text primary key) without rowid`,
      `create table "${this.#builds}" (is_built integer not null)`,
      `insert into "${this.#builds}" (is_built) values (0)`,
      `create trigger "${this.changes}_insert" after insert on "${this.table}" ${change("new.id")}`,
      `create trigger "${this.changes}_delete" after delete on "${this.table}" ${change("old.id")}`,
      `create trigger "${this.changes}_update" after update of ${columns.join(", ")} on "${this.table}" when ${isOther} ${change("new.id")}`,
      ...this.#orders.map(
        (order) =>
          `create index if not exists "ix_${this.table}_${order.join("_")}" on "${this.table}" (${[...order, "id"].join(", ")})`,
      ),
    ];
  }

  /** Indexes at most `limit` further records, in the caller's transaction. Returns whether more remain. */
  async catchUp(connection: SqlConnection, limit: number): Promise<boolean> {
    const isBuilt = (await connection.first(`select is_built from "${this.#builds}"`, []))?.is_built === 1;
    const changed = `select id from "${this.changes}" limit ${limit}`;
    const ids = isBuilt ? await connection.column(changed, []) : await this.#next(connection, limit);
    await this.#renew(connection, ids);
    const isFull = ids.length === limit;
    if (!isBuilt && !isFull) await connection.run(`update "${this.#builds}" set is_built = 1`, []);
    return isFull || !isBuilt;
  }

  // Continues after the last indexed record: later changes are listed.
  async #next(connection: SqlConnection, limit: number): Promise<readonly unknown[]> {
    const order = this.#filling.map((column) => `"${column}"`).join(", ");
    const last = await connection.first(`select ${order} from "${this.rows}" order by number desc limit 1`, []);
    const values = last === undefined ? [] : this.#filling.map((column) => last[column]);
    const where = last === undefined ? "" : `where (${order}) > (${values.map(() => "?").join(", ")})`;
    return connection.column(`select id from "${this.table}" ${where} order by ${order} limit ${limit}`, values);
  }

  // The index must remove the same text that it added, so it changes before the rows.
  async #renew(connection: SqlConnection, ids: readonly unknown[]): Promise<void> {
    const columns = this.columns.map((column) => `"${column}"`).join(", ");
    const isOne = "in (select value from json_each(?))";
    const { index, rows, table, changes } = this;
    const statements = [
      `insert into "${index}" ("${index}", rowid, ${columns}) select 'delete', number, ${columns} from "${rows}" where id ${isOne}`,
      `delete from "${rows}" where id ${isOne}`,
      `insert into "${rows}" (id, ${columns}) select id, ${columns} from "${table}" where id ${isOne} order by ${this.#filling.map((column) => `"${column}"`).join(", ")}`,
      `insert into "${index}" (rowid, ${columns}) select number, ${columns} from "${rows}" where id ${isOne} order by number`,
      `delete from "${changes}" where id ${isOne}`,
    ];
    for (const statement of statements) await connection.run(statement, [JSON.stringify(ids)]);
  }
}
