import type { SqlConnection, SqlParameters } from "../kysely/sql-connection.js";
import type { PgQuery, PgResult } from "./pg-types.js";
import type { PreparedStatements } from "./prepared-statements.js";

/** Something that runs statements, as the shared adapter knows connections. `post` sends one whose answer is not waited for. */
export function toConnection(
  statements: PreparedStatements,
  ask: (query: PgQuery) => Promise<PgResult>,
  post?: (query: PgQuery) => void,
): SqlConnection {
  const run = (sql: string, parameters: SqlParameters): Promise<PgResult> => ask(statements.toQuery(sql, parameters));
  return {
    all: async (sql, parameters) => (await run(sql, parameters)).rows,
    first: async (sql, parameters) => (await run(sql, parameters)).rows[0],
    column: async (sql, parameters) => (await run(sql, parameters)).rows.map((row) => Object.values(row)[0]),
    run: async (sql, parameters) => (await run(sql, parameters)).rowCount ?? 0,
    ...(post && { post: (sql: string, parameters: SqlParameters) => post(statements.toQuery(sql, parameters)) }),
  };
}
