import type { CompiledQuery, Kysely, QueryResult } from "kysely";
import { StorageUnavailable } from "latchkey/ports";
import { createHostHandle } from "../kysely/host-handle.js";
import { assertRunning, type UnitOfWork } from "../kysely/running-unit.js";
import type { SqlConnection, SqlParameters, SqlRow } from "../kysely/sql/sql-connection.js";
import { PreparedStatements, type SqliteDatabaseLike, type StatementOutcome } from "./prepared-statements.js";

/** A synchronous connection of the event loop. */
export class SqliteConnection implements SqlConnection {
  readonly #statements: PreparedStatements;
  #runs = 0;

  constructor(database: SqliteDatabaseLike) {
    this.#statements = new PreparedStatements(database);
  }

  /** The number of writing statements so far. */
  get runs(): number {
    return this.#runs;
  }

  all(sql: string, parameters: SqlParameters): readonly SqlRow[] {
    try {
      return this.#statements.all(sql, parameters) as readonly SqlRow[];
    } catch (error) {
      throw toUnavailable(error);
    }
  }

  allWithin(sql: string, parameters: SqlParameters, maxBytes: number): readonly SqlRow[] | undefined {
    try {
      return this.#statements.allWithin(sql, parameters, maxBytes) as readonly SqlRow[] | undefined;
    } catch (error) {
      throw toUnavailable(error);
    }
  }

  first(sql: string, parameters: SqlParameters): SqlRow | undefined {
    try {
      return this.#statements.first(sql, parameters) as SqlRow | undefined;
    } catch (error) {
      throw toUnavailable(error);
    }
  }

  column(sql: string, parameters: SqlParameters): readonly unknown[] {
    try {
      return this.#statements.column(sql, parameters);
    } catch (error) {
      throw toUnavailable(error);
    }
  }

  run(sql: string, parameters: SqlParameters): number {
    this.#runs++;
    try {
      return this.#statements.run(sql, parameters);
    } catch (error) {
      throw toUnavailable(error);
    }
  }

  execute(sql: string, parameters: SqlParameters): StatementOutcome {
    this.#runs++;
    try {
      return this.#statements.execute(sql, parameters);
    } catch (error) {
      throw toUnavailable(error);
    }
  }
}

/** The connection of one unit of work: a late call of the unit must not run in the work of others. */
export class UnitConnection implements SqlConnection {
  readonly runEach: SqlConnection["runEach"];
  readonly #connection: SqlConnection;
  readonly #unit: Pick<UnitOfWork, "isOver">;

  constructor(connection: SqlConnection, unit: Pick<UnitOfWork, "isOver">) {
    this.#connection = connection;
    this.#unit = unit;
    if (connection.runEach !== undefined) this.runEach = (sql, lists) => this.#running.runEach?.(sql, lists) ?? [];
  }

  all(sql: string, parameters: SqlParameters): ReturnType<SqlConnection["all"]> {
    return this.#running.all(sql, parameters);
  }

  first(sql: string, parameters: SqlParameters): ReturnType<SqlConnection["first"]> {
    return this.#running.first(sql, parameters);
  }

  column(sql: string, parameters: SqlParameters): ReturnType<SqlConnection["column"]> {
    return this.#running.column(sql, parameters);
  }

  run(sql: string, parameters: SqlParameters): ReturnType<SqlConnection["run"]> {
    return this.#running.run(sql, parameters);
  }

  get #running(): SqlConnection {
    assertRunning(this.#unit);
    return this.#connection;
  }
}

const unavailableCodes = /^SQLITE_(BUSY|LOCKED|IOERR|FULL|CANTOPEN|READONLY)/;

/** The code of a SQLite error. */
export function sqliteCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Converts an error of a database that is unavailable at present; returns other errors unchanged. */
export function toUnavailable(error: unknown): unknown {
  const isClosed = error instanceof TypeError && error.message.includes("not open");
  if (!isClosed && !unavailableCodes.test(sqliteCode(error))) return error;
  return new StorageUnavailable("The database cannot be used at present.", { cause: error });
}

/** The connection of a transaction, on which the host may run any statement. */
export interface HostStatements {
  execute(sql: string, parameters: readonly unknown[]): StatementOutcome | Promise<StatementOutcome>;
}

/** The host's Kysely on a SQLite transaction. @throws Error when `kysely` is not installed. */
export function createSqliteHandle<Database>(connection: HostStatements, unit: Pick<UnitOfWork, "isOver">): Kysely<Database> {
  const run = async ({ parameters, sql }: CompiledQuery): Promise<QueryResult<unknown>> => {
    assertRunning(unit);
    const outcome = await connection.execute(sql, parameters);
    if ("rows" in outcome) return { rows: [...outcome.rows] };
    const { changes, lastInsertRowid } = outcome;
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  };
  return createHostHandle(
    ({ SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler }) => ({
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    }),
    run,
  );
}
