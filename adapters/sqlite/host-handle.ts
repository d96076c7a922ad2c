import type { CompiledQuery, Kysely, QueryResult } from "kysely";
import { createHostHandle } from "../kysely/host-handle.js";
import { assertRunning, type UnitOfWork } from "../kysely/running-unit.js";
import type { StatementOutcome } from "./prepared-statements.js";

/** The connection of a transaction, which the host may have any statement run on. */
export interface HostStatements {
  execute(sql: string, parameters: readonly unknown[]): StatementOutcome | Promise<StatementOutcome>;
}

/** The host's Kysely on a transaction of SQLite. @throws Error when `kysely` is not installed. */
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
