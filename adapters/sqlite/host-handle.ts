import { createRequire } from "node:module";
import type { CompiledQuery, DatabaseConnection, Driver, Kysely, QueryResult } from "kysely";
import { assertRunning, type UnitOfWork } from "../kysely/running-unit.js";
import type { StatementOutcome } from "./prepared-statements.js";

/** The connection of a transaction, which the host may have any statement run on. */
export interface HostStatements {
  execute(sql: string, parameters: readonly unknown[]): StatementOutcome | Promise<StatementOutcome>;
}

type Unit = Pick<UnitOfWork, "isOver">;

/**
 * The host's Kysely on a transaction in progress: its statements are kept or undone together with ours. The class is the host's
 * own copy of the package, loaded when a handle is first asked for.
 * @throws Error when `kysely` is not installed.
 */
export function createHostHandle<Database>(connection: HostStatements, unit: Unit): Kysely<Database> {
  const kysely = loadKysely();
  return new kysely.Kysely<Database>({
    dialect: {
      createAdapter: () => new kysely.SqliteAdapter(),
      createDriver: () => new HostDriver(connection, unit),
      createIntrospector: (db) => new kysely.SqliteIntrospector(db),
      createQueryCompiler: () => new kysely.SqliteQueryCompiler(),
    },
  });
}

function loadKysely(): typeof import("kysely") {
  try {
    return createRequire(import.meta.url)("kysely");
  } catch (error) {
    throw new Error("The database handle of a transaction needs the package kysely: npm install kysely", { cause: error });
  }
}

class HostDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(connection: HostStatements, unit: Unit) {
    this.#connection = new HostConnection(connection, unit);
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
  beginTransaction(): Promise<void> {
    return Promise.reject(new Error("This handle is inside a transaction already."));
  }
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
}

class HostConnection implements DatabaseConnection {
  readonly #connection: HostStatements;
  readonly #unit: Unit;

  constructor(connection: HostStatements, unit: Unit) {
    this.#connection = connection;
    this.#unit = unit;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    assertRunning(this.#unit);
    const outcome = await this.#connection.execute(query.sql, query.parameters);
    if ("rows" in outcome) return { rows: outcome.rows as Row[] };
    const { changes, lastInsertRowid } = outcome;
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  // biome-ignore lint/correctness/useYield: SQLite answers at once, so there is nothing to stream.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("Streaming is not supported on this handle.");
  }
}
