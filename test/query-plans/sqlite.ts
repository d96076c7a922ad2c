// What SQLite says of its statements: which it runs, how, and how many rows each visits.
import Database from "better-sqlite3";
import type { Table } from "latchkey/ports";
import { fillers, prefix, type Steps, sqlTable } from "./filled-tables.js";
import type { RecordedStatement, StatementLog } from "./operation-statements.js";

/** Records all statements that any connection of this process runs; answers what ends that. */
export function recordSqlite(log: StatementLog): () => void {
  const prototype: Record<string, unknown> = Object.getPrototypeOf(new Database(":memory:").prepare("select 1"));
  const originals = ["all", "get", "iterate", "run"].map((name) => [name, prototype[name]] as const);
  for (const [name, original] of originals) {
    if (typeof original !== "function") throw new TypeError(`better-sqlite3 has no ${name}.`);
    prototype[name] = function (this: Database.Statement, ...parameters: readonly unknown[]): unknown {
      log.add(this.source, parameters);
      return Reflect.apply(original, this, parameters);
    };
  }
  return () => Object.assign(prototype, Object.fromEntries(originals));
}

/** A database whose tables have as many rows as a test wants, and that counts the rows which a statement visits. */
export class CountingDatabase {
  readonly #database: Database.Database;
  #visited = 0;

  /** `content` is a serialized database. */
  constructor(content: Buffer) {
    this.#database = new Database(content);
    this.#database.pragma("foreign_keys = off");
    // One that is not deterministic is called once for each row, whatever else is asked of the row.
    this.#database.function("visit", (_rowid: unknown) => {
      this.#visited++;
      return 1;
    });
  }

  /** Makes views that count. What asks them is planned like what asks the tables. */
  addViews(tables: readonly Table[]): void {
    for (const name of tables.map(sqlTable))
      this.#database.exec(`create temp view "${toView(name)}" as select * from "${name}" where visit(rowid)`);
  }

  /** Adds rows to a table until it has `count` beside its own (see {@link fillers}). */
  fill(table: Table, tenantId: string, count: number): void {
    const { columns, values } = fillers(table, tenantId, (suffix) => `printf('%08x-${suffix}', n)`);
    this.#database
      .prepare(
        `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ?)
        insert or ignore into "${sqlTable(table)}" (${columns}) select ${values} from numbers`,
      )
      .run(count);
  }

  /** Runs work whose changes are undone. */
  undoing(work: () => void): void {
    this.#database.exec("begin");
    try {
      work();
    } finally {
      this.#database.exec("rollback");
    }
  }

  /** The plan of a statement, a line for each step. Removals name what they remove by foreign keys. */
  explain({ parameters, sql }: RecordedStatement): readonly string[] {
    const rows = this.#database.prepare<unknown[], { readonly detail: string }>(`explain query plan ${sql}`).all(...parameters);
    return rows.map(({ detail }) => detail);
  }

  /** Counts the rows of a statement; one that would change rows reads them. */
  count(statement: RecordedStatement): Steps {
    const { parameters, sql } = toRead(statement);
    const reading = this.#database.prepare(
      sql.replaceAll(new RegExp(`"(${prefix}\\w+)"`, "g"), (_text, name) => `"${toView(name)}"`),
    );
    this.#visited = 0;
    const returned = reading.all(...parameters).length;
    return { visited: this.#visited, returned };
  }

  serialize(): Buffer {
    return this.#database.serialize();
  }

  close(): void {
    this.#database.close();
  }
}

const toView = (table: string): string => `counting_${table}`;

function toRead({ parameters, sql }: RecordedStatement): Pick<RecordedStatement, "parameters" | "sql"> {
  const [, from, condition] = /^delete from ("\w+"(?: as t)?) where (.*?)(?: returning .*)?$/s.exec(sql) ?? [];
  if (from !== undefined) return { sql: `select 1 from ${from} where ${condition}`, parameters };
  const [, table, changes = "", updated] = /^update ("\w+") set (.*?) where (.*?)(?: returning .*)?$/s.exec(sql) ?? [];
  if (table === undefined) return { sql, parameters };
  return { sql: `select 1 from ${table} where ${updated}`, parameters: parameters.slice(changes.split("?").length - 1) };
}
