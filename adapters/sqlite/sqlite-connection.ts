import { StorageUnavailable } from "latchkey";
import { assertRunning, type UnitOfWork } from "../kysely/running-unit.js";
import type { SqlConnection, SqlParameters, SqlRow } from "../kysely/sql-connection.js";

/** The part of a `better-sqlite3` database that is used here. */
export interface SqliteDatabaseLike {
  prepare(sql: string): SqliteStatementLike;
  pragma(source: string, options?: { simple?: boolean }): unknown;
  close(): unknown;
}

/** The part of a `better-sqlite3` statement that is used here. */
export interface SqliteStatementLike {
  readonly reader: boolean;
  /** Whether rows are answered as the value of their first column. */
  pluck(isOn: boolean): this;
  all(...parameters: unknown[]): unknown[];
  get(...parameters: unknown[]): unknown;
  run(...parameters: unknown[]): { changes: number; lastInsertRowid: number | bigint };
}

const maxStatements = 500;

/** A connection that prepares each statement once: preparing is most of what a small statement costs. */
export class SqliteConnection implements SqlConnection {
  readonly #database: SqliteDatabaseLike;
  readonly #statements = new Map<string, SqliteStatementLike>();

  constructor(database: SqliteDatabaseLike) {
    this.#database = database;
  }

  all(sql: string, parameters: SqlParameters): readonly SqlRow[] {
    try {
      return this.statement(sql).all(...parameters) as SqlRow[];
    } catch (error) {
      throw toUnavailable(error);
    }
  }

  first(sql: string, parameters: SqlParameters): SqlRow | undefined {
    try {
      return this.statement(sql).get(...parameters) as SqlRow | undefined;
    } catch (error) {
      throw toUnavailable(error);
    }
  }

  column(sql: string, parameters: SqlParameters): readonly unknown[] {
    const statement = this.statement(sql).pluck(true);
    try {
      return statement.all(...parameters);
    } catch (error) {
      throw toUnavailable(error);
    } finally {
      // The host may run the same text.
      statement.pluck(false);
    }
  }

  run(sql: string, parameters: SqlParameters): number {
    try {
      return this.statement(sql).run(...parameters).changes;
    } catch (error) {
      throw toUnavailable(error);
    }
  }

  statement(sql: string): SqliteStatementLike {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      if (this.#statements.size >= maxStatements) this.#forgetOldest();
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #forgetOldest(): void {
    for (const sql of this.#statements.keys()) {
      this.#statements.delete(sql);
      return;
    }
  }
}

/** The connection as one unit of work sees it: a call that nobody waited for must not fall into the work of others. */
export class UnitConnection implements SqlConnection {
  readonly #connection: SqliteConnection;
  readonly #unit: Pick<UnitOfWork, "isOver">;

  constructor(connection: SqliteConnection, unit: Pick<UnitOfWork, "isOver">) {
    this.#connection = connection;
    this.#unit = unit;
  }

  all(sql: string, parameters: SqlParameters): readonly SqlRow[] {
    assertRunning(this.#unit);
    return this.#connection.all(sql, parameters);
  }

  first(sql: string, parameters: SqlParameters): SqlRow | undefined {
    assertRunning(this.#unit);
    return this.#connection.first(sql, parameters);
  }

  column(sql: string, parameters: SqlParameters): readonly unknown[] {
    assertRunning(this.#unit);
    return this.#connection.column(sql, parameters);
  }

  run(sql: string, parameters: SqlParameters): number {
    assertRunning(this.#unit);
    return this.#connection.run(sql, parameters);
  }
}

const unavailableCodes = /^SQLITE_(BUSY|LOCKED|IOERR|FULL|CANTOPEN|READONLY)/;

/** The code that SQLite gives an error. */
export function sqliteCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function toUnavailable(error: unknown): unknown {
  const isClosed = error instanceof TypeError && error.message.includes("not open");
  if (!isClosed && !unavailableCodes.test(sqliteCode(error))) return error;
  return new StorageUnavailable("The database cannot be used at present.", { cause: error });
}
